; Whether a local that is passed on is safe depends on the callee, and callees are looked into that
; another image may define, too, as everything in a shared library, unless that may be another
; function.
; RUN: $BIN/../libexec/culprit/culprit-opt flat %s | FileCheck-19 %s

target triple = "x86_64-unknown-linux-gnu"

define linkonce_odr void @inline_function(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define void @exported(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define linkonce_odr void @overflows(ptr %p) {
  %end = getelementptr i8, ptr %p, i64 4
  store i32 1, ptr %end
  ret void
}

define weak void @replaceable(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define i32 @calls_safe
; CHECK-NOT: @__culprit_frames
; CHECK: %local = alloca i32
; CHECK: ret i32
define i32 @calls_safe() {
  %local = alloca i32, align 4
  call void @inline_function(ptr %local)
  call void @exported(ptr %local)
  %v = load i32, ptr %local
  ret i32 %v
}

; What a function returns of its arguments is followed, too.
define linkonce_odr ptr @returns_it(ptr %p) {
  store i32 1, ptr %p
  ret ptr %p
}

define linkonce_odr ptr @passes_it_on(ptr %p) {
  %q = call ptr @returns_it(ptr %p)
  ret ptr %q
}

; CHECK-LABEL: define i32 @uses_returned
; CHECK-NOT: @__culprit_frames
; CHECK: %local = alloca i32
; CHECK: ret i32
define i32 @uses_returned() {
  %local = alloca i32, align 4
  %q = call ptr @passes_it_on(ptr %local)
  %v = load i32, ptr %q
  ret i32 %v
}

; CHECK-LABEL: define i32 @overflows_returned
; CHECK: @__culprit_enter_frame
define i32 @overflows_returned() {
  %local = alloca i32, align 4
  %q = call ptr @passes_it_on(ptr %local)
  %end = getelementptr i8, ptr %q, i64 2
  %v = load i32, ptr %end
  ret i32 %v
}

; CHECK-LABEL: define i32 @calls_overflowing
; CHECK: @__culprit_enter_frame
define i32 @calls_overflowing() {
  %local = alloca i32, align 4
  call void @overflows(ptr %local)
  %v = load i32, ptr %local
  ret i32 %v
}

; CHECK-LABEL: define i32 @calls_replaceable
; CHECK: @__culprit_enter_frame
define i32 @calls_replaceable() {
  %local = alloca i32, align 4
  call void @replaceable(ptr %local)
  %v = load i32, ptr %local
  ret i32 %v
}

; One of several arguments, or a place in what one points to, is followed as well; null is no place.
define linkonce_odr ptr @smaller(ptr %a, ptr %b) {
  %x = load i32, ptr %a
  %y = load i32, ptr %b
  %less = icmp slt i32 %y, %x
  br i1 %less, label %second, label %first
first:
  br label %end
second:
  br label %end
end:
  %r = phi ptr [ %a, %first ], [ %b, %second ]
  ret ptr %r
}

define linkonce_odr ptr @member(ptr %p) {
  %m = getelementptr i8, ptr %p, i64 4
  ret ptr %m
}

define linkonce_odr ptr @found(ptr %p, i1 %is) {
  %r = select i1 %is, ptr %p, ptr null
  ret ptr %r
}

; CHECK-LABEL: define i32 @uses_one_of_several
; CHECK-NOT: @__culprit_frames
; CHECK: ret i32
define i32 @uses_one_of_several(i32 %x, i1 %is) {
  %one = alloca i32, align 4
  %two = alloca [2 x i32], align 4
  %three = alloca i32, align 4
  store i32 %x, ptr %one
  call void @inline_function(ptr %three)
  %m = call ptr @member(ptr %two)
  %s = call ptr @smaller(ptr %one, ptr %m)
  %t = call ptr @smaller(ptr %s, ptr %three)
  %f = call ptr @found(ptr %t, i1 %is)
  call void @inline_function(ptr %f)
  %v = load i32, ptr %f
  ret i32 %v
}

; CHECK-LABEL: define i32 @overflows_one_of_several
; CHECK: @__culprit_enter_frame
; CHECK-DAG: %one = getelementptr i8, ptr %frame
; CHECK-NOT: %two = getelementptr i8, ptr %frame
; CHECK: ret i32
define i32 @overflows_one_of_several() {
  %one = alloca i32, align 4
  %two = alloca [2 x i32], align 4
  %s = call ptr @smaller(ptr %one, ptr %two)
  %next = getelementptr i8, ptr %s, i64 4
  %v = load i32, ptr %next
  ret i32 %v
}

; CHECK-LABEL: define i32 @passes_one_of_several_on
; CHECK: @__culprit_enter_frame
; CHECK-DAG: %one = getelementptr i8, ptr %frame
; CHECK-DAG: %two = getelementptr i8, ptr %frame
; CHECK: ret i32
define i32 @passes_one_of_several_on() {
  %one = alloca i32, align 4
  %two = alloca i32, align 4
  %s = call ptr @smaller(ptr %one, ptr %two)
  call void @overflows(ptr %s)
  ret i32 0
}

; A pointer that a loop moves may be anywhere.
; CHECK-LABEL: define i32 @moves_pointer
; CHECK: @__culprit_enter_frame
define i32 @moves_pointer(i32 %n) {
entry:
  %two = alloca [2 x i32], align 4
  br label %loop
loop:
  %p = phi ptr [ %two, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store i32 %i, ptr %p
  %next = getelementptr i8, ptr %p, i64 4
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}
