// See scan_match.h.
#include "externals/shims/scan_match.h"

#include <string.h>
#include <wctype.h>

namespace culprit {
namespace {

int formCount(const char *) {
  return static_cast<int>(localeCharacter(_NL_CTYPE_INDIGITS_MB_LEN));
}

int formCount(const wchar_t *) {
  return static_cast<int>(localeCharacter(_NL_CTYPE_INDIGITS_WC_LEN));
}

bool writeExtra(char *bytes, wint_t digit) {
  mbstate_t state{};
  size_t length = wcrtomb(bytes, static_cast<wchar_t>(digit), &state);
  if (length == static_cast<size_t>(-1))
    return false;
  bytes[length] = 0;
  return true;
}

bool writeExtra(wchar_t *character, wint_t digit) {
  *character = static_cast<wchar_t>(digit);
  return true;
}

} // namespace

template <> bool hasSeparator<char>() {
  return *localeText(THOUSEP) != 0;
}

template <> bool hasSeparator<wchar_t>() {
  return localeCharacter(_NL_NUMERIC_THOUSANDS_SEP_WC) != 0;
}

template <typename Unit> LocaleDigits<Unit>::LocaleDigits() {
  lastForm_ = formCount(static_cast<const Unit *>(nullptr)) - 1;
  wctrans_t map = wctrans("to_inpunct");
  hasExtra_ = map != nullptr;
  for (int digit = 0; digit < 10 && hasExtra_; ++digit)
    hasExtra_ = writeExtra(extra_[digit], towctrans(L'0' + digit, map));
  lastForm_ += hasExtra_ ? 1 : 0;
}

template <> int LocaleDigits<char>::matchForm(ScanInput<char> &input, int form, int &width) const {
  bool isExtra = hasExtra_ && form == lastForm_;
  for (int digit = 0; digit < 10; ++digit) {
    const char *bytes = extra_[digit];
    if (!isExtra) {
      bytes = localeText(static_cast<nl_item>(_NL_CTYPE_INDIGITS0_MB + digit));
      for (int i = 0; i < form; ++i)
        bytes += strlen(bytes) + 1;
    }
    ScanMatch match(input, bytes, width);
    if (match.isComplete()) {
      width = width > 0 ? match.left() : width;
      return digit;
    }
    match.giveBack();
  }
  return -1;
}

template <> int LocaleDigits<wchar_t>::matchForm(ScanInput<wchar_t> &input, int form, int &) const {
  bool isExtra = hasExtra_ && form == lastForm_;
  for (int digit = 0; digit < 10; ++digit) {
    auto *forms = reinterpret_cast<const wchar_t *>(
        localeText(static_cast<nl_item>(_NL_CTYPE_INDIGITS0_WC + digit)));
    wchar_t character = isExtra ? extra_[digit][0] : forms[form];
    if (input.current() == input.toNumber(character))
      return digit;
  }
  return -1;
}

template <typename Unit> int LocaleDigits<Unit>::match(ScanInput<Unit> &input, int &width) {
  for (int form = firstForm_; form <= lastForm_; ++form) {
    int digit = matchForm(input, form, width);
    if (digit < 0)
      continue;
    if (form != lastForm_)
      hasExtra_ = false;
    firstForm_ = lastForm_ = form;
    return digit;
  }
  return -1;
}

template class LocaleDigits<char>;
template class LocaleDigits<wchar_t>;

} // namespace culprit
