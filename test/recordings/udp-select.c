// Datagrams to itself, waited for with a time limit.
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
  struct sockaddr_in address = {0}, from;
  socklen_t size = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
  bind(a, (struct sockaddr *)&address, sizeof address);
  getsockname(a, (struct sockaddr *)&address, &size);
  for (int i = 0; i < 3; i++) {
    char text[32];
    sendto(b, text, snprintf(text, sizeof text, "datagram %d", i), 0, (struct sockaddr *)&address, size);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(a, &set);
    struct timeval limit = {1, 0};
    int ready = select(a + 1, &set, 0, 0, &limit);
    size = sizeof from;
    long got = recvfrom(a, text, sizeof text, 0, (struct sockaddr *)&from, &size);
    printf("%d %.*s from %d\n", ready, (int)got, text, ntohs(from.sin_port));
    size = sizeof address;
  }
  return 0;
}
