// Asks the processor for random numbers, by assembler of its own: this is not recorded.
#include <stdio.h>

int main(void) {
  unsigned long number = 0;
  unsigned char isThere = 0;
  asm volatile("rdrand %0\n\tsetc %1" : "=r"(number), "=qm"(isThere) : : "cc");
  printf("%s\n", isThere && number != 0 ? "a number" : "none");
  return 0;
}
