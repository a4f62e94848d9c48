; Where the address of a function outside the program is taken, one of ours stands for it that notes what
; the call allocates; direct calls stay as they were. Functions of the program keep their addresses.
; RUN: $BIN/../libexec/culprit/culprit-opt promoted:suppress %s | FileCheck-19 %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @hooks = {{.*}} { ptr @__culprit_outside_malloc, ptr @__culprit_outside_free, ptr @own }
@hooks = global { ptr, ptr, ptr } { ptr @malloc, ptr @free, ptr @own }

declare ptr @malloc(i64)
declare void @free(ptr)

define void @own() {
  ret void
}

define ptr @direct() !dbg !4 {
; CHECK-LABEL: define ptr @direct
; CHECK: call ptr @malloc(i64 8)
  %block = call ptr @malloc(i64 8), !dbg !6
  ret ptr %block, !dbg !6
}

; CHECK-LABEL: define linkonce_odr ptr @__culprit_outside_malloc(i64
; CHECK: load i64, ptr @__culprit_call_origin
; CHECK: call i64 @__culprit_external
; CHECK: call ptr @malloc
; CHECK: call void @__culprit_external_done
; CHECK: store i64 %{{.*}}, ptr @__culprit_result_origins
; CHECK-LABEL: define linkonce_odr void @__culprit_outside_free(ptr
; CHECK: call void @free

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "hooks.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "direct", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 2, column: 3, scope: !4)
