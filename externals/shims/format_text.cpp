// Characters and strings for printf. Those of the other kind, wide ones in narrow output and the
// reverse, are converted a character at a time by the locale's encoding.
#include "externals/shims/format_convert.h"

#include <stdlib.h>

namespace culprit {
namespace {

constexpr size_t kFailed = static_cast<size_t>(-1);

size_t lengthOf(const char *string, int precision) {
  return precision < 0 ? strlen(string) : strnlen(string, precision);
}

size_t lengthOf(const wchar_t *string, int precision) {
  return precision < 0 ? wcslen(string) : wcsnlen(string, precision);
}

/// Converts a string of the other kind, piece by piece.
template <typename Unit> class Converter;

template <> class Converter<char> {
public:
  explicit Converter(const wchar_t *string) : rest_(string) {}

  /// The next characters of the string that fit in `limit`; 0 when none does, or at its end.
  size_t next(char *buffer, size_t limit) {
    size_t used = 0;
    while (used < limit && rest_) {
      char bytes[MB_LEN_MAX];
      mbstate_t stateBefore = state_;
      size_t length = wcrtomb(bytes, *rest_, &state_);
      if (length == kFailed)
        return isTooLarge(*rest_, limit - used, stateBefore) ? used : kFailed;
      if (*rest_ == 0) {
        rest_ = nullptr;
        break;
      }
      if (length > limit - used)
        break;
      memcpy(buffer + used, bytes, length);
      used += length;
      ++rest_;
    }
    return used;
  }

private:
  /// Whether a character that cannot be converted would not have fitted either: some encodings look
  /// at the room first.
  bool isTooLarge(wchar_t character, size_t room, mbstate_t state) const {
    char bytes[MB_LEN_MAX];
    const wchar_t string[] = {character, 0};
    const wchar_t *rest = string;
    int error = errno;
    bool isIt = room < MB_LEN_MAX && wcsrtombs(bytes, &rest, room, &state) != kFailed;
    errno = isIt ? errorBefore_ : error;
    return isIt;
  }

  const wchar_t *rest_;
  int errorBefore_ = errno;
  mbstate_t state_{};
};

template <> class Converter<wchar_t> {
public:
  explicit Converter(const char *string) : rest_(string) {}

  size_t next(wchar_t *buffer, size_t limit) {
    constexpr size_t kIncomplete = static_cast<size_t>(-2);
    size_t used = 0;
    while (used < limit && rest_) {
      char byte = *rest_++;
      size_t length = mbrtowc(&buffer[used], &byte, 1, &state_);
      if (length == kFailed)
        return kFailed;
      if (length == 0)
        rest_ = nullptr;
      else if (length != kIncomplete)
        ++used;
    }
    return used;
  }

private:
  const char *rest_;
  mbstate_t state_{};
};

/// As much at a time as glibc: what was converted in front of a bad character gets lost with it.
template <typename Unit> constexpr size_t kPieceRoom = 256 / sizeof(Unit);

/// Hands the converted string to `take(units, length)`, at most `precision` units when that is not
/// negative; gives their number, or kFailed.
template <typename Unit, typename Other, typename Take>
size_t convertAll(const Other *string, int precision, Take take) {
  Converter<Unit> converter(string);
  Unit buffer[kPieceRoom<Unit>];
  size_t total = 0;
  size_t limit = precision < 0 ? SIZE_MAX : precision;
  while (total < limit) {
    size_t room = limit - total < kPieceRoom<Unit> ? limit - total : kPieceRoom<Unit>;
    size_t length = converter.next(buffer, room);
    if (length == kFailed || (length != 0 && !take(buffer, length)))
      return kFailed;
    if (length == 0)
      break;
    total += length;
  }
  return total;
}

template <typename Unit, typename Other>
bool putConverted(Output<Unit> &out, const FormatSpec &spec, const Other *string) {
  if (spec.width > 0 && !spec.isLeft) {
    size_t length =
        convertAll<Unit>(string, spec.precision, [](const Unit *, size_t) { return true; });
    if (length == kFailed && spec.precision >= 0)
      return false;
    if (length < static_cast<size_t>(spec.width) &&
        !out.pad(' ', spec.width - static_cast<int>(length)))
      return false;
  }
  size_t length = convertAll<Unit>(string, spec.precision, [&](const Unit *units, size_t count) {
    return out.put(units, count);
  });
  if (length == kFailed)
    return false;
  if (spec.width <= 0 || !spec.isLeft || length >= static_cast<size_t>(spec.width))
    return true;
  return out.pad(' ', spec.width - static_cast<int>(length));
}

template <typename Unit> bool putNull(Output<Unit> &out, const FormatSpec &spec) {
  const Unit kNull[] = {'(', 'n', 'u', 'l', 'l', ')'};
  constexpr int kLength = sizeof kNull / sizeof(Unit);
  bool fits = spec.precision < 0 || spec.precision >= kLength;
  return putAligned(out, spec, kNull, fits ? kLength : 0);
}

bool isWideCharacter(const FormatSpec &spec) {
  return spec.letter == 'C' || spec.letter == 'S' || spec.isLong;
}

bool putOwn(Output<char> &out, const FormatSpec &spec, const char *string) {
  return putAligned(out, spec, string, lengthOf(string, spec.precision));
}

bool putOwn(Output<wchar_t> &out, const FormatSpec &spec, const wchar_t *string) {
  return putAligned(out, spec, string, lengthOf(string, spec.precision));
}

bool putNarrow(Output<char> &out, const FormatSpec &spec, const char *string) {
  return putOwn(out, spec, string);
}

bool putNarrow(Output<wchar_t> &out, const FormatSpec &spec, const char *string) {
  return putConverted(out, spec, string);
}

bool putWide(Output<char> &out, const FormatSpec &spec, const wchar_t *string) {
  return putConverted(out, spec, string);
}

bool putWide(Output<wchar_t> &out, const FormatSpec &spec, const wchar_t *string) {
  return putOwn(out, spec, string);
}

} // namespace

template <typename Unit>
bool putAligned(Output<Unit> &out, const FormatSpec &spec, const Unit *text, size_t length) {
  int width = wrappedMinus(spec.width, length);
  return (spec.isLeft || out.pad(' ', width)) && out.put(text, length) &&
         (!spec.isLeft || out.pad(' ', width));
}

template <> bool putCharacter(Output<char> &out, const FormatSpec &spec, int character) {
  char bytes[MB_LEN_MAX] = {static_cast<char>(character)};
  size_t length = 1;
  if (isWideCharacter(spec)) {
    mbstate_t state{};
    length = wcrtomb(bytes, character, &state);
    if (length == kFailed)
      return false;
  }
  return putAligned(out, spec, bytes, length);
}

template <> bool putCharacter(Output<wchar_t> &out, const FormatSpec &spec, int character) {
  wint_t wide = isWideCharacter(spec) ? character : btowc(static_cast<unsigned char>(character));
  int width = wrappedMinus(spec.width, 1);
  return (spec.isLeft || out.pad(' ', width)) && out.putOne(static_cast<wchar_t>(wide)) &&
         wide != WEOF && (!spec.isLeft || out.pad(' ', width));
}

template <typename Unit>
bool putString(Output<Unit> &out, const FormatSpec &spec, const void *string) {
  if (!string)
    return putNull(out, spec);
  if (isWideCharacter(spec))
    return putWide(out, spec, static_cast<const wchar_t *>(string));
  return putNarrow(out, spec, static_cast<const char *>(string));
}

template <typename Unit> bool putError(Output<Unit> &out, const FormatSpec &spec, int error) {
  constexpr size_t kLongest = 1000;
  char buffer[kLongest];
  const char *text =
      spec.isAlternate ? strerrorname_np(error) : strerror_r(error, buffer, kLongest);
  if (text)
    return putNarrow(out, spec, text);
  uint64_t magnitude = static_cast<uint64_t>(static_cast<int64_t>(error));
  return putDigits(out, spec, {error < 0 ? 0 - magnitude : magnitude, error < 0, 10});
}

template <typename Unit> bool putUnknown(Output<Unit> &out, const FormatSpec &spec) {
  auto flag = [&](bool isSet, char unit) { return !isSet || out.putOne(unit); };
  auto number = [&](int value) {
    return putDigits(out, FormatSpec{},
                     {static_cast<uint64_t>(static_cast<int64_t>(value)), false, 10});
  };
  return out.putOne('%') && flag(spec.isAlternate, '#') && flag(spec.isGrouped, '\'') &&
         flag(spec.hasPlus, '+') && flag(spec.hasSpace && !spec.hasPlus, ' ') &&
         flag(spec.isLeft, '-') && flag(spec.padding == '0', '0') &&
         flag(spec.usesLocaleDigits, 'I') && (spec.width == 0 || number(spec.width)) &&
         (spec.precision == -1 || (out.putOne('.') && number(spec.precision))) &&
         (spec.letter == 0 || out.putOne(static_cast<Unit>(spec.letter)));
}

template bool putString(Output<char> &, const FormatSpec &, const void *);
template bool putString(Output<wchar_t> &, const FormatSpec &, const void *);
template bool putError(Output<char> &, const FormatSpec &, int);
template bool putError(Output<wchar_t> &, const FormatSpec &, int);
template bool putUnknown(Output<char> &, const FormatSpec &);
template bool putUnknown(Output<wchar_t> &, const FormatSpec &);
template bool putAligned(Output<char> &, const FormatSpec &, const char *, size_t);
template bool putAligned(Output<wchar_t> &, const FormatSpec &, const wchar_t *, size_t);

} // namespace culprit
