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
