// Opening and closing streams.
#include "externals/external.h"
#include "externals/program_heap.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_open.h"
#include "runtime/self_path.h"

#include <fcntl.h>
#include <unistd.h>

extern "C" {
int __close(int descriptor);
int __fcntl(int descriptor, int command, ...);
}

namespace culprit {

const char kStdioOpen = 0;

bool parseDirection(char letter, OpenMode &mode) {
  switch (letter) {
  case 'r':
    mode = {O_RDONLY, kNoWrites, 0};
    return true;
  case 'w':
    mode = {O_WRONLY | O_CREAT | O_TRUNC, kNoReads, 0};
    return true;
  case 'a':
    mode = {O_WRONLY | O_CREAT | O_APPEND, kNoReads | kAppending, 0};
    return true;
  default:
    errno = EINVAL;
    return false;
  }
}

namespace {

constexpr char kCodedCharacterSet[] = ",ccs=";

/// As glibc, looks at the first seven letters and leaves unknown ones out.
bool parseMode(const char *text, OpenMode &mode) {
  if (!parseDirection(*text, mode))
    return false;
  for (int i = 1; i < 7 && text[i]; ++i) {
    if (text[i] == '+') {
      mode.openFlags = (mode.openFlags & ~O_ACCMODE) | O_RDWR;
      mode.directions &= kAppending;
    } else if (text[i] == 'x') {
      mode.openFlags |= O_EXCL;
    } else if (text[i] == 'e') {
      mode.openFlags |= O_CLOEXEC;
      mode.flags2 |= kCloseOnExec;
    }
  }
  return true;
}

bool seeksToEnd(const OpenMode &mode) {
  return (mode.directions & (kAppending | kNoReads)) == (kAppending | kNoReads);
}

/// A file that can only be appended to is at its end from the start. False on failure.
bool goToEnd(Stream &stream) {
  return deviceSeek(stream, 0, SEEK_END) != -1 || errno == ESPIPE;
}

} // namespace

void startFile(Stream &stream, int directions, int descriptor) {
  stream._flags |= kHasDevice | kTiedPutGet;
  stream._flags = (stream._flags & ~kDirections) | directions;
  stream._fileno = descriptor;
  linkStream(stream);
}

namespace {

bool openFile(Stream &stream, const char *path, const char *modeText) {
  OpenMode mode;
  if (!parseMode(modeText, mode))
    return false;
  constexpr mode_t kPermissions = 0666;
  int descriptor = deviceOpen(translateSelf(path), mode.openFlags, kPermissions);
  if (descriptor < 0)
    return false;
  stream._flags2 |= mode.flags2;
  stream._fileno = descriptor;
  if (seeksToEnd(mode) && !goToEnd(stream)) {
    __close(descriptor);
    return false;
  }
  startFile(stream, mode.directions, descriptor);
  return true;
}

/// A file with an encoding of its own is read by libc, which has the converters.
bool namesEncoding(const char *mode) {
  return strstr(mode, kCodedCharacterSet) != nullptr;
}

Stream *openNew(const char *path, const char *mode) {
  Stream *stream = newStream(StreamKind::kFile, 0);
  if (!stream || openFile(*stream, path, mode))
    return stream;
  programFree(stream);
  return nullptr;
}

/// The directions that an open file allows.
bool fits(int statusFlags, int directions) {
  int access = statusFlags & O_ACCMODE;
  return !(access == O_RDONLY && !(directions & kNoWrites)) &&
         !(access == O_WRONLY && !(directions & kNoReads));
}

bool parseAttachMode(const char *text, OpenMode &mode) {
  if (!parseDirection(*text, mode))
    return false;
  for (int i = 1; i < 5 && text[i]; ++i)
    if (text[i] == '+') {
      mode.directions &= kAppending;
      break;
    }
  return true;
}

} // namespace

Stream *attachStream(int descriptor, const char *modeText) {
  OpenMode mode;
  if (!parseAttachMode(modeText, mode))
    return nullptr;
  int status = __fcntl(descriptor, F_GETFL);
  if (status == -1)
    return nullptr;
  if (!fits(status, mode.directions)) {
    errno = EINVAL;
    return nullptr;
  }
  bool becomesAppending = (mode.directions & kAppending) && !(status & O_APPEND);
  if (becomesAppending && __fcntl(descriptor, F_SETFL, status | O_APPEND) == -1)
    return nullptr;
  Stream *stream = newStream(StreamKind::kFile, 0);
  if (!stream)
    return nullptr;
  startFile(*stream, mode.directions, descriptor);
  if (becomesAppending && seeksToEnd(mode) && !goToEnd(*stream))
    return nullptr;
  return stream;
}

namespace {

/// Writes what waits and lets go of file and buffer; the object stays, as one that is closed.
int shutFile(Stream &stream, bool closesFile) {
  if (stream._fileno == -1)
    return EOF;
  bool hasWrites = (stream._flags & kNoWrites) == 0 && isPutting(stream);
  int written = hasWrites ? flushPutArea(stream) : 0;
  if (hasBackup(stream))
    dropBackup(stream);
  int closed = closesFile ? deviceClose(stream) : 0;
  setBuffer(stream, nullptr, nullptr, /*isUsers=*/true);
  setGetArea(stream, nullptr, nullptr, nullptr);
  setPutArea(stream, nullptr, nullptr);
  unlinkStream(stream);
  stream._flags = kMagic | kHasDevice | kNoReads | kNoWrites | kTiedPutGet;
  stream._fileno = -1;
  stream._offset = kUnknownOffset;
  return closed ? closed : written;
}

bool isStandard(const Stream &stream) {
  return &stream >= g_standardStreams && &stream < g_standardStreams + 3;
}

/// The name by which the kernel knows an open file.
void nameOf(int descriptor, char (&name)[32]) {
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
}

/// The new file gets the number of the old one. False on failure.
bool takeNumber(Stream &stream, int descriptor) {
  if (descriptor == -1 || stream._fileno == descriptor)
    return true;
  int opened = stream._fileno;
  if (dup3(opened, descriptor, (stream._flags2 & kCloseOnExec) ? O_CLOEXEC : 0) == -1) {
    shutFile(stream, /*closesFile=*/true);
    return false;
  }
  __close(opened);
  stream._fileno = descriptor;
  return true;
}

/// The old file is closed last, so that its number is not given to the new one by chance.
bool reopenStream(Stream &stream, const char *path, const char *mode) {
  streamSync(stream);
  if (!(stream._flags & kHasDevice))
    return false;
  int descriptor = stream._fileno;
  char name[32];
  nameOf(descriptor, name);
  shutFile(stream, /*closesFile=*/false);
  stream.kind = StreamKind::kFile;
  if (!openFile(stream, path ? path : name, mode)) {
    if (descriptor != -1)
      __close(descriptor);
    return false;
  }
  stream._mode = 0;
  return takeNumber(stream, descriptor);
}

} // namespace

int closeStream(Stream &stream) {
  int status;
  if (stream._flags & kHasDevice) {
    unlinkStream(stream);
    StreamLock lock(stream);
    status = shutFile(stream, /*closesFile=*/true);
  } else {
    status = stream._flags & kErrorSeen ? EOF : 0;
    memoryFinish(stream);
  }
  if (hasBackup(stream))
    dropBackup(stream);
  if (!isStandard(stream))
    programFree(&stream);
  return status;
}

CULPRIT_EXTERNAL FILE *fopen(const char *path, const char *mode) {
  if (!CULPRIT_CALLED_FOR_PROGRAM || namesEncoding(mode))
    return CULPRIT_NEXT(fopen)(translateSelf(path), mode);
  return openNew(path, mode);
}

CULPRIT_EXTERNAL FILE *fopen64(const char *path, const char *mode) {
  if (!CULPRIT_CALLED_FOR_PROGRAM || namesEncoding(mode))
    return CULPRIT_NEXT(fopen64)(translateSelf(path), mode);
  return openNew(path, mode);
}

CULPRIT_EXTERNAL FILE *fdopen(int descriptor, const char *mode) {
  if (!CULPRIT_CALLED_FOR_PROGRAM)
    return CULPRIT_NEXT(fdopen)(descriptor, mode);
  return attachStream(descriptor, mode);
}

CULPRIT_EXTERNAL FILE *freopen(const char *path, const char *mode, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(freopen)(path, mode, file);
  StreamLock lock(*stream);
  return reopenStream(*stream, path, mode) ? file : nullptr;
}

CULPRIT_EXTERNAL FILE *freopen64(const char *path, const char *mode, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(freopen64)(path, mode, file);
  StreamLock lock(*stream);
  return reopenStream(*stream, path, mode) ? file : nullptr;
}

CULPRIT_EXTERNAL int fclose(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? closeStream(*stream) : CULPRIT_NEXT(fclose)(file);
}

CULPRIT_EXTERNAL int pclose(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? closeStream(*stream) : CULPRIT_NEXT(pclose)(file);
}

} // namespace culprit
