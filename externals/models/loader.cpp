// What the dynamic loader says of its errors and of addresses.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/moved_block.h"
#include "externals/models/thread_cells.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

namespace culprit {

CULPRIT_EXTERNAL char *dlerror() {
  char *text = CULPRIT_NEXT(dlerror)();
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return text;
  ThreadCells &cells = ownCells();
  free(cells.loaderError);
  cells.loaderError = text ? strdup(text) : nullptr;
  return cells.loaderError;
}

CULPRIT_EXTERNAL int dladdr(const void *place, Dl_info *info) {
  int found = CULPRIT_NEXT(dladdr)(place, info);
  if (found != 0 && CULPRIT_CALLED_BY_PROGRAM) {
    info->dli_fname = keptText(info->dli_fname);
    info->dli_sname = keptText(info->dli_sname);
  }
  return found;
}

/// One block with pointers into itself.
CULPRIT_EXTERNAL char **backtrace_symbols(void *const *places, int count) {
  char **theirs = CULPRIT_NEXT(backtrace_symbols)(places, count);
  if (!theirs || count <= 0 || !CULPRIT_CALLED_BY_PROGRAM)
    return theirs;
  const char *last = theirs[count - 1];
  size_t size = static_cast<size_t>(last - reinterpret_cast<char *>(theirs)) + strlen(last) + 1;
  auto *ours = static_cast<char **>(malloc(size));
  if (ours) {
    memcpy(static_cast<void *>(ours), static_cast<void *>(theirs), size);
    for (int i = 0; i < count; ++i)
      ours[i] = reinterpret_cast<char *>(ours) + (theirs[i] - reinterpret_cast<char *>(theirs));
  }
  free(static_cast<void *>(theirs));
  return ours;
}

} // namespace culprit
