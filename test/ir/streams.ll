; stdin, stdout and stderr are those of our streams, unless the module defines them.
; RUN: $BIN/../libexec/culprit/culprit-opt numbered %s | FileCheck-19 %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-DAG: @__culprit_stdout = external global ptr
@stdout = external global ptr
; CHECK-DAG: @stderr = global ptr null
; CHECK-DAG: @__culprit_stderr = alias ptr, ptr @stderr
@stderr = global ptr null
; CHECK-DAG: @stdin = internal global ptr null
; CHECK-NOT: @__culprit_stdin
@stdin = internal global ptr null

define ptr @out() {
; CHECK: load ptr, ptr @__culprit_stdout
  %stream = load ptr, ptr @stdout
  ret ptr %stream
}

define ptr @error() {
; CHECK: load ptr, ptr @stderr
  %stream = load ptr, ptr @stderr
  ret ptr %stream
}

define ptr @in() {
; CHECK: load ptr, ptr @stdin
  %stream = load ptr, ptr @stdin
  ret ptr %stream
}
