// Random bytes from the kernel and a device, clocks, the processor's clock.
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

int main(void) {
  unsigned a, b;
  struct timeval now;
  getrandom(&a, sizeof a, 0);
  int file = open("/dev/urandom", O_RDONLY);
  read(file, &b, sizeof b);
  gettimeofday(&now, 0);
  printf("%x %x %ld.%06ld %ld %llu\n", a, b, (long)now.tv_sec, (long)now.tv_usec, (long)time(0),
         (unsigned long long)__rdtsc());
  unsigned processor;
  unsigned long long stamp = __rdtscp(&processor);
  printf("%llu %u %ld\n", stamp, processor, (long)clock());
  return 0;
}
