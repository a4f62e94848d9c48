// ftw and nftw: libc walks, and hands the program's function copies of what it found. The copies
// last as long as the call of the function, as libc's own do.
#include "externals/external.h"
#include "externals/program_heap.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

namespace culprit {
namespace {

using Visit = int (*)(const char *path, const struct stat *status, int flag);
using PlacedVisit = int (*)(const char *path, const struct stat *status, int flag, FTW *place);

/// A walk of this thread's that is going on. A function that is called may start another.
class Walk {
public:
  Walk(Visit visit, PlacedVisit placedVisit);
  ~Walk();
  Walk(const Walk &) = delete;
  Walk &operator=(const Walk &) = delete;

  static int visit(const char *path, const struct stat *status, int flag);
  static int placedVisit(const char *path, const struct stat *status, int flag, FTW *place);

private:
  /// The program's copy of the path; null without memory.
  const char *copied(const char *path);
  const struct stat *copied(const struct stat *status);

  Visit visit_;
  PlacedVisit placedVisit_;
  Walk *outer_;
  char *path_ = nullptr;
  size_t room_ = 0;
  struct stat status_;
  FTW place_;
};

__thread Walk *t_walk __attribute__((tls_model("initial-exec")));

Walk::Walk(Visit visit, PlacedVisit placedVisit)
    : visit_(visit), placedVisit_(placedVisit), outer_(t_walk) {
  t_walk = this;
}

Walk::~Walk() {
  t_walk = outer_;
  programFree(path_);
}

const char *Walk::copied(const char *path) {
  size_t size = strlen(path) + 1;
  if (size > room_) {
    auto *larger = static_cast<char *>(programRealloc(path_, 2 * size));
    if (!larger)
      return nullptr;
    path_ = larger;
    room_ = 2 * size;
  }
  memcpy(path_, path, size);
  return path_;
}

const struct stat *Walk::copied(const struct stat *status) {
  if (status)
    status_ = *status;
  return status ? &status_ : nullptr;
}

int Walk::visit(const char *path, const struct stat *status, int flag) {
  Walk &self = *t_walk;
  const char *own = self.copied(path);
  return own ? self.visit_(own, self.copied(status), flag) : -1;
}

int Walk::placedVisit(const char *path, const struct stat *status, int flag, FTW *place) {
  Walk &self = *t_walk;
  const char *own = self.copied(path);
  self.place_ = *place;
  return own ? self.placedVisit_(own, self.copied(status), flag, &self.place_) : -1;
}

} // namespace

CULPRIT_EXTERNAL int ftw(const char *path, Visit visit, int descriptors) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(ftw)(path, visit, descriptors);
  Walk walk(visit, nullptr);
  return CULPRIT_NEXT(ftw)(path, Walk::visit, descriptors);
}

CULPRIT_EXTERNAL int nftw(const char *path, PlacedVisit visit, int descriptors, int flags) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(nftw)(path, visit, descriptors, flags);
  Walk walk(nullptr, visit);
  return CULPRIT_NEXT(nftw)(path, Walk::placedVisit, descriptors, flags);
}

// On this machine a stat64 is a stat.

CULPRIT_EXTERNAL int walk64(const char *path, Visit visit, int descriptors) __asm__("ftw64");
CULPRIT_EXTERNAL int placedWalk64(const char *path, PlacedVisit visit, int descriptors,
                                  int flags) __asm__("nftw64");

int walk64(const char *path, Visit visit, int descriptors) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(ftw)(path, visit, descriptors);
  Walk walk(visit, nullptr);
  return CULPRIT_NEXT(ftw)(path, Walk::visit, descriptors);
}

int placedWalk64(const char *path, PlacedVisit visit, int descriptors, int flags) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(nftw)(path, visit, descriptors, flags);
  Walk walk(nullptr, visit);
  return CULPRIT_NEXT(nftw)(path, Walk::placedVisit, descriptors, flags);
}

} // namespace culprit
