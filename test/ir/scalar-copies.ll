; A number that is copied out of memory is loaded: where its origin is of no use nothing is left of it.
; RUN: $BIN/../libexec/culprit/culprit-opt optimised:origins %s | FileCheck-19 %s --check-prefix=ORIGINS
; Where every statement is to be seen it stays a copy.
; RUN: $BIN/../libexec/culprit/culprit-opt promoted:suppress-exact %s | FileCheck-19 %s --check-prefix=EXACT

target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i32 @number(ptr %from) !dbg !4 {
; ORIGINS-LABEL: define {{.*}}@number
; ORIGINS-NOT: @__culprit_copy_origins
; ORIGINS-NOT: @__culprit_load_origin
; ORIGINS: load i32, ptr %from, align 1
; ORIGINS-NOT: @__culprit_copy_origins
; ORIGINS-NOT: @__culprit_load_origin
; ORIGINS: ret i32
; EXACT-LABEL: define {{.*}}@number
; EXACT: call void @llvm.memcpy
; EXACT: call void @__culprit_copy_origins
entry:
  %value = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %value, ptr align 1 %from, i64 4, i1 false), !dbg !7
  %read = load i32, ptr %value, align 4, !dbg !8
  %more = add i32 %read, 1, !dbg !8
  ret i32 %more, !dbg !8
}

; Bytes that are looked at one by one have origins of their own, and so has what is copied on.
define void @bytes(ptr %from, ptr %to) !dbg !9 {
; ORIGINS-LABEL: define {{.*}}@bytes
; ORIGINS: call void @__culprit_copy_origins
; ORIGINS: call void @__culprit_copy_origins
; ORIGINS: ret void
entry:
  %value = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %value, ptr align 1 %from, i64 4, i1 false), !dbg !10
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to, ptr align 4 %value, i64 4, i1 false), !dbg !11
  ret void, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "test", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "copies.c", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "number", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 2, column: 3, scope: !4)
!8 = !DILocation(line: 3, column: 3, scope: !4)
!9 = distinct !DISubprogram(name: "bytes", scope: !1, file: !1, line: 5, type: !5, scopeLine: 5, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DILocation(line: 6, column: 3, scope: !9)
!11 = !DILocation(line: 7, column: 3, scope: !9)
