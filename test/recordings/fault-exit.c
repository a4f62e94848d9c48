// Ends in the handler of a fault, on an alternate stack in the heap.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(int number) {
  char line[32];
  int size = snprintf(line, sizeof line, "signal %d\n", number);
  if (write(1, line, (size_t)size) != size)
    _exit(1);
  _exit(4);
}

int main(void) {
  stack_t stack = {malloc(1 << 16), 0, 1 << 16};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  *(volatile int *)8 = 1;
  return 0;
}
