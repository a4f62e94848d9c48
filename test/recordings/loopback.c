// A server and its client in one process, over TCP, UDP and a pair of local sockets.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in address = {0};
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int server = socket(AF_INET, SOCK_STREAM, 0);
  bind(server, (struct sockaddr *)&address, sizeof address);
  listen(server, 4);
  getsockname(server, (struct sockaddr *)&address, &length);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  connect(client, (struct sockaddr *)&address, sizeof address);
  struct sockaddr_in peer;
  length = sizeof peer;
  int served = accept(server, (struct sockaddr *)&peer, &length);
  send(client, "request", 7, 0);
  char text[64] = {0};
  ssize_t got = recv(served, text, sizeof text, 0);
  printf("port %d, from port %d: %zd %s\n", ntohs(address.sin_port), ntohs(peer.sin_port), got, text);
  int pair[2];
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  struct iovec out[2] = {{"one ", 4}, {"two", 3}};
  struct msghdr message = {0};
  message.msg_iov = out;
  message.msg_iovlen = 2;
  sendmsg(pair[0], &message, 0);
  char first[3] = {0}, second[16] = {0};
  struct iovec in[2] = {{first, 2}, {second, 15}};
  message.msg_iov = in;
  got = recvmsg(pair[1], &message, 0);
  printf("%zd '%s' '%s'\n", got, first, second);
  return 0;
}
