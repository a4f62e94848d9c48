// Sums floats four at a time with aligned loads, from an array that starts at an odd place.
// expect: kind=segmentation-fault line=fail name=`samples[1]`
// args: 1
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <xmmintrin.h>

static float samples[64] __attribute__((aligned(16)));

static void fill(float *values, int count) {
  for (int i = 0; i < count; i++)
    values[i] = (float)i / 2;
}

static float sum(const float *values, int count) {
  __m128 total = _mm_setzero_ps();
  for (int i = 0; i + 4 <= count; i += 4)
    total = _mm_add_ps(total, *(const __m128 *)(values + i)); // fail
  float parts[4];
  _mm_storeu_ps(parts, total);
  return parts[0] + parts[1] + parts[2] + parts[3];
}

int main(int argc, char **argv) {
  int skip = argc > 1 ? atoi(argv[1]) : 0;
  fill(samples, 64);
  printf("%g\n", sum(samples + skip, 64 - skip)); // cause: skip is no multiple of 4
  return 0;
}
