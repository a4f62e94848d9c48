; A list is walked and its values are summed up. Where something can be suppressed, each access is
; behind a test of the pointer's origin, and a way past the loop is there.
; RUN: $BIN/../libexec/culprit/culprit-opt promoted:suppress-exact %s | FileCheck-19 %s --check-prefix=SUPPRESS
; So it is where only what is corrupt is followed: marks are loaded, whatever the size and without a call, and
; are looked at before anything is written to them.
; RUN: $BIN/../libexec/culprit/culprit-opt promoted:suppress %s | FileCheck-19 %s --check-prefix=MARKS
; Where nothing can, no test is left, and of the origins only the one that is stored.
; RUN: $BIN/../libexec/culprit/culprit-opt optimised:origins %s | FileCheck-19 %s --check-prefix=ORIGINS
; A bit-field is taken out of what was loaded: a copy, unlike the mask that the program wrote.
; RUN: $BIN/../libexec/culprit/culprit-opt optimised:origins %s | FileCheck-19 %s --check-prefix=FIELD
; A few whole granules are copied by their words, unless one of those is mixed; not where copies of
; pointers are looked for.
; RUN: $BIN/../libexec/culprit/culprit-opt promoted:origins %s | FileCheck-19 %s --check-prefix=COPY
; RUN: $BIN/../libexec/culprit/culprit-opt promoted:suppress-exact %s | FileCheck-19 %s --check-prefix=TRACED

target triple = "x86_64-unknown-linux-gnu"

define void @sum(ptr %first, ptr %out) !dbg !4 {
; SUPPRESS-LABEL: define void @sum
; SUPPRESS: and i64 %{{.*}}, 4611686018427387904
; SUPPRESS: call void @__culprit_omit_store
; MARKS-LABEL: define void @sum
; MARKS-NOT: @__culprit_load_origin
; MARKS: icmp ne i64 %{{.*}}, 0
; MARKS: call void @__culprit_omit_store
; MARKS: store i32
; MARKS-NEXT: ptrtoint ptr
; MARKS: [[BEFORE:%.*]] = load i64, ptr
; MARKS-NEXT: icmp ne i64 [[BEFORE]], 0
; MARKS: call preserve_mostcc void @__culprit_store_origin(ptr %{{.*}}, i64 4, i64 0)
; ORIGINS-LABEL: define {{.*}}@sum
; ORIGINS-NOT: 4611686018427387904
; ORIGINS-NOT: @__culprit_load_origin
; ORIGINS-NOT: @__culprit_omit_store
; ORIGINS: ret void
entry:
  br label %loop, !dbg !7
loop:
  %node = phi ptr [ %first, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %more, %loop ]
  %value = load i32, ptr %node, align 8, !dbg !8
  %more = add i32 %total, %value, !dbg !9
  %place = getelementptr inbounds i8, ptr %node, i64 8, !dbg !10
  %next = load ptr, ptr %place, align 8, !dbg !10
  %end = icmp eq ptr %next, null, !dbg !11
  br i1 %end, label %done, label %loop, !dbg !11
done:
  store i32 %more, ptr %out, align 8, !dbg !12
  ret void, !dbg !13
}

define void @assign(ptr %to, ptr %from) !dbg !21 {
; COPY-LABEL: define void @assign
; COPY: call void @llvm.memcpy
; COPY: [[FIRST:%.*]] = load i64
; COPY: [[SECOND:%.*]] = load i64
; COPY: [[BOTH:%.*]] = or i64 [[FIRST]], [[SECOND]]
; COPY: icmp slt i64 [[BOTH]], 0
; COPY: call void @__culprit_copy_origins(ptr %to, ptr %from, i64 8)
; COPY: store i64 [[FIRST]]
; COPY: store i64 [[SECOND]]
; COPY: ret void
; TRACED-LABEL: define void @assign
; TRACED: call void @__culprit_copy_origins(ptr %to, ptr %from, i64 8)
; TRACED-NOT: store i64
; TRACED: ret void
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 8, i1 false), !dbg !22
  ret void, !dbg !23
}

define i32 @field(ptr %record) !dbg !14 {
; FIELD-LABEL: define {{.*}}@field
; FIELD: [[PLACE:%.*]] = inttoptr i64 {{.*}} to ptr
; FIELD: load i64, ptr [[PLACE]]
; FIELD: ret i32
  %unit = load i32, ptr %record, align 8, !dbg !15
  %shifted = lshr i32 %unit, 4, !dbg !15
  %bits = and i32 %shifted, 15, !dbg !15
  ret i32 %bits, !dbg !16
}

define i32 @mask(ptr %record) !dbg !17 {
; FIELD-LABEL: define {{.*}}@mask
; FIELD-NOT: inttoptr
; FIELD: ret i32
  %unit = load i32, ptr %record, align 8, !dbg !18
  %bits = and i32 %unit, 15, !dbg !19
  ret i32 %bits, !dbg !20
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "list.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "sum", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 2, column: 1, scope: !4)
!8 = !DILocation(line: 3, column: 20, scope: !4)
!9 = !DILocation(line: 3, column: 11, scope: !4)
!10 = !DILocation(line: 4, column: 18, scope: !4)
!11 = !DILocation(line: 4, column: 3, scope: !4)
!12 = !DILocation(line: 5, column: 8, scope: !4)
!13 = !DILocation(line: 6, column: 1, scope: !4)
!14 = distinct !DISubprogram(name: "field", file: !1, line: 8, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 9, column: 18, scope: !14)
!16 = !DILocation(line: 9, column: 3, scope: !14)
!17 = distinct !DISubprogram(name: "mask", file: !1, line: 12, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!18 = !DILocation(line: 13, column: 10, scope: !17)
!19 = !DILocation(line: 13, column: 18, scope: !17)
!20 = !DILocation(line: 13, column: 3, scope: !17)
!21 = distinct !DISubprogram(name: "assign", file: !1, line: 16, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!22 = !DILocation(line: 17, column: 9, scope: !21)
!23 = !DILocation(line: 18, column: 1, scope: !21)
