// Waits for several descriptors at once, by all the ways there are.
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
  int a[2], b[2];
  pipe(a);
  pipe(b);
  write(b[1], "xy", 2);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(a[0], &set);
  FD_SET(b[0], &set);
  struct timeval time = {2, 0};
  int ready = select(b[1] + 1, &set, 0, 0, &time);
  printf("select %d: %d %d, %s\n", ready, FD_ISSET(a[0], &set), FD_ISSET(b[0], &set),
         time.tv_sec < 2 ? "time taken" : "no time");
  struct pollfd polled[2] = {{a[0], POLLIN, 0}, {b[0], POLLIN, 0}};
  ready = poll(polled, 2, 10);
  printf("poll %d: %d %d\n", ready, polled[0].revents, polled[1].revents);
  int queue = epoll_create1(0);
  struct epoll_event event = {EPOLLIN, {.u64 = 77}};
  epoll_ctl(queue, EPOLL_CTL_ADD, b[0], &event);
  struct epoll_event got[4];
  ready = epoll_wait(queue, got, 4, 10);
  printf("epoll %d: %d\n", ready, (int)got[0].data.u64);
  return 0;
}
