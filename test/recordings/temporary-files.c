// Makes, renames, links, measures and removes files; seeks in streams.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  char name[] = "temporary-XXXXXX", other[64], target[64] = {0};
  FILE *stream = fdopen(mkstemp(name), "w+");
  fprintf(stream, "some text of %d lines\nand more\n", 2);
  fseek(stream, 5, SEEK_SET);
  char word[8];
  fscanf(stream, "%7s", word);
  struct stat status;
  fstat(fileno(stream), &status);
  printf("%s %ld %ld %s\n", word, (long)status.st_size, ftell(stream), name);
  snprintf(other, sizeof other, "%s.new", name);
  rename(name, other);
  symlink(other, name);
  readlink(name, target, sizeof target - 1);
  printf("%d %d\n", strcmp(target, other), access(name, R_OK));
  unlink(name);
  unlink(other);
  printf("%d %d\n", open(other, O_RDONLY), errno);
  fclose(stream);
  return 0;
}
