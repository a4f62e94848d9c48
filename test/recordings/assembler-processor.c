// Asks the processor for random numbers and which one it is, by assembler, on any of its cores.
#include <cpuid.h>
#include <stdio.h>

static unsigned core(void) {
  unsigned a, b, c, d;
  __cpuid(1, a, b, c, d);
  return b >> 24;
}

int main(void) {
  unsigned long number = 0;
  unsigned char isThere = 0;
  unsigned inMemory[4] = {0};
  asm volatile("rdrand %0\n\tsetc %1" : "=r"(number), "=qm"(isThere) : : "cc");
  asm volatile("cpuid\n\tmovl %%ebx, %0" : "=m"(inMemory[1]) : "a"(1) : "ebx", "ecx", "edx");
  printf("%lx %d\n", number, isThere);
  for (int i = 0; i < 20; i++)
    printf("%u %x\n", core(), inMemory[1]);
  return 0;
}
