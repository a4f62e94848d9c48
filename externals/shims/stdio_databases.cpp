// Functions of libc that read or write records of system files on a stream of the caller's.
//
// libc does the work, on a view of the stream. Records that are returned are libc's.
#include "externals/external.h"
#include "externals/shims/foreign_view.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <grp.h>
#include <mntent.h>
#include <pwd.h>
#include <shadow.h>

extern "C" {
struct mntent *__getmntent_r(FILE *file, struct mntent *entry, char *buffer, int size);
}

namespace culprit {

const char kStdioDatabases = 0;

namespace {

/// Calls `function` with libc's file for `file`, which is its own or a view.
template <typename Function> auto withForeign(FILE *file, const char *mode, Function function) {
  Stream *stream = ownStream(file);
  if (!stream)
    return function(file);
  StreamLock lock(*stream);
  orient(*stream, -1);
  ForeignView view(*stream, mode);
  return view.file() ? function(view.file()) : decltype(function(file)){};
}

} // namespace

CULPRIT_EXTERNAL struct passwd *fgetpwent(FILE *file) {
  return withForeign(file, "r", CULPRIT_NEXT(fgetpwent));
}

CULPRIT_EXTERNAL int fgetpwent_r(FILE *file, struct passwd *entry, char *buffer, size_t size,
                                 struct passwd **result) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(fgetpwent_r)(foreign, entry, buffer, size, result);
  });
}

CULPRIT_EXTERNAL struct group *fgetgrent(FILE *file) {
  return withForeign(file, "r", CULPRIT_NEXT(fgetgrent));
}

CULPRIT_EXTERNAL int fgetgrent_r(FILE *file, struct group *entry, char *buffer, size_t size,
                                 struct group **result) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(fgetgrent_r)(foreign, entry, buffer, size, result);
  });
}

CULPRIT_EXTERNAL struct spwd *fgetspent(FILE *file) {
  return withForeign(file, "r", CULPRIT_NEXT(fgetspent));
}

CULPRIT_EXTERNAL int fgetspent_r(FILE *file, struct spwd *entry, char *buffer, size_t size,
                                 struct spwd **result) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(fgetspent_r)(foreign, entry, buffer, size, result);
  });
}

CULPRIT_EXTERNAL struct mntent *getmntent(FILE *file) {
  return withForeign(file, "r", CULPRIT_NEXT(getmntent));
}

CULPRIT_EXTERNAL struct mntent *getmntent_r(FILE *file, struct mntent *entry, char *buffer,
                                            int size) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(getmntent_r)(foreign, entry, buffer, size);
  });
}

CULPRIT_EXTERNAL struct mntent *__getmntent_r(FILE *file, struct mntent *entry, char *buffer,
                                              int size) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(getmntent_r)(foreign, entry, buffer, size);
  });
}

CULPRIT_EXTERNAL int putpwent(const struct passwd *entry, FILE *file) {
  return withForeign(file, "w",
                     [=](FILE *foreign) { return CULPRIT_NEXT(putpwent)(entry, foreign); });
}

CULPRIT_EXTERNAL int putgrent(const struct group *entry, FILE *file) {
  return withForeign(file, "w",
                     [=](FILE *foreign) { return CULPRIT_NEXT(putgrent)(entry, foreign); });
}

CULPRIT_EXTERNAL int putspent(const struct spwd *entry, FILE *file) {
  return withForeign(file, "w",
                     [=](FILE *foreign) { return CULPRIT_NEXT(putspent)(entry, foreign); });
}

} // namespace culprit
