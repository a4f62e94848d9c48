// The suffix of a tag becomes the tag itself, and is freed with the rest of what was read; then an
// event gets it.
// expect: kind=double-free line=fail
// cause: line=freed
// locate: line=freed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token {
  char *handle, *suffix;
};

struct event {
  int type;
  char *tag;
};

static struct token queue[4];

static char *part(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy)
    abort();
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static void release(void *block) {
  if (block)
    free(block); // fail
}

static void scan(const char *text) {
  struct token token;
  const char *mark = strrchr(text, '!');
  token.handle = part(text, (size_t)(mark - text));
  token.suffix = part(mark + 1, strlen(mark + 1));
  queue[0] = token;
}

static int parse(const char *text, struct event *event) {
  scan(text);
  char *handle = queue[0].handle, *suffix = queue[0].suffix, *tag = NULL;
  if (!*handle) {
    tag = suffix;
    release(handle);
    release(suffix); // freed
    handle = suffix = NULL;
  }
  event->type = tag && strcmp(tag, "str") == 0 ? 1 : 2;
  event->tag = tag;
  return tag != NULL;
}

int main(int argc, char **argv) {
  struct event event = {0};
  if (parse(argc > 1 ? argv[1] : "!map", &event))
    printf("event %d\n", event.type);
  release(event.tag);
  return 0;
}
