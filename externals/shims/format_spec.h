// One conversion of a printf format, such as "%-8.3ld".
//
// Formats are read in one of two ways. In order: the arguments are fetched as their conversions
// come. By position: as soon as the first conversion says "%1$", or something unknown, the format
// is read again from the start, all arguments are fetched, then the conversions that were not done
// yet are. The two differ in odd cases, which are glibc's: widths that are too large are an error
// in order and are ignored by position, and an unfinished conversion is an error in order and
// printed by position.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_SPEC_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_SPEC_H

#include <stdarg.h>
#include <stddef.h>

namespace culprit {

struct FormatSpec {
  bool isAlternate = false;      ///< '#'
  bool hasSpace = false;         ///< ' '
  bool hasPlus = false;          ///< '+'
  bool isLeft = false;           ///< '-'
  bool isGrouped = false;        ///< '\''
  bool usesLocaleDigits = false; ///< 'I'
  bool isChar = false;           ///< "hh"
  bool isShort = false;          ///< "h"
  bool isLong = false;           ///< "l", and all that is as long
  bool isLongDouble = false;     ///< "L", "q", "ll"
  char padding = ' ';            ///< ' ' or '0'
  int width = 0;
  int precision = -1;  ///< -1 when there is none
  unsigned letter = 0; ///< the conversion's last character
};

/// How an argument is passed.
enum class ArgumentKind : unsigned char {
  kNone,
  kInt,
  kLong,
  kDouble,
  kLongDouble,
  kPointer,
};

union FormatArgument {
  int asInt;
  long asLong;
  double asDouble;
  long double asLongDouble;
  void *asPointer;
};

ArgumentKind argumentKind(const FormatSpec &spec);

/// A va_list that can be passed by reference everywhere.
struct ArgumentList {
  va_list list;
};

FormatArgument fetchArgument(ArgumentKind kind, ArgumentList &arguments);

enum class InOrder {
  kKnown,      ///< the cursor is behind the letter
  kByPosition, ///< the format has to be read by position
  kFailed,     ///< errno is set
};

/// Reads the conversion whose '%' is in front of `cursor`; a '*' takes its argument.
template <typename Unit>
InOrder readInOrder(const Unit *&cursor, FormatSpec &spec, ArgumentList &arguments);

/// A conversion that was read by position. Arguments are numbered from 0; -1 is none.
struct PlacedSpec {
  FormatSpec spec;
  ArgumentKind kind;
  int widthArgument = -1;
  int precisionArgument = -1;
  int argument = -1;
};

/// Reads the conversion whose '%' is in front of `cursor` and goes to its end. `following` is the
/// first argument that no conversion has taken by order, `count` the number of all known so far.
template <typename Unit>
void readByPosition(const Unit *&cursor, PlacedSpec &placed, size_t &following, size_t &count);

} // namespace culprit
#endif
