// Sends a descriptor to itself through a local socket, with credentials.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
  int pair[2], ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  pipe(ends);
  char control[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
  struct iovec part = {&byte, 1};
  struct msghdr message = {0, 0, &part, 1, control, sizeof control, 0};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &ends[1], sizeof(int));
  sendmsg(pair[0], &message, 0);
  memset(control, 0, sizeof control);
  recvmsg(pair[1], &message, 0);
  int got = -1;
  memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof got);
  write(got, "through", 7);
  char text[8] = {0};
  read(ends[0], text, 7);
  struct ucred who;
  socklen_t size = sizeof who;
  getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &who, &size);
  printf("%d %s %d %d\n", got > 2, text, who.pid == getpid(), (int)size);
  return 0;
}
