// The handler of a fault, on an alternate stack in the heap, has a library loaded, which asks for the
// number of the processor and leaves it on the stack.
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { Size = 65536 };

static void fault(int signal) {
  void *callers[20];
  int count = backtrace(callers, 20);
  fprintf(stderr, "fault %d, %s\n", signal, count > 0 ? "with callers" : "without");
  _exit(3);
}

int main(int count, char **arguments) {
  stack_t stack = {.ss_sp = calloc(1, Size), .ss_size = Size};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  printf("%f %s\n", count * 1.5, arguments[0] ? "named" : "without a name");
  *(volatile int *)0 = 1;
  return 0;
}
