; Sites are numbered by position: functions in module order, blocks in function order, instructions
; in block order. What the program does not execute (allocas, lifetimes, debug records,
; declarations) has no number and takes none.
; RUN: $BIN/../libexec/culprit/culprit-opt numbered %s | FileCheck-19 %s

target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.lifetime.start.p0(i64, ptr)
@kept = global ptr null

; CHECK-LABEL: define i32 @first
define i32 @first(i32 %n) {
; CHECK: alloca i32, align 4{{$}}
; CHECK-NEXT: call void @llvm.lifetime.start.p0(i64 4, ptr %slot){{$}}
; CHECK-NEXT: store i32 %n, ptr %slot, align 4, !culprit.site [[S0:![0-9]+]]
; CHECK-NEXT: %test = icmp sgt i32 %n, 0, !culprit.site [[S1:![0-9]+]]
; CHECK-NEXT: br i1 %test, label %yes, label %no, !culprit.site [[S2:![0-9]+]]
; CHECK: ret i32 1, !culprit.site [[S3:![0-9]+]]
; CHECK: ret i32 2, !culprit.site [[S4:![0-9]+]]
  %slot = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %slot)
  store i32 %n, ptr %slot, align 4
  %test = icmp sgt i32 %n, 0
  br i1 %test, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

; A borrowed body is the module's own: calls go there, the address stays the owner's.
; CHECK-LABEL: define internal void @borrowed.borrowed
; CHECK-NEXT: ret void, !culprit.site [[S5:![0-9]+]]
define available_externally void @borrowed() {
  ret void
}

; CHECK-LABEL: define void @second
; CHECK-NEXT: call void @borrowed.borrowed(), !culprit.site [[S6:![0-9]+]]
; CHECK-NEXT: store ptr @borrowed, ptr @kept, align 8, !culprit.site [[S7:![0-9]+]]
; CHECK-NEXT: ret void, !culprit.site [[S8:![0-9]+]]
define void @second() {
  call void @borrowed()
  store ptr @borrowed, ptr @kept
  ret void
}

; CHECK-DAG: [[S0]] = !{i32 0}
; CHECK-DAG: [[S1]] = !{i32 1}
; CHECK-DAG: [[S2]] = !{i32 2}
; CHECK-DAG: [[S3]] = !{i32 3}
; CHECK-DAG: [[S4]] = !{i32 4}
; CHECK-DAG: [[S5]] = !{i32 5}
; CHECK-DAG: [[S6]] = !{i32 6}
; CHECK-DAG: [[S7]] = !{i32 7}
; CHECK-DAG: [[S8]] = !{i32 8}
