// Directories: DIR is a token, and what readdir returns is in a heap block that goes with it, as
// glibc's is in the DIR itself.
#include "externals/external.h"
#include "externals/models/tokens.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

namespace culprit {
namespace {

/// A directory that was closed: where libc would read a freed block, calls fail.
bool isClosed(DIR *directory) {
  if (!isToken(directory) || entryOf(TokenKind::Directory, directory))
    return false;
  errno = EBADF;
  return true;
}

/// libc's directory for an open one, whosever it is.
DIR *behind(DIR *directory) {
  TokenEntry *entry = entryOf(TokenKind::Directory, directory);
  return entry ? static_cast<DIR *>(entry->theirs) : directory;
}

DIR *forProgram(DIR *theirs) {
  if (!theirs)
    return nullptr;
  void *slot = malloc(sizeof(dirent));
  void *token = slot ? makeToken(TokenKind::Directory, theirs, slot) : nullptr;
  if (token)
    return static_cast<DIR *>(token);
  free(slot);
  CULPRIT_NEXT(closedir)(theirs);
  errno = ENOMEM;
  return nullptr;
}

/// Names may be longer than the structure says.
dirent *keepIn(TokenEntry *entry, const dirent *theirs) {
  if (theirs->d_reclen > sizeof(dirent)) {
    free(entry->ours);
    entry->ours = malloc(theirs->d_reclen);
    if (!entry->ours)
      return nullptr;
  }
  return static_cast<dirent *>(memcpy(entry->ours, theirs, theirs->d_reclen));
}

} // namespace

CULPRIT_EXTERNAL DIR *opendir(const char *path) {
  DIR *theirs = CULPRIT_NEXT(opendir)(path);
  return CULPRIT_CALLED_FOR_PROGRAM ? forProgram(theirs) : theirs;
}

CULPRIT_EXTERNAL DIR *fdopendir(int file) {
  DIR *theirs = CULPRIT_NEXT(fdopendir)(file);
  return CULPRIT_CALLED_FOR_PROGRAM ? forProgram(theirs) : theirs;
}

CULPRIT_EXTERNAL dirent *readdir(DIR *directory) {
  if (isClosed(directory))
    return nullptr;
  dirent *theirs = CULPRIT_NEXT(readdir)(behind(directory));
  return theirs && isToken(directory) ? keepIn(entryOf(TokenKind::Directory, directory), theirs)
                                      : theirs;
}

CULPRIT_EXTERNAL dirent64 *readdir64(DIR *directory) __attribute__((alias("readdir")));

CULPRIT_EXTERNAL int readdir_r(DIR *directory, dirent *entry, dirent **result) {
  return isClosed(directory) ? EBADF : CULPRIT_NEXT(readdir_r)(behind(directory), entry, result);
}

CULPRIT_EXTERNAL int readdir64_r(DIR *directory, dirent64 *entry, dirent64 **result)
    __attribute__((alias("readdir_r")));

CULPRIT_EXTERNAL int closedir(DIR *directory) {
  if (isClosed(directory))
    return -1;
  DIR *theirs = behind(directory);
  if (isToken(directory)) {
    free(entryOf(TokenKind::Directory, directory)->ours);
    dropToken(directory);
  }
  return CULPRIT_NEXT(closedir)(theirs);
}

CULPRIT_EXTERNAL int dirfd(DIR *directory) {
  return isClosed(directory) ? -1 : CULPRIT_NEXT(dirfd)(behind(directory));
}

CULPRIT_EXTERNAL void rewinddir(DIR *directory) {
  if (!isClosed(directory))
    CULPRIT_NEXT(rewinddir)(behind(directory));
}

CULPRIT_EXTERNAL void seekdir(DIR *directory, long place) {
  if (!isClosed(directory))
    CULPRIT_NEXT(seekdir)(behind(directory), place);
}

CULPRIT_EXTERNAL long telldir(DIR *directory) {
  return isClosed(directory) ? -1 : CULPRIT_NEXT(telldir)(behind(directory));
}

} // namespace culprit
