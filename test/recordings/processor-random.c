// Asks the processor for random numbers, by the compiler's functions.
#include <immintrin.h>
#include <stdio.h>

__attribute__((target("rdrnd,rdseed"))) int main(void) {
  for (int i = 0; i < 50; i++) {
    unsigned long long wide = 0;
    unsigned narrow = 0;
    unsigned short seed = 0;
    int isWide = _rdrand64_step(&wide);
    int isNarrow = _rdrand32_step(&narrow);
    int isSeed = _rdseed16_step(&seed);
    printf("%d %llx %d %x %d %x\n", isWide, wide, isNarrow, narrow, isSeed, seed);
  }
  return 0;
}
