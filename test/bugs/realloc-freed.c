// A buffer is given up when it is reset and grown again afterwards, from the old pointer.
// expect: kind=double-free line=fail name=the heap block of 16 bytes allocated at @alloc and freed at @freed
// cause: line=cause
// locate: line=freed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  char *bytes;
  size_t length, room;
};

static void append(struct buffer *buffer, const char *text) {
  size_t more = strlen(text);
  if (buffer->length + more + 1 > buffer->room) {
    buffer->room = buffer->room ? buffer->room * 2 : 16;
    buffer->bytes = realloc(buffer->bytes, buffer->room); // alloc, fail
    if (!buffer->bytes)
      abort();
  }
  strcpy(buffer->bytes + buffer->length, text);
  buffer->length += more;
}

static void reset(struct buffer *buffer) {
  free(buffer->bytes); // freed
  buffer->length = 0;
  buffer->room = 0; // cause: bytes stays
}

int main(void) {
  struct buffer buffer = {NULL, 0, 0};
  append(&buffer, "first");
  reset(&buffer);
  append(&buffer, "second");
  printf("%s\n", buffer.bytes);
  free(buffer.bytes);
  return 0;
}
