// Functions of libc that read or write records of system files on a stream of the caller's.
//
// libc does the work, on a view of the stream; records are memory of the program.
#include "externals/external.h"
#include "externals/models/record_slot.h"
#include "externals/shims/foreign_view.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <grp.h>
#include <pwd.h>
#include <shadow.h>

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

/// Defines a function that returns a record by way of `name_r`.
#define CULPRIT_STREAM_RECORD(Record, name)                                                        \
  CULPRIT_EXTERNAL struct Record *name(FILE *file) {                                               \
    static RecordSlot<struct Record> slot;                                                         \
    if (!ownStream(file))                                                                          \
      return CULPRIT_NEXT(name)(file);                                                             \
    return slot.fill(                                                                              \
        [&](struct Record *record, char *buffer, size_t size, struct Record **result) {            \
          return name##_r(file, record, buffer, size, result);                                     \
        });                                                                                        \
  }

} // namespace

CULPRIT_STREAM_RECORD(passwd, fgetpwent)

CULPRIT_EXTERNAL int fgetpwent_r(FILE *file, struct passwd *entry, char *buffer, size_t size,
                                 struct passwd **result) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(fgetpwent_r)(foreign, entry, buffer, size, result);
  });
}

CULPRIT_STREAM_RECORD(group, fgetgrent)

CULPRIT_EXTERNAL int fgetgrent_r(FILE *file, struct group *entry, char *buffer, size_t size,
                                 struct group **result) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(fgetgrent_r)(foreign, entry, buffer, size, result);
  });
}

CULPRIT_STREAM_RECORD(spwd, fgetspent)

CULPRIT_EXTERNAL int fgetspent_r(FILE *file, struct spwd *entry, char *buffer, size_t size,
                                 struct spwd **result) {
  return withForeign(file, "r", [=](FILE *foreign) {
    return CULPRIT_NEXT(fgetspent_r)(foreign, entry, buffer, size, result);
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
