// The walk through a scanf format: see scan.h.
#include "externals/shims/scan.h"

#include "externals/shims/scan_convert.h"

#include <stdio.h>
#include <string.h>

namespace culprit {
namespace {

template <typename Unit> class Scanner {
public:
  Scanner(BasicSource<Unit> &source, const Unit *format, va_list arguments, LetterA letterA)
      : input_(source), cursor_(format), arguments_(arguments), letterA_(letterA) {}

  int run();

private:
  ScanStep matchSequence(int length);
  ScanStep matchText();
  ScanStep matchUnit();
  ScanStep skipSpace(const ScanSpec &spec);
  ScanStep matchPercent();
  ScanStep convert();
  ScanStep convert(const ScanSpec &spec);
  void storeCount(const ScanSpec &spec);
  int multibyteLength();

  ScanInput<Unit> input_;
  const Unit *cursor_;
  ScanArguments arguments_;
  LetterA letterA_;
  ScanBlocks blocks_;
  int done_ = 0;
  bool skipsSpace_ = false; ///< the format had white space
  mbstate_t formatState_{};
};

/// How many bytes of the format are one character that is not ASCII; 0 when it is, or is none.
template <> int Scanner<char>::multibyteLength() {
  if (static_cast<signed char>(*cursor_) >= 0)
    return 0;
  int length = static_cast<int>(mbrlen(cursor_, strlen(cursor_), &formatState_));
  return length > 0 ? length : 0;
}

template <> int Scanner<wchar_t>::multibyteLength() {
  return 0;
}

/// Bytes that must be there as they are; white space in front of them is not skipped, in glibc.
template <typename Unit> ScanStep Scanner<Unit>::matchSequence(int length) {
  for (; length > 0; --length) {
    if (input_.next() == input_.kEnd)
      return ScanStep::kInputEnded;
    if (input_.current() != input_.toNumber(*cursor_++)) {
      input_.giveBack();
      return ScanStep::kMismatch;
    }
  }
  return ScanStep::kDone;
}

template <typename Unit> ScanStep Scanner<Unit>::matchUnit() {
  int64_t wanted = input_.toNumber(*cursor_++);
  if (input_.next() == input_.kEnd)
    return ScanStep::kInputEnded;
  if (skipsSpace_) {
    while (input_.isSpace())
      if (input_.next() == input_.kEnd)
        return ScanStep::kInputEnded;
    skipsSpace_ = false;
  }
  if (input_.current() == wanted)
    return ScanStep::kDone;
  input_.giveBack();
  return ScanStep::kMismatch;
}

template <typename Unit> ScanStep Scanner<Unit>::matchText() {
  if (int length = multibyteLength(); length > 0)
    return matchSequence(length);
  if (*cursor_ == '%') {
    ++cursor_;
    return convert();
  }
  if (!input_.isSpaceUnit(*cursor_))
    return matchUnit();
  skipsSpace_ = true;
  ++cursor_;
  return ScanStep::kDone;
}

template <typename Unit> ScanStep Scanner<Unit>::skipSpace(const ScanSpec &spec) {
  bool takesSpace =
      spec.letter == '[' || spec.letter == 'c' || spec.letter == 'C' || spec.letter == 'n';
  if (takesSpace && !skipsSpace_)
    return ScanStep::kDone;
  if (!input_.isAtEnd() && input_.passReadySpace()) {
    skipsSpace_ = false;
    return ScanStep::kDone;
  }
  int errorBefore = errno;
  errno = 0;
  do {
    if ((input_.isAtEnd() || input_.next() == input_.kEnd) && errno == EINTR)
      return ScanStep::kInputEnded;
  } while (input_.isSpace());
  errno = errorBefore;
  input_.giveBack();
  skipsSpace_ = false;
  return ScanStep::kDone;
}

template <typename Unit> ScanStep Scanner<Unit>::matchPercent() {
  if (input_.next() == input_.kEnd)
    return ScanStep::kInputEnded;
  if (input_.is('%'))
    return ScanStep::kDone;
  input_.giveBack();
  return ScanStep::kMismatch;
}

template <typename Unit> void Scanner<Unit>::storeCount(const ScanSpec &spec) {
  if (spec.isSuppressed)
    return;
  void *place = arguments_.take(spec);
  size_t count = input_.count();
  if (spec.isLong)
    *static_cast<long *>(place) = static_cast<long>(count);
  else if (spec.isShort)
    *static_cast<short *>(place) = static_cast<short>(count);
  else if (spec.isChar)
    *static_cast<char *>(place) = static_cast<char>(count);
  else
    *static_cast<int *>(place) = static_cast<int>(count);
}

template <typename Unit> ScanStep Scanner<Unit>::convert(const ScanSpec &spec) {
  switch (spec.letter) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'p':
    return scanInteger(input_, spec, arguments_);
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return scanFloat(input_, spec, arguments_);
  case 'c':
  case 'C':
  case 's':
  case 'S':
  case '[':
    return scanString(input_, spec, cursor_, arguments_, blocks_);
  default:
    return ScanStep::kMismatch;
  }
}

template <typename Unit> ScanStep Scanner<Unit>::convert() {
  ScanSpec spec = readScanSpec(cursor_, letterA_);
  if (spec.letter == 0)
    return ScanStep::kMismatch;
  if (ScanStep step = skipSpace(spec); step != ScanStep::kDone)
    return step;
  if (spec.letter == '%')
    return matchPercent();
  if (spec.letter == 'n') {
    storeCount(spec);
    return ScanStep::kDone;
  }
  ScanStep step = convert(spec);
  if (step == ScanStep::kDone && !spec.isSuppressed)
    ++done_;
  return step;
}

template <typename Unit> int Scanner<Unit>::run() {
  ScanStep step = ScanStep::kDone;
  while (*cursor_ != 0 && step == ScanStep::kDone)
    step = matchText();
  if (step == ScanStep::kDone && skipsSpace_) {
    do
      input_.next();
    while (input_.isSpace());
    input_.giveBack();
  }
  if (step == ScanStep::kNoMemory || (step == ScanStep::kInputEnded && done_ == 0))
    done_ = EOF;
  if (step == ScanStep::kBadEncoding)
    errno = EILSEQ;
  blocks_.release(done_ == EOF);
  return done_;
}

template <typename Unit>
int scanUnits(BasicSource<Unit> &source, const Unit *format, va_list arguments, LetterA letterA) {
  if (!format) {
    errno = EINVAL;
    return EOF;
  }
  return Scanner<Unit>(source, format, arguments, letterA).run();
}

} // namespace

int scanFrom(Source &source, const char *format, va_list arguments, LetterA letterA) {
  return scanUnits(source, format, arguments, letterA);
}

int scanFrom(WideSource &source, const wchar_t *format, va_list arguments, LetterA letterA) {
  return scanUnits(source, format, arguments, letterA);
}

} // namespace culprit
