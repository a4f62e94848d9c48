; A function with a buffer that may overflow keeps all its named locals in one frame, at offsets
; that the layout fills in, and checks its return slot; one whose locals are provably safe keeps
; them as they are.
; RUN: $BIN/../libexec/culprit/culprit-opt flat %s | FileCheck-19 %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-DAG: @__culprit_at.0.2 = external hidden global [4 x i8], !absolute_symbol [[UP:![0-9]+]]
; CHECK-DAG: @__culprit_at.0.3 = external hidden global [16 x i8], !absolute_symbol [[UP]]
; CHECK-DAG: @__culprit_frames = external thread_local(initialexec) global ptr

; CHECK-LABEL: define i32 @unsafe
; CHECK: [[DOWN:%.*]] = getelementptr i8, ptr %older{{.*}}, i64 ptrtoint (ptr @__culprit_descent.0 to i64)
; CHECK: store ptr [[DOWN]], ptr @__culprit_frames
; CHECK: %frame = call {{.*}}ptr asm "", "=r,0"(ptr [[DOWN]])
; CHECK: [[SLOT:%.*]] = getelementptr i8, ptr %frame, i64 ptrtoint (ptr @__culprit_at.0.0 to i64)
; CHECK: store ptr {{%.*}}, ptr [[SLOT]]
; CHECK: call void @__culprit_enter_frame(ptr %frame
; CHECK-DAG: %victim = getelementptr i8, ptr %frame, i64 ptrtoint (ptr @__culprit_at.0.2 to i64)
; CHECK-DAG: %array = getelementptr i8, ptr %frame, i64 ptrtoint (ptr @__culprit_at.0.3 to i64)
; CHECK: load ptr, ptr [[SLOT]]
; CHECK: call void @__culprit_broken_return(ptr [[SLOT]]
; CHECK: store ptr %older{{.*}}, ptr @__culprit_frames
; CHECK-NEXT: ret
define i32 @unsafe(i64 %i) !dbg !4 {
  %victim = alloca i32, align 4
  %array = alloca [4 x i32], align 16
    #dbg_declare(ptr %victim, !9, !DIExpression(), !11)
    #dbg_declare(ptr %array, !10, !DIExpression(), !11)
  %p = getelementptr inbounds [4 x i32], ptr %array, i64 0, i64 %i, !dbg !11
  store i32 2, ptr %p, !dbg !11
  %v = load i32, ptr %victim, !dbg !11
  ret i32 %v, !dbg !11
}

; CHECK-LABEL: define i32 @safe
; CHECK-NOT: asm
; CHECK: %local = alloca [4 x i32]
define i32 @safe() {
  %local = alloca [4 x i32], align 16
  %p = getelementptr inbounds [4 x i32], ptr %local, i64 0, i64 3
  store i32 2, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "locals.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "unsafe", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !7)
!5 = !DISubroutineType(types: !6)
!6 = !{!8}
!7 = !{}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocalVariable(name: "victim", scope: !4, file: !1, line: 2, type: !8)
!10 = !DILocalVariable(name: "array", scope: !4, file: !1, line: 3, type: !8)
!11 = !DILocation(line: 2, scope: !4)
