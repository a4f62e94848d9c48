// Conversion between multibyte and wide strings.
//
// What bytes mean is libc's to know: it is asked about copies of them, a character at a time. All
// reading and writing of the program's memory happens here.
#include "externals/outside.h"
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/text.h"
#include "runtime/dynamic/next.h"

#include <bits/types/mbstate_t.h>

extern "C" size_t __ctype_get_mb_cur_max();

namespace culprit {
namespace {

constexpr auto kInvalid = static_cast<size_t>(-1);
constexpr auto kIncomplete = static_cast<size_t>(-2);
constexpr size_t kLongestCharacter = 16;

size_t libcDecode(wchar_t *wide, const char *bytes, size_t count, mbstate_t *state) {
  CULPRIT_OUTSIDE static size_t (*found)(wchar_t *, const char *, size_t, mbstate_t *);
  return nextFunction(found, "mbrtowc")(wide, bytes, count, state);
}

size_t encode(char *bytes, wchar_t wide, mbstate_t *state) {
  CULPRIT_OUTSIDE static size_t (*found)(char *, wchar_t, mbstate_t *);
  return nextFunction(found, "wcrtomb")(bytes, wide, state);
}

/// As mbrtowc, but for a null `text`: libc is asked about one byte, then two, until it knows.
size_t decode(wchar_t *wide, const char *text, size_t most, mbstate_t *state) {
  char bytes[kLongestCharacter];
  size_t result = kIncomplete;
  mbstate_t after = *state;
  for (size_t count = 0; result == kIncomplete && count < most && count < kLongestCharacter;) {
    bytes[count] = text[count];
    ++count;
    wchar_t character;
    after = *state;
    result = libcDecode(&character, bytes, count, &after);
    if (wide && result != kIncomplete && result != kInvalid)
      *wide = character;
  }
  *state = after;
  return result;
}

size_t decodeOrReset(wchar_t *wide, const char *text, size_t most, mbstate_t *state) {
  return text ? decode(wide, text, most, state) : decode(nullptr, "", 1, state);
}

/// Without `to`, only counts: neither `from` nor `state` change.
size_t decodeText(wchar_t *to, const char **from, size_t most, size_t room, mbstate_t *state) {
  mbstate_t scratch = *state;
  mbstate_t *used = to ? state : &scratch;
  const char *at = *from;
  size_t count = 0;
  while (!to || count < room) {
    wchar_t wide;
    size_t length = decode(&wide, at, most, used);
    if (length == kIncomplete)
      at += most;
    if (length == kInvalid)
      count = kInvalid;
    if (length == kInvalid || length == kIncomplete)
      break;
    if (to)
      to[count] = wide;
    if (length == 0) {
      at = nullptr;
      break;
    }
    at += length;
    most -= length;
    ++count;
  }
  if (to)
    *from = at;
  return count;
}

/// A text up to its terminator. libc takes as many bytes at a time as there is room for characters;
/// it shows in where it stops at a character that is broken off.
size_t decodeWhole(wchar_t *to, const char **from, size_t room, mbstate_t *state) {
  if (!to)
    return decodeText(nullptr, from, SIZE_MAX, 0, state);
  size_t count = 0;
  while (count < room) {
    const char *end = *from + lengthWithin(*from, room - count) + 1;
    bool isLast = end[-1] == 0;
    size_t added =
        decodeText(to + count, from, static_cast<size_t>(end - *from), room - count, state);
    if (added == kInvalid)
      return kInvalid;
    count += added;
    if (*from != end || isLast)
      break;
  }
  return count;
}

/// As decodeText.
size_t encodeText(char *to, const wchar_t **from, size_t most, size_t room, mbstate_t *state) {
  mbstate_t scratch = *state;
  mbstate_t *used = to ? state : &scratch;
  const wchar_t *at = *from;
  size_t count = 0;
  for (; most > 0 && !(to && count == room); --most, ++at) {
    char bytes[kLongestCharacter];
    mbstate_t before = *used;
    size_t length = encode(bytes, *at, used);
    if (length == kInvalid) {
      count = kInvalid;
      break;
    }
    if (to && length > room - count) {
      *used = before;
      break;
    }
    for (size_t i = 0; to && i < length; ++i)
      to[count + i] = bytes[i];
    count += length;
    if (*at == 0) {
      at = nullptr;
      --count;
      break;
    }
  }
  if (to)
    *from = at;
  return count;
}

size_t encodeInto(char *to, wchar_t wide, mbstate_t *state) {
  char bytes[kLongestCharacter];
  size_t length = encode(bytes, to ? wide : L'\0', state);
  for (size_t i = 0; to && length != kInvalid && i < length; ++i)
    to[i] = bytes[i];
  return length;
}

// What calls without a state of their own share.
mbstate_t g_mbrtowc;
mbstate_t g_mbrlen;
mbstate_t g_mbsrtowcs;
mbstate_t g_mbsnrtowcs;
mbstate_t g_wcrtomb;
mbstate_t g_wcsrtombs;
mbstate_t g_wcsnrtombs;
mbstate_t g_mbtowc;
mbstate_t g_wctomb;

mbstate_t *stateOr(mbstate_t *state, mbstate_t &shared) {
  return state ? state : &shared;
}

/// Whether the encoding has shift states.
int isStateful() {
  CULPRIT_OUTSIDE static int (*found)(wchar_t *, const char *, size_t);
  return nextFunction(found, "mbtowc")(nullptr, nullptr, 0);
}

int encodeShared(char *to, wchar_t wide) {
  if (!to) {
    g_wctomb = {};
    return isStateful();
  }
  return static_cast<int>(encodeInto(to, wide, &g_wctomb));
}

} // namespace

CULPRIT_INSTRUMENTED size_t mbrtowc(wchar_t *wide, const char *text, size_t most,
                                    mbstate_t *state) {
  return decodeOrReset(wide, text, most, stateOr(state, g_mbrtowc));
}

CULPRIT_INSTRUMENTED size_t __mbrtowc(wchar_t *wide, const char *text, size_t most,
                                      mbstate_t *state) {
  return decodeOrReset(wide, text, most, stateOr(state, g_mbrtowc));
}

CULPRIT_INSTRUMENTED size_t mbrlen(const char *text, size_t most, mbstate_t *state) {
  return decodeOrReset(nullptr, text, most, stateOr(state, g_mbrlen));
}

CULPRIT_INSTRUMENTED size_t __mbrlen(const char *text, size_t most, mbstate_t *state) {
  return decodeOrReset(nullptr, text, most, stateOr(state, g_mbrlen));
}

CULPRIT_INSTRUMENTED size_t wcrtomb(char *to, wchar_t wide, mbstate_t *state) {
  return encodeInto(to, wide, stateOr(state, g_wcrtomb));
}

CULPRIT_INSTRUMENTED size_t mbsrtowcs(wchar_t *to, const char **from, size_t room,
                                      mbstate_t *state) {
  return decodeWhole(to, from, room, stateOr(state, g_mbsrtowcs));
}

CULPRIT_INSTRUMENTED size_t mbsnrtowcs(wchar_t *to, const char **from, size_t most, size_t room,
                                       mbstate_t *state) {
  return decodeText(to, from, most, room, stateOr(state, g_mbsnrtowcs));
}

CULPRIT_INSTRUMENTED size_t wcsrtombs(char *to, const wchar_t **from, size_t room,
                                      mbstate_t *state) {
  return encodeText(to, from, SIZE_MAX, room, stateOr(state, g_wcsrtombs));
}

CULPRIT_INSTRUMENTED size_t wcsnrtombs(char *to, const wchar_t **from, size_t most, size_t room,
                                       mbstate_t *state) {
  return encodeText(to, from, most, room, stateOr(state, g_wcsnrtombs));
}

CULPRIT_INSTRUMENTED size_t mbstowcs(wchar_t *to, const char *from, size_t room) {
  mbstate_t state = {};
  return decodeWhole(to, &from, room, &state);
}

CULPRIT_INSTRUMENTED size_t wcstombs(char *to, const wchar_t *from, size_t room) {
  mbstate_t state = {};
  return encodeText(to, &from, SIZE_MAX, room, &state);
}

CULPRIT_INSTRUMENTED int mbtowc(wchar_t *wide, const char *text, size_t most) {
  if (!text) {
    g_mbtowc = {};
    return isStateful();
  }
  if (*text == 0) {
    if (wide)
      *wide = 0;
    return 0;
  }
  auto length = static_cast<int>(decode(wide, text, most, &g_mbtowc));
  return length < 0 ? -1 : length;
}

CULPRIT_INSTRUMENTED int mblen(const char *text, size_t most) {
  if (!text)
    return isStateful();
  if (*text == 0)
    return 0;
  mbstate_t state = {};
  auto length = static_cast<int>(decode(nullptr, text, most, &state));
  return length < 0 ? -1 : length;
}

CULPRIT_INSTRUMENTED int wctomb(char *to, wchar_t wide) {
  return encodeShared(to, wide);
}

CULPRIT_INSTRUMENTED int __wctomb_chk(char *to, wchar_t wide, size_t room) {
  checkRoom(room, __ctype_get_mb_cur_max());
  return encodeShared(to, wide);
}

CULPRIT_INSTRUMENTED size_t __wcrtomb_chk(char *to, wchar_t wide, mbstate_t *state, size_t room) {
  checkRoom(room, __ctype_get_mb_cur_max());
  return encodeInto(to, wide, stateOr(state, g_wcrtomb));
}

CULPRIT_INSTRUMENTED size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t count,
                                           size_t room) {
  checkRoom(room, count);
  mbstate_t state = {};
  return decodeWhole(to, &from, count, &state);
}

CULPRIT_INSTRUMENTED size_t __wcstombs_chk(char *to, const wchar_t *from, size_t count,
                                           size_t room) {
  checkRoom(room, count);
  mbstate_t state = {};
  return encodeText(to, &from, SIZE_MAX, count, &state);
}

CULPRIT_INSTRUMENTED size_t __mbsrtowcs_chk(wchar_t *to, const char **from, size_t count,
                                            mbstate_t *state, size_t room) {
  checkRoom(room, count);
  return decodeWhole(to, from, count, stateOr(state, g_mbsrtowcs));
}

CULPRIT_INSTRUMENTED size_t __mbsnrtowcs_chk(wchar_t *to, const char **from, size_t most,
                                             size_t count, mbstate_t *state, size_t room) {
  checkRoom(room, count);
  return decodeText(to, from, most, count, stateOr(state, g_mbsnrtowcs));
}

CULPRIT_INSTRUMENTED size_t __wcsrtombs_chk(char *to, const wchar_t **from, size_t count,
                                            mbstate_t *state, size_t room) {
  checkRoom(room, count);
  return encodeText(to, from, SIZE_MAX, count, stateOr(state, g_wcsrtombs));
}

CULPRIT_INSTRUMENTED size_t __wcsnrtombs_chk(char *to, const wchar_t **from, size_t most,
                                             size_t count, mbstate_t *state, size_t room) {
  checkRoom(room, count);
  return encodeText(to, from, most, count, stateOr(state, g_wcsnrtombs));
}

} // namespace culprit
