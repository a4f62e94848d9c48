// Computes, and prints one line at the end: checksums, sorting, sums. The argument says how much.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t table[1 << 14];

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 10;
  uint32_t seed = 1;
  uint64_t sum = 0;
  for (long round = 0; round < rounds; round++) {
    for (int i = 0; i < 1 << 14; i++)
      table[i] = seed = seed * 1664525 + 1013904223;
    qsort(table, 1 << 14, sizeof *table, compare);
    for (int turn = 0; turn < 20; turn++)
      for (int i = 0; i < 1 << 14; i++) {
        sum = (sum ^ table[i]) * 0x100000001b3;
        sum += sum >> 29;
      }
  }
  printf("%llx\n", (unsigned long long)sum);
  return 0;
}
