; Stores to named locals pass their value through a marker that carries the store's site; stores to
; unnamed slots and to other memory do not.
; RUN: $BIN/../libexec/culprit/culprit-opt marked %s | FileCheck-19 %s --check-prefix=MARKED
; After promotion the marker is the definition: constants and copies stay.
; RUN: $BIN/../libexec/culprit/culprit-opt promoted %s | FileCheck-19 %s --check-prefix=PROMOTED
; In the end nothing of it is left.
; RUN: $BIN/../libexec/culprit/culprit-opt optimised %s | FileCheck-19 %s --check-prefix=OPTIMISED

target triple = "x86_64-unknown-linux-gnu"

define ptr @copy(ptr %x, ptr %out) !dbg !4 {
; MARKED-LABEL: define ptr @copy
; MARKED: [[V:%.*]] = call ptr @culprit.define.ptr(ptr %x), !dbg {{!.*}}, !culprit.site [[S:![0-9]+]]
; MARKED-NEXT: store ptr [[V]], ptr %q, align 8, !dbg {{!.*}}, !culprit.site [[S]]
; MARKED: [[C:%.*]] = call ptr @culprit.define.ptr(ptr null)
; MARKED-NEXT: store ptr [[C]], ptr %p
; MARKED-NOT: culprit.define
; MARKED: store ptr %x, ptr %unnamed
; MARKED: store ptr %again, ptr %out
; PROMOTED-LABEL: define ptr @copy
; PROMOTED: [[V:%.*]] = call ptr @culprit.define.ptr(ptr %x)
; PROMOTED: call ptr @culprit.define.ptr(ptr null)
; PROMOTED: store ptr [[V]], ptr %out
; OPTIMISED-LABEL: define {{.*}}@copy
; OPTIMISED-NOT: culprit.define
; OPTIMISED: store ptr %x, ptr %out
  %q = alloca ptr, align 8
  %p = alloca ptr, align 8
  %unnamed = alloca ptr, align 8
    #dbg_declare(ptr %q, !9, !DIExpression(), !11)
    #dbg_declare(ptr %p, !10, !DIExpression(), !11)
  store ptr %x, ptr %q, align 8, !dbg !12
  store ptr null, ptr %p, align 8, !dbg !13
  store ptr %x, ptr %unnamed, align 8, !dbg !13
  %again = load ptr, ptr %q, align 8, !dbg !14
  store ptr %again, ptr %out, align 8, !dbg !14
  %null = load ptr, ptr %p, align 8, !dbg !14
  ret ptr %null, !dbg !14
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "copy.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "copy", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !7)
!5 = !DISubroutineType(types: !6)
!6 = !{!8, !8, !8}
!7 = !{}
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!9 = !DILocalVariable(name: "q", scope: !4, file: !1, line: 2, type: !8)
!10 = !DILocalVariable(name: "p", scope: !4, file: !1, line: 3, type: !8)
!11 = !DILocation(line: 2, scope: !4)
!12 = !DILocation(line: 2, scope: !4)
!13 = !DILocation(line: 3, scope: !4)
!14 = !DILocation(line: 4, scope: !4)
