// Makes calls by assembler of its own, and looks what they leave in registers and below the stack.
// They are made again and again, and it also jumps behind them.
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

struct State {
  unsigned long rbx, rbp, rsi, rdi, rdx, r8, r9, r10, r12, r13, r14, r15, flags, below[4];
  double xmm[4];
};

/// Fills registers from `in`, makes the call `number`, or with `number` < 0 jumps behind it, and
/// puts all into `out`. Returns the result; %rcx less the address behind the call goes to `distance`.
long callWith(const struct State *in, struct State *out, long number, long *distance);

asm(R"(
  .text
  .globl callWith
  .type callWith, @function
callWith:
  pushq %rbx; pushq %rbp; pushq %r12; pushq %r13; pushq %r14; pushq %r15
  pushq %rsi; pushq %rcx; pushq %rdx
  movq %rdi, %rax
  movq 0(%rax), %rbx; movq 8(%rax), %rbp; movq 16(%rax), %rsi; movq 32(%rax), %rdx
  movq 40(%rax), %r8; movq 48(%rax), %r9; movq 56(%rax), %r10; movq 64(%rax), %r12
  movq 72(%rax), %r13; movq 80(%rax), %r14; movq 88(%rax), %r15
  movq 104(%rax), %rcx; movq %rcx, -8(%rsp)
  movq 112(%rax), %rcx; movq %rcx, -16(%rsp)
  movq 120(%rax), %rcx; movq %rcx, -64(%rsp)
  movq 128(%rax), %rcx; movq %rcx, -128(%rsp)
  movsd 136(%rax), %xmm0; movsd 144(%rax), %xmm1; movsd 152(%rax), %xmm7; movsd 160(%rax), %xmm15
  movq 24(%rax), %rdi
  movq (%rsp), %rax
  leaq behind(%rip), %rcx
  testq %rax, %rax
  js behind
  stc
  syscall
behind:
  cmpq $-4095, %rax
  xchgq %rdi, 16(%rsp)
  movq %rbx, 0(%rdi); movq %rbp, 8(%rdi); movq %rsi, 16(%rdi); movq %rdx, 32(%rdi)
  movq %r8, 40(%rdi); movq %r9, 48(%rdi); movq %r10, 56(%rdi); movq %r12, 64(%rdi)
  movq %r13, 72(%rdi); movq %r14, 80(%rdi); movq %r15, 88(%rdi)
  movq -8(%rsp), %rdx; movq %rdx, 104(%rdi)
  movq -16(%rsp), %rdx; movq %rdx, 112(%rdi)
  movq -64(%rsp), %rdx; movq %rdx, 120(%rdi)
  movq -128(%rsp), %rdx; movq %rdx, 128(%rdi)
  movsd %xmm0, 136(%rdi); movsd %xmm1, 144(%rdi); movsd %xmm7, 152(%rdi); movsd %xmm15, 160(%rdi)
  movq 16(%rsp), %rdx; movq %rdx, 24(%rdi)
  pushfq; popq %rdx; andl $0xcd5, %edx; movq %rdx, 96(%rdi)
  leaq behind(%rip), %rdx
  subq %rdx, %rcx
  movq 8(%rsp), %rdx
  movq %rcx, (%rdx)
  addq $24, %rsp
  popq %r15; popq %r14; popq %r13; popq %r12; popq %rbp; popq %rbx
  ret
  .size callWith, .-callWith
)");

int main(void) {
  struct State in, out;
  unsigned char *bytes = (unsigned char *)&in;
  for (unsigned i = 0; i < sizeof in; i++)
    bytes[i] = (unsigned char)(i * 7 + 1);
  for (int i = 0; i < 4; i++)
    in.xmm[i] = i + 0.5;
  int wrong = 0;
  long sum = 0;
  for (int i = 0; i < 100; i++) {
    long distance = 1;
    memset(&out, 0, sizeof out);
    long result = callWith(&in, &out, i % 3 == 2 ? -7 : SYS_getppid, &distance);
    in.flags = out.flags;
    wrong += memcmp(&in, &out, sizeof in) != 0 || distance != 0;
    wrong += (out.flags & 1) != (i % 3 != 2 || (unsigned long)result < (unsigned long)-4095);
    sum += result < 0 ? result : 1;
  }
  printf("%d wrong, sum %ld\n", wrong, sum);
  return wrong;
}
