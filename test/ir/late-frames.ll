; A frame that only code without a return needs is made there. Named locals that are used there move
; into it with the values that they have; what something may point to by then stays where it is.
; RUN: $BIN/../libexec/culprit/culprit-opt flat %s | FileCheck-19 %s

target triple = "x86_64-unknown-linux-gnu"

declare void @fill(ptr)
declare void @look(ptr)
declare void @die(ptr, i32) noreturn
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @late
; CHECK-NOT: @__culprit_frames
; CHECK: fail:
; CHECK: store ptr [[DOWN:%.*]], ptr @__culprit_frames
; CHECK: %frame = call {{.*}}ptr asm "", "=r,0"(ptr [[DOWN]])
; CHECK-DAG: [[N:%n.*]] = getelementptr i8, ptr %frame, i64 ptrtoint (ptr @__culprit_at.0.2 to i64)
; CHECK-DAG: [[VALUE:%.*]] = load i32, ptr %n
; CHECK-DAG: store i32 [[VALUE]], ptr [[N]]
; CHECK-DAG: [[TEXT:%text.*]] = getelementptr i8, ptr %frame, i64 ptrtoint (ptr @__culprit_at.0.4 to i64)
; CHECK: call void @fill(ptr [[TEXT]])
; CHECK: [[SEEN:%.*]] = load i32, ptr [[N]]
; CHECK: call void @die(ptr [[TEXT]], i32 [[SEEN]])
; CHECK-NOT: __culprit_broken_return
; CHECK: fine:
; CHECK: load i32, ptr %n
; CHECK-NEXT: ret i32
define i32 @late(i32 %value) !dbg !4 {
  %n = alloca i32, align 4
  %seen = alloca i32, align 4
  %text = alloca [8 x i8], align 1
    #dbg_declare(ptr %n, !9, !DIExpression(), !11)
    #dbg_declare(ptr %seen, !12, !DIExpression(), !11)
    #dbg_declare(ptr %text, !10, !DIExpression(), !11)
  store i32 %value, ptr %n
  call void @safe(ptr %seen)
  %bad = icmp slt i32 %value, 0
  br i1 %bad, label %fail, label %fine
fail:
  call void @fill(ptr %text)
  %v = load i32, ptr %n
  call void @die(ptr %text, i32 %v)
  unreachable
fine:
  %w = load i32, ptr %n
  ret i32 %w
}

define linkonce_odr void @safe(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; Two places that fail, each with a frame; a landing pad behind one puts that frame back.
; CHECK-LABEL: define i32 @twice
; CHECK-NOT: @__culprit_frames
; CHECK: fail1:
; CHECK: %frame = call {{.*}}ptr asm
; CHECK: fail2:
; CHECK: [[OTHER:%frame.*]] = call {{.*}}ptr asm
; CHECK: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: store ptr [[OTHER]], ptr @__culprit_frames
; CHECK: fine:
; CHECK-NEXT: ret i32
define i32 @twice(i32 %value) personality ptr @__gxx_personality_v0 {
  %one = alloca [8 x i8], align 1
  %two = alloca [8 x i8], align 1
  switch i32 %value, label %fine [ i32 1, label %fail1
                                   i32 2, label %fail2 ]
fail1:
  call void @fill(ptr %one)
  call void @die(ptr %one, i32 1)
  unreachable
fail2:
  invoke void @fill(ptr %two) to label %on unwind label %pad
on:
  call void @die(ptr %two, i32 2)
  unreachable
pad:
  %e = landingpad { ptr, i32 } cleanup
  call void @look(ptr %two)
  resume { ptr, i32 } %e
fine:
  ret i32 0
}

; In a loop a frame would be made in every round.
; CHECK-LABEL: define i32 @again
; CHECK: @__culprit_frames
; CHECK: br i1 %bad
define i32 @again(i32 %value) {
  %text = alloca [8 x i8], align 1
  %bad = icmp slt i32 %value, 0
  br i1 %bad, label %loop, label %fine
loop:
  call void @fill(ptr %text)
  br label %loop
fine:
  ret i32 0
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "locals.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "late", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !7)
!5 = !DISubroutineType(types: !6)
!6 = !{!8}
!7 = !{}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocalVariable(name: "n", scope: !4, file: !1, line: 2, type: !8)
!10 = !DILocalVariable(name: "text", scope: !4, file: !1, line: 3, type: !8)
!11 = !DILocation(line: 2, scope: !4)
!12 = !DILocalVariable(name: "seen", scope: !4, file: !1, line: 3, type: !8)
