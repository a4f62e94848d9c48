; After optimisation a store past the end of one object is still seen in another: values are not
; forwarded over stores that may overflow into them, be it a global, a heap block or a local.
; RUN: $BIN/../libexec/culprit/culprit-opt optimised %s | FileCheck-19 %s

target triple = "x86_64-unknown-linux-gnu"

@buffer = global [4 x i32] zeroinitializer
@next = global i32 7

; CHECK-LABEL: define {{.*}}@globals
; CHECK: store i32 1, ptr @next
; CHECK: store i32 2
; CHECK: [[V:%.*]] = load i32, ptr @next
; CHECK: ret i32 [[V]]
define i32 @globals(i64 %i) {
  store i32 1, ptr @next
  %p = getelementptr inbounds [4 x i32], ptr @buffer, i64 0, i64 %i
  store i32 2, ptr %p
  %v = load i32, ptr @next
  ret i32 %v
}

declare noalias ptr @malloc(i64)

; CHECK-LABEL: define {{.*}}@heap
; CHECK: call ptr @malloc
; CHECK: call ptr @malloc
; CHECK: store i32 1, ptr %b
; CHECK: store i32 2
; CHECK: [[V:%.*]] = load i32, ptr %b
; CHECK: ret i32 [[V]]
define i32 @heap(i64 %i) {
  %a = call noalias ptr @malloc(i64 16)
  %b = call noalias ptr @malloc(i64 16)
  store i32 1, ptr %b
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 2, ptr %p
  %v = load i32, ptr %b
  ret i32 %v
}

; CHECK-LABEL: define {{.*}}@locals
; CHECK: store i32 1
; CHECK: store i32 2
; CHECK: [[V:%.*]] = load i32
; CHECK: ret i32 [[V]]
define i32 @locals(i64 %i) !dbg !4 {
  %victim = alloca i32, align 4
  %array = alloca [4 x i32], align 16
    #dbg_declare(ptr %victim, !9, !DIExpression(), !11)
    #dbg_declare(ptr %array, !10, !DIExpression(), !11)
  store i32 1, ptr %victim, !dbg !11
  %p = getelementptr inbounds [4 x i32], ptr %array, i64 0, i64 %i, !dbg !11
  store i32 2, ptr %p, !dbg !11
  %v = load i32, ptr %victim, !dbg !11
  ret i32 %v, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "locals.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "locals", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !7)
!5 = !DISubroutineType(types: !6)
!6 = !{!8}
!7 = !{}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocalVariable(name: "victim", scope: !4, file: !1, line: 2, type: !8)
!10 = !DILocalVariable(name: "array", scope: !4, file: !1, line: 3, type: !8)
!11 = !DILocation(line: 2, scope: !4)
