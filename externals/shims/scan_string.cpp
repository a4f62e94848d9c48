// Characters, words and sets for scanf, stored where the program says or in blocks of its heap, and
// converted by the locale's encoding where input and strings are of different kinds.
#include "externals/shims/scan_convert.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

namespace culprit {

// A call of free costs as much as scanning three letters: none without a block.
ScanBlocks::~ScanBlocks() {
  if (block_)
    free(block_);
}

bool ScanBlocks::open(void **slot) {
  if (count_ == room_) {
    Slot *larger = static_cast<Slot *>(realloc(block_, 2 * room_ * sizeof(Slot)));
    if (!larger)
      return false;
    if (!block_)
      memcpy(larger, few_, sizeof few_);
    block_ = slots_ = larger;
    room_ *= 2;
  }
  slots_[count_++].place = slot;
  isOpen_ = true;
  return true;
}

void ScanBlocks::release(bool all) {
  size_t kept = all ? 0 : isOpen_ ? count_ - 1 : count_;
  for (; count_ > kept; --count_) {
    void **place = slots_[count_ - 1].place;
    free(*place);
    *place = nullptr;
  }
}

namespace {

constexpr size_t kFailed = static_cast<size_t>(-1);
constexpr size_t kIncomplete = static_cast<size_t>(-2);

/// Where a string goes: nowhere, to memory of the program's, or to a block that grows.
template <typename Out> class Target {
public:
  Target(const ScanSpec &spec, ScanBlocks &blocks) : spec_(spec), blocks_(blocks) {}

  ScanStep open(ScanArguments &arguments, size_t size) {
    if (spec_.isSuppressed)
      return ScanStep::kDone;
    void *place = arguments.take(spec_);
    if (!place)
      return ScanStep::kMismatch;
    next_ = static_cast<Out *>(place);
    if (!spec_.isAllocated)
      return ScanStep::kDone;
    slot_ = static_cast<void **>(place);
    size_ = size;
    *slot_ = malloc(size * sizeof(Out));
    next_ = start();
    return *slot_ && blocks_.open(slot_) ? ScanStep::kDone : ScanStep::kNoMemory;
  }

  bool isOpen() const { return next_ != nullptr; }

  /// Whether there is room for `count` more.
  bool makeRoom(size_t count) {
    if (!slot_)
      return true;
    size_t used = next_ - start();
    if (used + count <= size_)
      return true;
    size_t size = 2 * size_ + count;
    void *larger = realloc(*slot_, size * sizeof(Out));
    if (!larger)
      return false;
    *slot_ = larger;
    next_ = start() + used;
    size_ = size;
    return true;
  }

  void put(Out unit) { *next_++ = unit; }
  /// Leaves what is there.
  void skip() { ++next_; }

  void finish() {
    if (!slot_)
      return;
    size_t used = next_ - start();
    if (void *exact = used == size_ ? nullptr : realloc(*slot_, used * sizeof(Out)))
      *slot_ = exact;
    blocks_.close();
  }

private:
  Out *start() const { return static_cast<Out *>(*slot_); }

  const ScanSpec &spec_;
  ScanBlocks &blocks_;
  Out *next_ = nullptr;
  void **slot_ = nullptr;
  size_t size_ = 0;
};

/// Puts characters of the input into a target.
template <typename Unit, typename Out> class Transfer;

template <typename Unit> class Transfer<Unit, Unit> {
public:
  static ScanStep put(ScanInput<Unit> &input, Target<Unit> &target) {
    if (!target.isOpen())
      return ScanStep::kDone;
    if (!target.makeRoom(1))
      return ScanStep::kNoMemory;
    target.put(static_cast<Unit>(input.current()));
    return ScanStep::kDone;
  }
  static bool end(Target<Unit> &target) {
    if (!target.makeRoom(1))
      return false;
    target.put(0);
    return true;
  }
};

template <> class Transfer<char, wchar_t> {
public:
  /// Takes the other bytes of the character, too.
  ScanStep put(ScanInput<char> &input, Target<wchar_t> &target) {
    wchar_t character;
    for (;;) {
      size_t length = putByte(input, character);
      if (length == 1)
        break;
      if (length != kIncomplete || input.next() == input.kEnd)
        return ScanStep::kBadEncoding;
    }
    if (!target.isOpen())
      return ScanStep::kDone;
    if (!target.makeRoom(1))
      return ScanStep::kNoMemory;
    target.put(character);
    return ScanStep::kDone;
  }

  /// What mbrtowc says of the current byte.
  size_t putByte(const ScanInput<char> &input, wchar_t &character) {
    char byte = static_cast<char>(input.current());
    return mbrtowc(&character, &byte, 1, &state_);
  }

  static bool end(Target<wchar_t> &target) { return Transfer<wchar_t, wchar_t>::end(target); }

private:
  mbstate_t state_{};
};

template <> class Transfer<wchar_t, char> {
public:
  ScanStep put(ScanInput<wchar_t> &input, Target<char> &target) {
    if (!target.isOpen())
      return ScanStep::kDone;
    return add(static_cast<wchar_t>(input.current()), target);
  }

  /// A zero that ends the encoding's state, and, as in glibc, another one.
  bool end(Target<char> &target) {
    if (add(0, target) != ScanStep::kDone || !target.makeRoom(1))
      return false;
    target.put(0);
    return true;
  }

private:
  ScanStep add(wchar_t character, Target<char> &target) {
    char bytes[MB_LEN_MAX];
    size_t length = wcrtomb(bytes, character, &state_);
    if (length == kFailed)
      return ScanStep::kBadEncoding;
    if (!target.makeRoom(length))
      return ScanStep::kNoMemory;
    for (size_t i = 0; i < length; ++i)
      target.put(bytes[i]);
    return ScanStep::kDone;
  }

  mbstate_t state_{};
};

/// The characters between the brackets of a set.
template <typename Unit> class Set;

template <> class Set<char> {
public:
  /// False when the format ends in it.
  bool read(const char *&cursor) {
    isInverted_ = *cursor == '^';
    cursor += isInverted_ ? 1 : 0;
    auto *next = reinterpret_cast<const unsigned char *>(cursor);
    if (*next == ']' || *next == '-')
      isIn_[*next++] = true;
    unsigned char unit;
    while ((unit = *next++) != 0 && unit != ']') {
      bool isRange = unit == '-' && *next != 0 && *next != ']' && next[-2] <= *next;
      for (unsigned each = next[-2]; isRange && each < *next; ++each)
        isIn_[each] = true;
      isIn_[unit] |= !isRange;
    }
    cursor = reinterpret_cast<const char *>(next);
    return unit != 0;
  }

  bool has(int64_t unit) const { return isIn_[unit] != isInverted_; }

private:
  bool isIn_[UCHAR_MAX + 1] = {};
  bool isInverted_ = false;
};

template <> class Set<wchar_t> {
public:
  bool read(const wchar_t *&cursor) {
    isInverted_ = *cursor == '^';
    cursor += isInverted_ ? 1 : 0;
    start_ = cursor;
    if (*cursor == ']')
      ++cursor;
    while (*cursor != 0 && *cursor != ']')
      ++cursor;
    end_ = cursor;
    return *cursor++ != 0;
  }

  bool has(int64_t unit) const { return isListed(static_cast<wchar_t>(unit)) != isInverted_; }

private:
  bool isListed(wchar_t unit) const {
    for (const wchar_t *each = start_; each < end_;) {
      bool isRange = *each == '-' && each + 1 != end_ && each != start_ &&
                     static_cast<unsigned>(each[-1]) <= static_cast<unsigned>(each[1]);
      if (isRange ? unit > each[-1] && unit <= each[1] : unit == *each)
        return true;
      each += isRange ? 2 : 1;
    }
    return false;
  }

  const wchar_t *start_ = nullptr;
  const wchar_t *end_ = nullptr;
  bool isInverted_ = false;
};

/// How many characters a field may have; negative for any number.
struct Width {
  int left;

  /// Whether there may be another one.
  bool goesOn() {
    if (left > 0)
      --left;
    return left != 0;
  }
};

/// c
template <typename Unit, typename Out>
ScanStep scanCharacters(ScanInput<Unit> &input, int width, Target<Out> &target) {
  Transfer<Unit, Out> transfer;
  if (input.next() == input.kEnd)
    return ScanStep::kInputEnded;
  do {
    ScanStep step = transfer.put(input, target);
    if (step == ScanStep::kBadEncoding && sizeof(Unit) > sizeof(Out))
      return ScanStep::kInputEnded; // as glibc has it
    if (step != ScanStep::kDone)
      return step;
  } while (--width > 0 && input.next() != input.kEnd);
  return ScanStep::kDone;
}

/// s
template <typename Unit, typename Out>
ScanStep scanWord(ScanInput<Unit> &input, Width width, Target<Out> &target) {
  Transfer<Unit, Out> transfer;
  if (input.next() == input.kEnd)
    return ScanStep::kInputEnded;
  do {
    if (input.isSpace()) {
      input.giveBack();
      break;
    }
    if (ScanStep step = transfer.put(input, target); step != ScanStep::kDone)
      return step;
  } while (width.goesOn() && input.next() != input.kEnd);
  return !target.isOpen() || transfer.end(target) ? ScanStep::kDone : ScanStep::kNoMemory;
}

/// [ where a unit of the input is one of the string, or becomes several.
template <typename Unit, typename Out>
ScanStep takeSet(ScanInput<Unit> &input, Width width, const Set<Unit> &set,
                 Transfer<Unit, Out> &transfer, Target<Out> &target) {
  do {
    if (!set.has(input.current())) {
      input.giveBack();
      break;
    }
    if (ScanStep step = transfer.put(input, target); step != ScanStep::kDone)
      return step;
  } while (width.goesOn() && input.next() != input.kEnd);
  return ScanStep::kDone;
}

/// [ for wide strings in narrow input: the set is one of bytes, and bytes that are no character
/// leave a hole in the string.
ScanStep takeSet(ScanInput<char> &input, Width width, const Set<char> &set,
                 Transfer<char, wchar_t> &transfer, Target<wchar_t> &target) {
  bool isInside = false;
  do {
    if (!set.has(input.current())) {
      input.giveBack();
      break;
    }
    if (target.isOpen()) {
      wchar_t character;
      size_t length = transfer.putByte(input, character);
      isInside = length == kIncomplete;
      if (isInside)
        continue;
      if (!target.makeRoom(1))
        return ScanStep::kNoMemory;
      if (length == kFailed)
        target.skip();
      else
        target.put(character);
    }
    if (!width.goesOn())
      break;
  } while (input.next() != input.kEnd);
  return isInside ? ScanStep::kBadEncoding : ScanStep::kDone;
}

template <typename Unit, typename Out>
ScanStep scanSet(ScanInput<Unit> &input, Width width, const Unit *&cursor, Target<Out> &target) {
  Set<Unit> set;
  if (!set.read(cursor))
    return ScanStep::kMismatch;
  size_t before = input.count();
  if (input.next() == input.kEnd)
    return ScanStep::kInputEnded;
  Transfer<Unit, Out> transfer;
  if (ScanStep step = takeSet(input, width, set, transfer, target); step != ScanStep::kDone)
    return step;
  if (input.count() == before)
    return ScanStep::kMismatch;
  return !target.isOpen() || transfer.end(target) ? ScanStep::kDone : ScanStep::kNoMemory;
}

template <typename Out, typename Unit>
ScanStep scanInto(ScanInput<Unit> &input, const ScanSpec &spec, const Unit *&cursor,
                  ScanArguments &arguments, ScanBlocks &blocks) {
  constexpr size_t kFirst = 100;
  Target<Out> target(spec, blocks);
  if (ScanStep step = target.open(arguments, kFirst); step != ScanStep::kDone)
    return step;
  ScanStep step = ScanStep::kDone;
  if (spec.letter == '[')
    step = scanSet(input, Width{spec.width}, cursor, target);
  else if (spec.letter == 's' || spec.letter == 'S')
    step = scanWord(input, Width{spec.width}, target);
  else
    step = scanCharacters(input, spec.width, target);
  if (step == ScanStep::kDone)
    target.finish();
  return step;
}

} // namespace

template <typename Unit>
ScanStep scanString(ScanInput<Unit> &input, ScanSpec spec, const Unit *&cursor,
                    ScanArguments &arguments, ScanBlocks &blocks) {
  bool isWide = spec.isLong || spec.letter == 'C' || spec.letter == 'S';
  return isWide ? scanInto<wchar_t>(input, spec, cursor, arguments, blocks)
                : scanInto<char>(input, spec, cursor, arguments, blocks);
}

template ScanStep scanString(ScanInput<char> &, ScanSpec, const char *&, ScanArguments &,
                             ScanBlocks &);
template ScanStep scanString(ScanInput<wchar_t> &, ScanSpec, const wchar_t *&, ScanArguments &,
                             ScanBlocks &);

} // namespace culprit
