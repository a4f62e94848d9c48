// scandir: an array of entries, each a block of the program's heap, over opendir and readdir.
#include "externals/external.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace culprit {
namespace {

using Select = int (*)(const dirent *);
using Order = int (*)(const dirent **, const dirent **);

struct Entries {
  dirent **list = nullptr;
  size_t count = 0;
  size_t room = 0;
};

bool add(Entries &entries, const dirent *entry) {
  if (entries.count == entries.room) {
    size_t room = entries.room == 0 ? 10 : 2 * entries.room;
    auto **larger =
        static_cast<dirent **>(realloc(static_cast<void *>(entries.list), room * sizeof(dirent *)));
    if (!larger)
      return false;
    entries.list = larger;
    entries.room = room;
  }
  size_t named = offsetof(dirent, d_name) + strlen(entry->d_name) + 1;
  size_t size = (named + alignof(dirent) - 1) & ~(alignof(dirent) - 1);
  void *copy = malloc(size);
  if (!copy)
    return false;
  entries.list[entries.count++] = static_cast<dirent *>(memcpy(copy, entry, named));
  return true;
}

void forget(Entries &entries) {
  for (size_t i = 0; i < entries.count; ++i)
    free(entries.list[i]);
  free(static_cast<void *>(entries.list));
}

/// Closes the directory. Returns how many, or -1 with errno.
int scan(DIR *directory, dirent ***list, Select select, Order order) {
  if (!directory)
    return -1;
  Entries entries;
  int saved = errno;
  int error = 0;
  errno = 0;
  while (const dirent *entry = readdir(directory)) {
    bool isWanted = !select || select(entry) != 0;
    errno = 0;
    if (isWanted && !add(entries, entry))
      break;
  }
  error = errno;
  closedir(directory);
  errno = error == 0 ? saved : error;
  if (error != 0) {
    forget(entries);
    return -1;
  }
  if (order && entries.list)
    qsort(static_cast<void *>(entries.list), entries.count, sizeof *entries.list,
          reinterpret_cast<int (*)(const void *, const void *)>(order));
  *list = entries.list;
  return static_cast<int>(entries.count);
}

DIR *openAt(int folder, const char *path) {
  int file = openat(folder, path, O_RDONLY | O_NDELAY | O_DIRECTORY | O_LARGEFILE | O_CLOEXEC);
  if (file < 0)
    return nullptr;
  DIR *directory = fdopendir(file);
  if (!directory)
    close(file);
  return directory;
}

} // namespace

CULPRIT_EXTERNAL int scandir(const char *path, dirent ***list, Select select, Order order) {
  return CULPRIT_CALLED_BY_PROGRAM ? scan(opendir(path), list, select, order)
                                   : CULPRIT_NEXT(scandir)(path, list, select, order);
}

CULPRIT_EXTERNAL int scandirat(int folder, const char *path, dirent ***list, Select select,
                               Order order) {
  return CULPRIT_CALLED_BY_PROGRAM ? scan(openAt(folder, path), list, select, order)
                                   : CULPRIT_NEXT(scandirat)(folder, path, list, select, order);
}

// The entries are the same with 64-bit offsets.
CULPRIT_EXTERNAL int scandir64(const char *path, dirent64 ***list, int (*select)(const dirent64 *),
                               int (*order)(const dirent64 **, const dirent64 **))
    __attribute__((alias("scandir")));
CULPRIT_EXTERNAL int scandirat64(int folder, const char *path, dirent64 ***list,
                                 int (*select)(const dirent64 *),
                                 int (*order)(const dirent64 **, const dirent64 **))
    __attribute__((alias("scandirat")));

} // namespace culprit
