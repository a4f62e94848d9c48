// The body of a packet is its length minus the header's; a packet shorter than a header gives a
// length of nearly 4 GB.
// expect: kind=segmentation-fault line=fail
// args: 3
// cause: line=cause
// locate: line=fail and=second
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 8

struct packet {
  uint8_t header[HEADER];
  uint8_t body[56];
};

static uint32_t body_length(uint32_t length) {
  return length - HEADER; // cause
}

static uint8_t *copy_body(const struct packet *packet, uint32_t length) {
  uint8_t *copy = calloc(1, sizeof packet->body); // second
  if (!copy)
    abort();
  memcpy(copy, packet->body, body_length(length)); // fail
  return copy;
}

int main(int argc, char **argv) {
  struct packet packet;
  memset(&packet, 7, sizeof packet);
  uint8_t *body = copy_body(&packet, argc > 1 ? (uint32_t)atoi(argv[1]) : sizeof packet);
  printf("%d\n", body[0]);
  free(body);
  return 0;
}
