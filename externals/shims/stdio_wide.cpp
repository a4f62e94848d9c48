// Functions of stdio for wide characters.
//
// The buffer of a wide stream holds its bytes; characters are converted as they are read and
// written. glibc has a second buffer, of wide characters, and converts when that is full: writes
// have the same sizes here, but some come earlier.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <iconv.h>
#include <langinfo.h>
#include <limits.h>
#include <wchar.h>

extern "C" {
[[noreturn]] void __chk_fail();
wchar_t *__fgetws_chk(wchar_t *line, size_t room, int size, FILE *file);
wchar_t *__fgetws_unlocked_chk(wchar_t *line, size_t room, int size, FILE *file);
}

namespace culprit {

const char kStdioWide = 0;

namespace {

constexpr size_t kAnyRoom = SIZE_MAX;

/// A character as it is in memory.
wint_t getRaw(Stream &stream) {
  wchar_t character;
  size_t count = 0;
  for (auto *bytes = reinterpret_cast<char *>(&character); count < sizeof character; ++count) {
    if (streamPeek(stream) == EOF)
      return WEOF;
    bytes[count] = *stream._IO_read_ptr++;
  }
  return static_cast<wint_t>(character);
}

} // namespace

wint_t getWide(Stream &stream) {
  if (!orient(stream, 1))
    return WEOF;
  if (stream.kind == StreamKind::kWideMemory)
    return getRaw(stream);
  while (true) {
    if (streamPeek(stream) == EOF)
      return WEOF;
    auto have = static_cast<size_t>(stream._IO_read_end - stream._IO_read_ptr);
    wchar_t character;
    size_t used = mbrtowc(&character, stream._IO_read_ptr, have, &stream.inState);
    if (used == static_cast<size_t>(-1)) {
      stream.inState = {};
      stream._flags |= kErrorSeen;
      return WEOF;
    }
    bool isPart = used == static_cast<size_t>(-2);
    stream._IO_read_ptr += isPart ? have : used == 0 ? 1 : used;
    if (!isPart)
      return static_cast<wint_t>(character);
  }
}

namespace {

/// What the locale has no bytes for is transliterated.
bool putTransliterated(Stream &stream, wchar_t character) {
  constexpr size_t kLongest = 64;
  char encoding[kLongest];
  snprintf(encoding, kLongest, "%s//TRANSLIT", nl_langinfo(CODESET));
  iconv_t converter = iconv_open(encoding, "WCHAR_T");
  if (converter == reinterpret_cast<iconv_t>(-1)) // NOLINT(performance-no-int-to-ptr)
    return false;
  char bytes[kLongest];
  char *in = reinterpret_cast<char *>(&character);
  char *out = bytes;
  size_t inLeft = sizeof character;
  size_t outLeft = kLongest;
  bool isDone = iconv(converter, &in, &inLeft, &out, &outLeft) != static_cast<size_t>(-1);
  iconv_close(converter);
  return isDone && streamPutCharacter(stream, bytes, kLongest - outLeft);
}

} // namespace

namespace {

/// Converts a character and puts it into the buffer.
bool putConverted(Stream &stream, wchar_t character) {
  char bytes[MB_LEN_MAX];
  int error = errno;
  size_t count = wcrtomb(bytes, character, &stream.outState);
  if (count != static_cast<size_t>(-1))
    return streamPutCharacter(stream, bytes, count);
  errno = error;
  stream.outState = {};
  return putTransliterated(stream, character);
}

/// Whether glibc writes a text with line ends at its end, rather than at each line's.
bool isFlushedOnce(const Stream &stream, const wchar_t *text, size_t count) {
  return (stream._flags & kLineBuffered) && isPutting(stream) &&
         static_cast<size_t>(stream._IO_buf_end - stream._IO_write_ptr) >= count &&
         wmemchr(text, L'\n', count);
}

} // namespace

bool putWideText(Stream &stream, const wchar_t *text, size_t count) {
  if (stream.kind == StreamKind::kWideMemory) {
    size_t size = count * sizeof *text;
    return streamWrite(stream, reinterpret_cast<const char *>(text), size) == size;
  }
  bool isAtOnce = isFlushedOnce(stream, text, count);
  for (size_t i = 0; i < count; ++i) {
    if (!putConverted(stream, text[i]))
      return false;
    bool isDue = (stream._flags & kLineBuffered) && text[i] == L'\n' && !isAtOnce;
    if (isDue && flushPutArea(stream) == EOF)
      return false;
  }
  return !isAtOnce || flushPutArea(stream) != EOF;
}

wint_t putWide(Stream &stream, wchar_t character) {
  if (!orient(stream, 1) || !putWideText(stream, &character, 1))
    return WEOF;
  return static_cast<wint_t>(character); // NOLINT(bugprone-signed-char-misuse): wide
}

wint_t ungetWide(Stream &stream, wint_t character) {
  if (!orient(stream, 1) || character == WEOF)
    return WEOF;
  char bytes[MB_LEN_MAX];
  size_t count = sizeof(wchar_t);
  if (stream.kind == StreamKind::kWideMemory) {
    memcpy(bytes, &character, count);
  } else {
    mbstate_t state = {};
    count = wcrtomb(bytes, static_cast<wchar_t>(character), &state);
    if (count == static_cast<size_t>(-1))
      return WEOF;
  }
  while (count > 0)
    if (streamUnget(stream, bytes[--count]) == EOF)
      return WEOF;
  return character;
}

namespace {

/// `room`: in characters, as far as the compiler knows it. Dies when the line does not fit.
wchar_t *getWideLine(Stream &stream, wchar_t *line, size_t room, int size) {
  if (size <= 0)
    return nullptr;
  int old = stream._flags & kErrorSeen;
  stream._flags &= ~kErrorSeen;
  size_t most = static_cast<size_t>(size) - 1 < room ? static_cast<size_t>(size) - 1 : room;
  size_t count = 0;
  while (count < most) {
    wint_t character = getWide(stream);
    if (character == WEOF)
      break;
    line[count++] = static_cast<wchar_t>(character);
    if (character == L'\n')
      break;
  }
  bool isFailed = size > 1 && (count == 0 || ((stream._flags & kErrorSeen) && errno != EAGAIN));
  stream._flags |= old;
  if (isFailed)
    return nullptr;
  if (count >= room)
    __chk_fail();
  line[count] = 0;
  return line;
}

int putWideString(Stream &stream, const wchar_t *text) {
  return orient(stream, 1) && putWideText(stream, text, wcslen(text)) ? 1 : EOF;
}

wint_t getLocked(FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fgetwc)(file);
  StreamLock lock(*stream);
  return getWide(*stream);
}

wint_t getUnlocked(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? getWide(*stream) : CULPRIT_NEXT(fgetwc_unlocked)(file);
}

/// putwc and its kin do not ask for a stream's orientation: what is one of bytes gets the lowest
/// byte. That is how a program sees the output of both cout and wcout.
wint_t putInEither(Stream &stream, wchar_t character) {
  if (stream._mode >= 0)
    return putWide(stream, character);
  return static_cast<wint_t>(streamPut(stream, static_cast<unsigned char>(character)));
}

using Put = wint_t (*)(Stream &, wchar_t);

template <Put put> wint_t putLocked(wchar_t character, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fputwc)(character, file);
  StreamLock lock(*stream);
  return put(*stream, character);
}

template <Put put> wint_t putUnlocked(wchar_t character, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? put(*stream, character) : CULPRIT_NEXT(fputwc_unlocked)(character, file);
}

} // namespace

CULPRIT_EXTERNAL wint_t fgetwc(FILE *file) {
  return getLocked(file);
}

CULPRIT_EXTERNAL wint_t getwc(FILE *file) {
  return getLocked(file);
}

CULPRIT_EXTERNAL wint_t getwchar() {
  return getLocked(__culprit_stdin);
}

CULPRIT_EXTERNAL wint_t fgetwc_unlocked(FILE *file) {
  return getUnlocked(file);
}

CULPRIT_EXTERNAL wint_t getwc_unlocked(FILE *file) {
  return getUnlocked(file);
}

CULPRIT_EXTERNAL wint_t getwchar_unlocked() {
  return getUnlocked(__culprit_stdin);
}

CULPRIT_EXTERNAL wint_t fputwc(wchar_t character, FILE *file) {
  return putLocked<putWide>(character, file);
}

CULPRIT_EXTERNAL wint_t putwc(wchar_t character, FILE *file) {
  return putLocked<putInEither>(character, file);
}

CULPRIT_EXTERNAL wint_t putwchar(wchar_t character) {
  return putLocked<putInEither>(character, __culprit_stdout);
}

CULPRIT_EXTERNAL wint_t fputwc_unlocked(wchar_t character, FILE *file) {
  return putUnlocked<putWide>(character, file);
}

CULPRIT_EXTERNAL wint_t putwc_unlocked(wchar_t character, FILE *file) {
  return putUnlocked<putInEither>(character, file);
}

CULPRIT_EXTERNAL wint_t putwchar_unlocked(wchar_t character) {
  return putUnlocked<putInEither>(character, __culprit_stdout);
}

CULPRIT_EXTERNAL wint_t ungetwc(wint_t character, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(ungetwc)(character, file);
  StreamLock lock(*stream);
  return ungetWide(*stream, character);
}

CULPRIT_EXTERNAL wchar_t *fgetws(wchar_t *line, int size, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fgetws)(line, size, file);
  StreamLock lock(*stream);
  return getWideLine(*stream, line, kAnyRoom, size);
}

CULPRIT_EXTERNAL wchar_t *fgetws_unlocked(wchar_t *line, int size, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? getWideLine(*stream, line, kAnyRoom, size)
                : CULPRIT_NEXT(fgetws_unlocked)(line, size, file);
}

CULPRIT_EXTERNAL wchar_t *__fgetws_chk(wchar_t *line, size_t room, int size, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__fgetws_chk)(line, room, size, file);
  StreamLock lock(*stream);
  return getWideLine(*stream, line, room, size);
}

CULPRIT_EXTERNAL wchar_t *__fgetws_unlocked_chk(wchar_t *line, size_t room, int size, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? getWideLine(*stream, line, room, size)
                : CULPRIT_NEXT(__fgetws_unlocked_chk)(line, room, size, file);
}

CULPRIT_EXTERNAL int fputws(const wchar_t *text, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fputws)(text, file);
  StreamLock lock(*stream);
  return putWideString(*stream, text);
}

CULPRIT_EXTERNAL int fputws_unlocked(const wchar_t *text, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? putWideString(*stream, text) : CULPRIT_NEXT(fputws_unlocked)(text, file);
}

CULPRIT_EXTERNAL int fwide(FILE *file, int mode) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fwide)(file, mode);
  StreamLock lock(*stream);
  if (mode != 0)
    orient(*stream, mode < 0 ? -1 : 1);
  return stream->_mode;
}

} // namespace culprit
