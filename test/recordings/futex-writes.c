// Has the kernel change words of its memory, by futexes: this is not recorded.
#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int one = 1, other = 5;

int main(void) {
  long woken = syscall(SYS_futex, &one, FUTEX_WAKE_OP, 1, 1, &other,
                       FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_EQ, 5));
  printf("%ld %d\n", woken, other);
  return other;
}
