// Streams to and from children, and temporary files.
#include "externals/external.h"
#include "externals/program_heap.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_open.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

extern "C" {
int __close(int descriptor);
int __fcntl(int descriptor, int command, ...);
}

namespace culprit {

const char kStdioPopen = 0;

namespace {

struct PipeMode {
  bool reads;
  bool closesOnExec;
};

bool parsePipeMode(const char *text, PipeMode &mode) {
  bool reads = false;
  bool writes = false;
  mode.closesOnExec = false;
  bool isValid = true;
  for (; *text && isValid; ++text) {
    reads |= *text == 'r';
    writes |= *text == 'w';
    mode.closesOnExec |= *text == 'e';
    isValid = *text == 'r' || *text == 'w' || *text == 'e';
  }
  mode.reads = reads;
  if (isValid && reads != writes)
    return true;
  errno = EINVAL;
  return false;
}

/// Ends of the pipe, and the number that the child knows its end by.
struct Pipe {
  int parent;
  int child;
  int number;
};

/// The child has its end as stdin or stdout, and no stream of an earlier popen.
bool planFiles(posix_spawn_file_actions_t &actions, const Pipe &pipe) {
  if (posix_spawn_file_actions_adddup2(&actions, pipe.child, pipe.number) != 0)
    return false;
  for (Stream *stream = firstStream(); stream; stream = static_cast<Stream *>(stream->_chain))
    if (stream->kind == StreamKind::kChild && stream->_fileno >= 0 &&
        stream->_fileno != pipe.number &&
        posix_spawn_file_actions_addclose(&actions, stream->_fileno) != 0)
      return false;
  return true;
}

bool spawnShell(Stream &stream, const char *command, const Pipe &pipe) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  char shell[] = "sh";
  char option[] = "-c";
  char *arguments[] = {shell, option, const_cast<char *>(command), nullptr};
  bool isStarted = planFiles(actions, pipe) && posix_spawn(&stream.child, "/bin/sh", &actions,
                                                           nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return isStarted;
}

/// A pipe whose child's end is not already the one that the child will know it by: that one must
/// lose its close-on-exec flag, in the child only.
bool makePipe(const PipeMode &mode, Pipe &pipe) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    return false;
  pipe = mode.reads ? Pipe{ends[0], ends[1], 1} : Pipe{ends[1], ends[0], 0};
  if (pipe.child != pipe.number)
    return true;
  int other = __fcntl(pipe.child, F_DUPFD_CLOEXEC, 0);
  __close(pipe.child);
  pipe.child = other;
  if (other >= 0)
    return true;
  __close(pipe.parent);
  errno = ENOMEM;
  return false;
}

bool startChild(Stream &stream, const char *command, const char *modeText) {
  PipeMode mode;
  Pipe pipe;
  if (!parsePipeMode(modeText, mode) || !makePipe(mode, pipe))
    return false;
  bool isStarted = spawnShell(stream, command, pipe);
  __close(pipe.child);
  if (!isStarted) {
    __close(pipe.parent);
    errno = ENOMEM;
    return false;
  }
  if (!mode.closesOnExec)
    __fcntl(pipe.parent, F_SETFD, 0);
  startFile(stream, mode.reads ? kNoWrites : kNoReads, pipe.parent);
  return true;
}

int openTemporary() {
  constexpr mode_t kPermissions = 0600;
  int descriptor = deviceOpen("/tmp", O_RDWR | O_TMPFILE | O_EXCL, kPermissions);
  if (descriptor >= 0)
    return descriptor;
  char name[] = "/tmp/tmpfXXXXXX";
  descriptor = mkstemp(name);
  if (descriptor >= 0)
    unlink(name);
  return descriptor;
}

Stream *openTemporaryStream() {
  int descriptor = openTemporary();
  if (descriptor < 0)
    return nullptr;
  Stream *stream = attachStream(descriptor, "w+b");
  if (!stream)
    __close(descriptor);
  return stream;
}

} // namespace

CULPRIT_EXTERNAL FILE *popen(const char *command, const char *mode) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(popen)(command, mode);
  Stream *stream = newStream(StreamKind::kChild, -1);
  if (!stream || startChild(*stream, command, mode))
    return stream;
  programFree(stream);
  return nullptr;
}

CULPRIT_EXTERNAL FILE *tmpfile() {
  return CULPRIT_CALLED_BY_PROGRAM ? openTemporaryStream() : CULPRIT_NEXT(tmpfile)();
}

CULPRIT_EXTERNAL FILE *tmpfile64() {
  return CULPRIT_CALLED_BY_PROGRAM ? openTemporaryStream() : CULPRIT_NEXT(tmpfile64)();
}

} // namespace culprit
