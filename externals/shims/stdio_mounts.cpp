// Tables of mounted file systems, as <mntent.h> reads and writes them: streams like others, and
// lines of words with some characters in octal.
#include "externals/external.h"
#include "externals/shims/foreign_view.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_print.h"

#include <mntent.h>
#include <stdio_ext.h>

extern "C" {
FILE *__setmntent(const char *path, const char *mode);
struct mntent *__getmntent_r(FILE *file, struct mntent *entry, char *buffer, int size);
int __endmntent(FILE *file);
}

namespace culprit {

const char kStdioMounts = 0;

namespace {

FILE *openTable(const char *path, const char *mode) {
  constexpr size_t kLongest = 32;
  char closing[kLongest];
  size_t length = strnlen(mode, kLongest - 3);
  memcpy(closing, mode, length);
  memcpy(closing + length, "ce", 3);
  FILE *file = fopen(path, closing);
  if (file)
    __fsetlocking(file, FSETLOCKING_BYCALLER);
  return file;
}

struct mntent *readEntry(FILE *file, struct mntent *entry, char *buffer, int size) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(getmntent_r)(file, entry, buffer, size);
  StreamLock lock(*stream);
  orient(*stream, -1);
  ForeignView view(*stream, "r");
  return view.file() ? CULPRIT_NEXT(getmntent_r)(view.file(), entry, buffer, size) : nullptr;
}

/// A word and the space behind it.
bool putWord(FILE *file, const char *word) {
  for (; *word; ++word) {
    bool isSpecial = strchr(" \t\n\\", *word) != nullptr;
    if ((isSpecial ? printText(file, "\\%03o", *word) : fputc(*word, file)) < 0)
      return false;
  }
  return fputc(' ', file) >= 0;
}

int closeTable(FILE *file) {
  if (file)
    fclose(file);
  return 1;
}

} // namespace

CULPRIT_EXTERNAL FILE *setmntent(const char *path, const char *mode) {
  return CULPRIT_CALLED_BY_PROGRAM ? openTable(path, mode) : CULPRIT_NEXT(setmntent)(path, mode);
}

CULPRIT_EXTERNAL FILE *__setmntent(const char *path, const char *mode) {
  return CULPRIT_CALLED_BY_PROGRAM ? openTable(path, mode) : CULPRIT_NEXT(setmntent)(path, mode);
}

CULPRIT_EXTERNAL struct mntent *getmntent(FILE *file) {
  if (!ownStream(file))
    return CULPRIT_NEXT(getmntent)(file);
  static struct mntent entry;
  static char buffer[4096];
  return readEntry(file, &entry, buffer, sizeof buffer);
}

CULPRIT_EXTERNAL struct mntent *getmntent_r(FILE *file, struct mntent *entry, char *buffer,
                                            int size) {
  return readEntry(file, entry, buffer, size);
}

CULPRIT_EXTERNAL struct mntent *__getmntent_r(FILE *file, struct mntent *entry, char *buffer,
                                              int size) {
  return readEntry(file, entry, buffer, size);
}

CULPRIT_EXTERNAL int addmntent(FILE *file, const struct mntent *entry) {
  if (!ownStream(file))
    return CULPRIT_NEXT(addmntent)(file, entry);
  bool isDone = fseek(file, 0, SEEK_END) == 0 && putWord(file, entry->mnt_fsname) &&
                putWord(file, entry->mnt_dir) && putWord(file, entry->mnt_type) &&
                putWord(file, entry->mnt_opts) &&
                printText(file, "%d %d\n", entry->mnt_freq, entry->mnt_passno) > 0 &&
                fflush(file) == 0;
  return isDone ? 0 : 1;
}

CULPRIT_EXTERNAL int endmntent(FILE *file) {
  return closeTable(file);
}

CULPRIT_EXTERNAL int __endmntent(FILE *file) {
  return closeTable(file);
}

} // namespace culprit
