// What is known of one input after it was located, as far as grouping needs it. It is read from the
// JSON of `culprit locate`, which is also what is kept between two calls of `culprit triage`.
#ifndef CULPRIT_ANALYSIS_TRIAGE_LOCATED_H
#define CULPRIT_ANALYSIS_TRIAGE_LOCATED_H

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace culprit {

struct SourcePlace {
  std::string file; ///< empty: not known
  int64_t line = 0;
  int64_t column = 0;
  std::string function;

  auto operator<=>(const SourcePlace &) const = default;
};

struct LocatedCause {
  SourcePlace place;
  std::string variable; ///< that is defined there, or empty
  std::string why;      ///< a sentence
};

struct LocatedFailure {
  std::string kind;
  std::string message;
  SourcePlace place;
};

struct Located {
  std::string verdict;                   ///< of `culprit locate --json`
  std::string reason;                    ///< of verdicts without a cause: a sentence
  std::optional<LocatedCause> cause;     ///< the likeliest
  std::optional<LocatedFailure> failure; ///< of the unaltered run
  int64_t runs = 0;                      ///< all together
  double seconds = 0;
};

/// Nothing when the text is no result of `culprit locate`: damaged, or by another hand.
std::optional<Located> parseLocated(std::string_view json);

struct LocatedInput {
  std::filesystem::path path;
  uint64_t bytes = 0;
  std::string hash; ///< of its content
  Located located;
};

} // namespace culprit
#endif
