// glob and wordexp: lists of words that libc allocates become blocks of the program's.
//
// libc is asked without the options that continue a list or leave room in front; that is done here.
#include "externals/external.h"
#include "runtime/heap.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

namespace culprit {
namespace {

/// A null-terminated list of words behind `room` null pointers, as both structures have it.
struct WordList {
  char **words;
  size_t count;
  size_t room;
};

/// Appends copies of `added`. False when there is no memory.
bool append(WordList &list, char *const *added, size_t count) {
  size_t wanted = list.room + list.count + count + 1;
  auto **words =
      static_cast<char **>(realloc(static_cast<void *>(list.words), wanted * sizeof(char *)));
  if (!words)
    return false;
  if (!list.words)
    memset(static_cast<void *>(words), 0, list.room * sizeof(char *));
  list.words = words;
  char **end = words + list.room + list.count;
  for (size_t i = 0; i < count; ++i) {
    end[i] = strdup(added[i]);
    if (!end[i])
      count = i;
  }
  end[count] = nullptr;
  list.count += count;
  return list.room + list.count + 1 == wanted;
}

void release(const WordList &list) {
  for (size_t i = 0; list.words && i < list.count; ++i)
    free(list.words[list.room + i]);
  free(static_cast<void *>(list.words));
}

using GlobError = int (*)(const char *, int);
constexpr int kGlobKept = GLOB_APPEND | GLOB_DOOFFS;
constexpr int kExpandKept = WRDE_APPEND | WRDE_DOOFFS | WRDE_REUSE;

int globForProgram(const char *pattern, int flags, GlobError onError, glob_t *result) {
  glob_t theirs = *result;
  theirs.gl_pathc = 0;
  theirs.gl_pathv = nullptr;
  theirs.gl_offs = 0;
  int status = CULPRIT_NEXT(glob)(pattern, flags & ~kGlobKept, onError, &theirs);
  bool continues = (flags & GLOB_APPEND) != 0;
  if ((flags & GLOB_DOOFFS) == 0)
    result->gl_offs = 0;
  WordList list{continues ? result->gl_pathv : nullptr, continues ? result->gl_pathc : 0,
                result->gl_offs};
  if (theirs.gl_pathc != 0 || list.room != 0)
    if (!append(list, theirs.gl_pathv, theirs.gl_pathc))
      status = GLOB_NOSPACE;
  result->gl_pathv = list.words;
  result->gl_pathc = list.count;
  result->gl_flags = theirs.gl_flags | (flags & kGlobKept);
  if (theirs.gl_pathv)
    CULPRIT_NEXT(globfree)(&theirs);
  return status;
}

int expandForProgram(const char *text, wordexp_t *result, int flags) {
  if ((flags & WRDE_REUSE) != 0)
    wordfree(result);
  wordexp_t theirs = {};
  int status = CULPRIT_NEXT(wordexp)(text, &theirs, flags & ~kExpandKept);
  if (status != 0 && status != WRDE_NOSPACE)
    return status;
  bool continues = (flags & WRDE_APPEND) != 0;
  if ((flags & WRDE_DOOFFS) == 0 && !continues)
    result->we_offs = 0;
  WordList list{continues ? result->we_wordv : nullptr, continues ? result->we_wordc : 0,
                (flags & WRDE_DOOFFS) != 0 ? result->we_offs : 0};
  if (!append(list, theirs.we_wordv, theirs.we_wordc))
    status = WRDE_NOSPACE;
  result->we_wordv = list.words;
  result->we_wordc = list.count;
  CULPRIT_NEXT(wordfree)(&theirs);
  return status;
}

} // namespace

CULPRIT_EXTERNAL int glob(const char *pattern, int flags, GlobError onError, glob_t *result) {
  return CULPRIT_CALLED_BY_PROGRAM ? globForProgram(pattern, flags, onError, result)
                                   : CULPRIT_NEXT(glob)(pattern, flags, onError, result);
}

CULPRIT_EXTERNAL void globfree(glob_t *result) {
  if (!isHeapAddress(static_cast<void *>(result->gl_pathv))) {
    CULPRIT_NEXT(globfree)(result);
    return;
  }
  release({result->gl_pathv, result->gl_pathc, result->gl_offs});
  result->gl_pathv = nullptr;
  result->gl_pathc = 0;
}

CULPRIT_EXTERNAL int glob64(const char *pattern, int flags, GlobError onError, glob64_t *result)
    __attribute__((alias("glob")));
CULPRIT_EXTERNAL void globfree64(glob64_t *result) __attribute__((alias("globfree")));

CULPRIT_EXTERNAL int wordexp(const char *text, wordexp_t *result, int flags) {
  return CULPRIT_CALLED_BY_PROGRAM ? expandForProgram(text, result, flags)
                                   : CULPRIT_NEXT(wordexp)(text, result, flags);
}

CULPRIT_EXTERNAL void wordfree(wordexp_t *result) {
  if (!result || !isHeapAddress(static_cast<void *>(result->we_wordv))) {
    CULPRIT_NEXT(wordfree)(result);
    return;
  }
  release({result->we_wordv, result->we_wordc, result->we_offs});
  result->we_wordv = nullptr;
}

} // namespace culprit
