// The policy table: what happens at each call that leaves the program's code.
//
// The table itself is externals/policy.txt, which says what its words mean. Everything that treats
// foreign functions reads it through here; a word that is not known is an error.
#ifndef CULPRIT_EXTERNALS_POLICY_POLICY_H
#define CULPRIT_EXTERNALS_POLICY_POLICY_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

enum class Category { Shim, Pure, Model, Observe, Refuse };

/// How many bytes a call reads or writes at an argument.
struct ExternalSize {
  enum class Kind { None, Bytes, Argument, Pointed, Result, Text };
  Kind kind = Kind::None;
  uint64_t bytes = 0;  ///< Bytes: how many; Argument, Pointed and Result: times this many
  unsigned first = 0;  ///< Argument and Pointed: its number, from 1
  unsigned second = 0; ///< Argument and Pointed: times the value of this argument, if not 0
};

/// What a call does with one argument, or what its result is.
struct ExternalRole {
  std::string word;
  ExternalSize size;
  unsigned argument = 0; ///< of results that are, or point into, an argument
};

struct ExternalFunction {
  std::string name; ///< ends with '*' where the row stands for all names that begin so
  Category category = Category::Observe;
  std::vector<ExternalRole> arguments;
  bool isVariadic = false;
  ExternalRole result;
  std::vector<std::string> effects;
  std::string reason;    ///< of what is observed or refused
  std::string signature; ///< the row's words for arguments, result and effects
};

class Policy {
public:
  /// Throws Failure that names `file`, the line and the word that is wrong.
  static Policy parse(std::string_view text, const std::string &file);

  /// The row for `name`: its own, else the longest one with '*' that fits; null if there is none.
  const ExternalFunction *find(const std::string &name) const;
  const std::map<std::string, ExternalFunction> &rows() const { return rows_; }

private:
  std::map<std::string, ExternalFunction> rows_;
};

/// The table that this culprit was built with.
const Policy &policy();

const char *categoryWord(Category category);

} // namespace culprit
#endif
