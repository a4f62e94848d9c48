// Its output goes through descriptors that were opened by name, passed through a socket, or have a high number.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static void by_name(const char *path) {
  int file = open(path, O_WRONLY | O_APPEND);
  if (file >= 0) {
    dprintf(file, "by %s\n", path);
    close(file);
  }
}

static void by_socket(void) {
  int ends[2], passed[2] = {2, 1};
  char control[CMSG_SPACE(sizeof passed)] = {0}, byte = 'x';
  struct iovec bytes = {&byte, 1};
  struct msghdr message = {0, 0, &bytes, 1, control, sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  *head = (struct cmsghdr){CMSG_LEN(sizeof passed), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(head), passed, sizeof passed);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  sendmsg(ends[0], &message, 0);
  recvmsg(ends[1], &message, 0);
  memcpy(passed, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof passed);
  dprintf(passed[0], "errors, passed on\n");
  dprintf(passed[1], "output, passed on\n");
}

static void by_high_number(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  int high = fcntl(1, F_DUPFD, limit.rlim_max > 9000 ? 9000 : 900);
  dprintf(high, "by a high number\n");
}

int main(void) {
  by_name("/dev/stdout");
  by_name("/dev/stderr");
  by_name("/proc/self/fd/1");
  by_name("/dev/null");
  by_socket();
  by_high_number();
  return 0;
}
