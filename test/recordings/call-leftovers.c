// Looks at what calls write beside their results: the time that is left, and what poll() says when a signal ends it.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void handler(int number) {}

int main(void) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  write(ends[0], "one", 3);
  write(ends[0], "three", 5);
  char texts[3][10];
  struct iovec buffers[3];
  struct mmsghdr messages[3] = {0};
  for (int i = 0; i < 3; ++i) {
    buffers[i] = (struct iovec){texts[i], sizeof texts[i]};
    messages[i].msg_hdr.msg_iov = &buffers[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  struct timespec left = {1, 5000};
  int got = recvmmsg(ends[1], messages, 2, 0, &left);
  printf("%d messages, %u and %u bytes, %ld.%09ld s left\n", got, messages[0].msg_len,
         messages[1].msg_len, left.tv_sec, left.tv_nsec);

  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, 0);
  struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_REAL, &soon, 0);
  struct pollfd wanted[2] = {{ends[1], POLLIN, 77}, {ends[0], POLLIN, 78}};
  got = poll(wanted, 2, 5000);
  printf("%d %d: %d %d\n", got, errno == EINTR, wanted[0].revents, wanted[1].revents);
  return 0;
}
