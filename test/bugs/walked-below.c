// Takes the last folder off a path for each "..", back to the slash before it; nobody looks whether
// there is one, and there is none down to the end of the stack.
// expect: kind=segmentation-fault line=cause name=`end[-1]`
// args: a/../../../b
// cause: line=cause
#include <stdio.h>
#include <string.h>

static void resolve(const char *path, char *out) {
  char *end = out;
  while (*path) {
    if (strncmp(path, "../", 3) == 0) {
      path += 3;
      end--;
      while (end[-1] != '/') // cause: should end at out
        end--;
      continue;
    }
    const char *slash = strchr(path, '/');
    size_t length = slash ? (size_t)(slash - path + 1) : strlen(path);
    memcpy(end, path, length);
    end += length;
    path += length;
  }
  *end = 0;
}

int main(int argc, char **argv) {
  char out[64];
  resolve(argc > 1 ? argv[1] : "a/b/../c", out);
  printf("%s\n", out);
  return 0;
}
