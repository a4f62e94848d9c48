// Looks at the registers that the handler of a fault begins with: the interrupted ones, and no numbers.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

struct begun {
  unsigned long rcx, r8, r9, r10, vectors[32];
};

__attribute__((used)) void look(int number, const siginfo_t *info, void *data, const struct begun *begun) {
  const greg_t *saved = ((ucontext_t *)data)->uc_mcontext.gregs;
  int same = begun->rcx == (unsigned long)saved[REG_RCX] && begun->r8 == (unsigned long)saved[REG_R8] &&
             begun->r9 == (unsigned long)saved[REG_R9] && begun->r10 == (unsigned long)saved[REG_R10];
  unsigned long any = 0;
  for (int i = 0; i < 32; i++)
    any |= begun->vectors[i];
  printf("%s registers, %s in vectors, %d %d\n", same ? "interrupted" : "other",
         any ? "something" : "nothing", number, info->si_code > 0);
  fflush(stdout);
  _exit(same && any == 0 ? 4 : 5);
}

#define KEEP(number) "movups %xmm" #number ", 32+16*" #number "(%rsp)\n"

__attribute__((naked)) static void handler(int number, siginfo_t *info, void *data) {
  __asm__("subq $296, %rsp\n"
          "movq %rcx, (%rsp)\n"
          "movq %r8, 8(%rsp)\n"
          "movq %r9, 16(%rsp)\n"
          "movq %r10, 24(%rsp)\n" KEEP(0) KEEP(1) KEEP(2) KEEP(3) KEEP(4) KEEP(5) KEEP(6) KEEP(7)
              KEEP(8) KEEP(9) KEEP(10) KEEP(11) KEEP(12) KEEP(13) KEEP(14) KEEP(15)
          "movq %rsp, %rcx\n"
          "call look\n");
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, 0);
  *(volatile int *)8 = 1;
  return 0;
}
