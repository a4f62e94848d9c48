// The walk through a printf format: see format.h, and format_spec.h for the two ways to read it.
#include "externals/shims/format.h"

#include "externals/shims/format_convert.h"
#include "externals/shims/format_fortify.h"
#include "externals/shims/format_libc.h"

#include <stdlib.h>

namespace culprit {
namespace {

/// Mostly the next one is near: that costs no call.
const char *findPercent(const char *text) {
  constexpr int kNear = 8;
  for (int i = 0; i < kNear; ++i, ++text)
    if (*text == 0 || *text == '%')
      return text;
  return strchrnul(text, '%');
}

const wchar_t *findPercent(const wchar_t *text) {
  while (*text != 0 && *text != '%')
    ++text;
  return text;
}

/// The kinds and values of a format's arguments, read by position.
class PlacedArguments {
public:
  PlacedArguments() = default;
  ~PlacedArguments() { free(block_); }
  PlacedArguments(const PlacedArguments &) = delete;
  PlacedArguments &operator=(const PlacedArguments &) = delete;

  /// Makes room for `count` arguments that no conversion has used yet.
  bool makeRoom(size_t count) {
    count_ = count;
    if (count > kFew) {
      block_ = static_cast<Slot *>(calloc(count, sizeof(Slot)));
      slots_ = block_;
    }
    return slots_ != nullptr;
  }

  void use(int number, ArgumentKind kind) {
    if (number >= 0 && kind != ArgumentKind::kNone)
      slots_[number].kind = kind;
  }

  /// Arguments that nothing uses count as ints, or end a fortified program.
  void fetch(ArgumentList &arguments, bool isFortified) {
    for (size_t i = 0; i < count_; ++i) {
      if (slots_[i].kind == ArgumentKind::kNone && isFortified)
        dieOfMissingPosition();
      bool isUsed = slots_[i].kind != ArgumentKind::kNone;
      slots_[i].value = fetchArgument(isUsed ? slots_[i].kind : ArgumentKind::kInt, arguments);
    }
  }

  const FormatArgument &operator[](int number) const { return slots_[number].value; }

private:
  struct Slot {
    FormatArgument value;
    ArgumentKind kind;
  };
  static constexpr size_t kFew = 16;
  Slot few_[kFew] = {};
  Slot *slots_ = few_;
  Slot *block_ = nullptr;
  size_t count_ = 0;
};

template <typename Unit> class Formatter {
public:
  Formatter(BasicSink<Unit> &sink, const Unit *format, va_list arguments, bool isFortified)
      : out_(sink), format_(format), errorAtEntry_(errno), isFortified_(isFortified) {
    va_copy(arguments_.list, arguments);
    va_copy(allArguments_.list, arguments);
  }
  ~Formatter() {
    va_end(arguments_.list);
    va_end(allArguments_.list);
  }
  Formatter(const Formatter &) = delete;
  Formatter &operator=(const Formatter &) = delete;

  int run() { return formatInOrder() ? out_.count() : -1; }

private:
  bool formatInOrder();
  bool formatByPosition(size_t alreadyDone);
  template <typename Visit> size_t visitPlaced(Visit visit) const;
  bool findArguments(PlacedArguments &found);
  bool putText(const Unit *&cursor);
  bool convert(const FormatSpec &spec, const FormatArgument &argument);
  bool storeCount(const FormatSpec &spec, void *place);

  Output<Unit> out_;
  const Unit *format_;
  ArgumentList arguments_;
  ArgumentList allArguments_;
  int errorAtEntry_;
  bool isFortified_;
  bool isKnownReadOnly_ = false;
};

/// Puts what is in front of the next conversion and goes there.
template <typename Unit> bool Formatter<Unit>::putText(const Unit *&cursor) {
  const Unit *text = cursor;
  cursor = findPercent(text);
  return out_.put(text, cursor - text);
}

/// "%d", "%ld", "%s" and the like are most conversions: they are read without a call. Whether this
/// is one; the cursor is behind it then.
template <typename Unit>
bool readPlain(const Unit *&cursor, FormatSpec &spec, FormatArgument &argument,
               ArgumentList &arguments) {
  switch (*cursor) {
  case 'd':
  case 'u':
  case 'x':
  case 'c':
    argument.asInt = va_arg(arguments.list, int);
    break;
  case 'l':
    if (cursor[1] != 'd' && cursor[1] != 'u' && cursor[1] != 'x')
      return false;
    ++cursor;
    spec.isLong = true;
    argument.asLong = va_arg(arguments.list, long);
    break;
  case 's':
    argument.asPointer = va_arg(arguments.list, void *);
    break;
  case '%':
    break;
  default:
    return false;
  }
  spec.letter = *cursor++;
  return true;
}

template <typename Unit> bool Formatter<Unit>::formatInOrder() {
  const Unit *cursor = format_;
  for (size_t done = 0;; ++done) {
    if (!putText(cursor))
      return false;
    if (*cursor == 0)
      return true;
    ++cursor;
    FormatSpec spec;
    FormatArgument argument;
    if (!readPlain(cursor, spec, argument, arguments_)) {
      InOrder found = readInOrder(cursor, spec, arguments_);
      if (found == InOrder::kByPosition)
        return formatByPosition(done);
      if (found == InOrder::kFailed)
        return false;
      argument = fetchArgument(argumentKind(spec), arguments_);
    }
    if (!convert(spec, argument))
      return false;
  }
}

/// Calls `visit` with each conversion, read by position; gives the number of arguments.
template <typename Unit>
template <typename Visit>
size_t Formatter<Unit>::visitPlaced(Visit visit) const {
  size_t following = 0;
  size_t count = 0;
  for (const Unit *cursor = findPercent(format_); *cursor != 0; cursor = findPercent(cursor)) {
    PlacedSpec placed;
    readByPosition(++cursor, placed, following, count);
    visit(placed);
  }
  return following > count ? following : count;
}

/// Which arguments all conversions of the format use, and their values.
template <typename Unit> bool Formatter<Unit>::findArguments(PlacedArguments &found) {
  if (!found.makeRoom(visitPlaced([](const PlacedSpec &) {})))
    return false;
  visitPlaced([&](const PlacedSpec &placed) {
    found.use(placed.widthArgument, ArgumentKind::kInt);
    found.use(placed.precisionArgument, ArgumentKind::kInt);
    found.use(placed.argument, placed.kind);
  });
  found.fetch(allArguments_, isFortified_);
  return true;
}

/// Widths and precisions that are arguments.
void applyStars(PlacedSpec &placed, const PlacedArguments &arguments) {
  FormatSpec &spec = placed.spec;
  if (placed.widthArgument >= 0)
    spec.width = arguments[placed.widthArgument].asInt;
  if (spec.width < 0) {
    spec.width = wrappedMinus(0, static_cast<size_t>(spec.width));
    spec.isLeft = true;
  }
  if (placed.precisionArgument >= 0) {
    int precision = arguments[placed.precisionArgument].asInt;
    spec.precision = precision < 0 ? -1 : precision;
  }
}

template <typename Unit> bool Formatter<Unit>::formatByPosition(size_t alreadyDone) {
  PlacedArguments arguments;
  if (!findArguments(arguments))
    return false;
  size_t following = 0;
  size_t count = 0;
  const Unit *cursor = findPercent(format_);
  for (size_t done = 0; *cursor != 0; ++done) {
    PlacedSpec placed;
    readByPosition(++cursor, placed, following, count);
    if (done < alreadyDone) {
      cursor = findPercent(cursor);
      continue;
    }
    applyStars(placed, arguments);
    bool isDone = placed.kind != ArgumentKind::kNone
                      ? convert(placed.spec, arguments[placed.argument])
                      : convert(placed.spec, FormatArgument{});
    if (!isDone || !putText(cursor))
      return false;
  }
  return true;
}

template <typename Unit>
bool Formatter<Unit>::convert(const FormatSpec &spec, const FormatArgument &argument) {
  switch (spec.letter) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
    return putInteger(out_, spec, argument);
  case 's':
  case 'S':
    return putString(out_, spec, argument.asPointer);
  case 'c':
  case 'C':
    return putCharacter(out_, spec, argument.asInt);
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return putFloat(out_, spec, argument);
  case 'p':
    return putPointer(out_, spec, argument.asPointer);
  case 'm':
    return putError(out_, spec, errorAtEntry_);
  case 'n':
    return storeCount(spec, argument.asPointer);
  case '%':
    return out_.putOne('%');
  default:
    return putUnknown(out_, spec);
  }
}

template <typename Unit> bool Formatter<Unit>::storeCount(const FormatSpec &spec, void *place) {
  if (isFortified_ && !isKnownReadOnly_) {
    size_t length = findPercent(format_) - format_;
    while (format_[length] != 0)
      ++length;
    if (!isReadOnlyMemory(format_, (length + 1) * sizeof(Unit)))
      dieOfWritableFormat();
    isKnownReadOnly_ = true;
  }
  int count = out_.count();
  if (spec.isLong)
    *static_cast<long *>(place) = count;
  else if (spec.isChar)
    *static_cast<char *>(place) = static_cast<char>(count);
  else if (spec.isShort)
    *static_cast<short *>(place) = static_cast<short>(count);
  else
    *static_cast<int *>(place) = count;
  return true;
}

template <typename Unit>
int formatUnits(BasicSink<Unit> &sink, const Unit *format, va_list arguments, bool isFortified) {
  if (!format) {
    errno = EINVAL;
    return -1;
  }
  return Formatter<Unit>(sink, format, arguments, isFortified).run();
}

} // namespace

int formatTo(Sink &sink, const char *format, va_list arguments, bool isFortified) {
  return formatUnits(sink, format, arguments, isFortified);
}

int formatTo(WideSink &sink, const wchar_t *format, va_list arguments, bool isFortified) {
  return formatUnits(sink, format, arguments, isFortified);
}

} // namespace culprit
