; Flat memory: nothing in the module promises that accesses stay inside their objects, that pointers
; are apart or valid, or that arithmetic does not wrap.
; RUN: $BIN/../libexec/culprit/culprit-opt flat %s | FileCheck-19 %s

target triple = "x86_64-unknown-linux-gnu"

%pair = type { i32, [4 x i32] }

; CHECK: @variable = {{.*}}externally_initialized global i32 0
@variable = internal global i32 0

; CHECK: define {{.*}}@access(
; CHECK-NOT: noalias
; CHECK-NOT: dereferenceable
; CHECK-NOT: nonnull
define noundef nonnull ptr @access(ptr noalias nonnull dereferenceable(20) %p, i32 noundef %i) {
; CHECK: getelementptr %pair, ptr %p
; CHECK-NOT: inbounds
; CHECK: %next = add i32 %i, 1
; CHECK: %wide = mul i64
; CHECK-NOT: nsw
; CHECK-NOT: nuw
; CHECK: %value = load i32, ptr %field, align 4
; CHECK-NOT: !tbaa
; CHECK-NOT: !range
; CHECK-NOT: !noundef
; CHECK: ret ptr
  %field = getelementptr inbounds %pair, ptr %p, i64 0, i32 1, i32 %i
  %next = add nsw i32 %i, 1
  %long = sext i32 %next to i64
  %wide = mul nuw nsw i64 %long, 4
  %value = load i32, ptr %field, align 4, !tbaa !0, !range !3, !noundef !4
  store i32 %value, ptr %p, align 4, !tbaa !0, !alias.scope !5, !noalias !5
  %end = getelementptr inbounds i8, ptr %p, i64 %wide
  ret ptr %end
}

; Asking where errno is moves a value, whatever the headers say.
; CHECK: define {{.*}}@ask(
; CHECK: call ptr @__errno_location()
; CHECK: declare ptr @__errno_location()
; CHECK-NOT: memory(none)
define i32 @ask() {
  %place = call ptr @__errno_location() #0
  %value = load i32, ptr %place, align 4
  ret i32 %value
}
declare ptr @__errno_location() #0
attributes #0 = { nounwind willreturn memory(none) }

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"tree"}
!3 = !{i32 0, i32 10}
!4 = !{}
!5 = !{!6}
!6 = distinct !{!6, !7}
!7 = distinct !{!7}
