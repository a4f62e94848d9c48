// The reader of the policy table; see policy.h and policy.txt.
#include "externals/policy/policy.h"

#include "support/diagnostics.h"

#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>

namespace culprit {
namespace {

constexpr std::string_view kCategories[] = {"shim", "pure", "model", "observe", "refuse"};
constexpr std::string_view kArguments[] = {"value",  "fd",     "string", "wstring",  "strings",
                                           "in",     "out",    "inout",  "reach-in", "reach-out",
                                           "opaque", "stream", "handle", "block",    "function",
                                           "format", "scan",   "kept",   "unused"};
constexpr std::string_view kResults[] = {"none",   "value", "count",  "status",   "error",
                                         "fd",     "new",   "text",   "slot",     "handle",
                                         "stream", "same",  "within", "noreturn", "function"};
constexpr std::string_view kEffects[] = {
    "input",       "output", "files",    "network", "process",  "signals",
    "time",        "random", "threads",  "blocks",  "memory",   "locale",
    "environment", "errno",  "terminal", "exits",   "variables"};
constexpr std::string_view kSized[] = {"in", "out", "inout", "reach-in", "reach-out", "opaque"};

constexpr uint64_t kMostArguments = 99;

template <size_t Count>
bool isOneOf(std::string_view word, const std::string_view (&words)[Count]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
      break;
    size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
  return words;
}

/// Reads one line of the table.
class Row {
public:
  Row(std::string_view line, std::string place) : place_(std::move(place)) {
    if (size_t reason = line.find(" -- "); reason != std::string_view::npos) {
      row_.reason = line.substr(reason + 4);
      line = line.substr(0, reason);
    }
    words_ = split(line);
  }

  ExternalFunction read() {
    if (words_.size() < 2)
      fail("a row is NAME CATEGORY ARGUMENTS -> RESULT EFFECTS");
    row_.name = words_[0];
    auto category = std::find(std::begin(kCategories), std::end(kCategories), words_[1]);
    if (category == std::end(kCategories))
      fail(fmt::format("'{}' is no category", words_[1]));
    row_.category = static_cast<Category>(category - std::begin(kCategories));
    bool isUnknown = row_.category == Category::Observe || row_.category == Category::Refuse;
    if (isUnknown != !row_.reason.empty())
      fail(isUnknown ? "what is observed or refused has a reason, after ' -- '"
                     : "only what is observed or refused has a reason");
    if (!isUnknown || words_.size() > 2)
      readSignature();
    return std::move(row_);
  }

private:
  void readSignature() {
    auto arrow = std::find(words_.begin(), words_.end(), "->");
    if (arrow == words_.end() || arrow + 1 == words_.end())
      fail("'-> RESULT' is missing");
    for (auto word = words_.begin() + 2; word != arrow; ++word)
      if (*word == "...")
        row_.isVariadic = true;
      else
        row_.arguments.push_back(readArgument(*word));
    row_.result = readResult(arrow[1]);
    row_.signature = fmt::format("{}", fmt::join(words_.begin() + 2, words_.end(), " "));
    for (auto word = arrow + 2; word != words_.end(); ++word) {
      if (!isOneOf(*word, kEffects))
        fail(fmt::format("'{}' is no effect", *word));
      row_.effects.emplace_back(*word);
    }
    for (const ExternalRole &role : row_.arguments)
      checkNumbers(role.size);
  }

  ExternalRole readArgument(std::string_view word) const {
    size_t bracket = word.find('[');
    std::string_view name = word.substr(0, bracket);
    if (!isOneOf(name, kArguments))
      fail(fmt::format("'{}' is no role of an argument", word));
    ExternalRole role{std::string(name), {}, 0};
    if (isOneOf(name, kSized) != (bracket != std::string_view::npos))
      fail(fmt::format("'{}': what is read, written or opaque has a size in brackets, others have "
                       "none",
                       word));
    if (bracket != std::string_view::npos) {
      if (word.back() != ']')
        fail(fmt::format("']' is missing in '{}'", word));
      role.size = readSize(word.substr(bracket + 1, word.size() - bracket - 2));
    }
    return role;
  }

  ExternalSize readSize(std::string_view text) const {
    using Kind = ExternalSize::Kind;
    if (text == "text")
      return {Kind::Text, 1, 0, 0};
    bool isPointed = text.starts_with("*");
    if (isPointed)
      text.remove_prefix(1);
    size_t star = text.find('*');
    std::string_view base = text.substr(0, star);
    ExternalSize size{Kind::Bytes, 1, 0, 0};
    if (base.starts_with("#")) {
      size.kind = isPointed ? Kind::Pointed : Kind::Argument;
      size.first = readArgumentNumber(base);
    } else if (base == "result" && !isPointed) {
      size.kind = Kind::Result;
    } else if (isPointed || star != std::string_view::npos) {
      fail(fmt::format("'{}' is no size", text));
    } else {
      size.bytes = readNumber(base);
    }
    if (star != std::string_view::npos)
      multiply(size, text.substr(star + 1));
    return size;
  }

  void multiply(ExternalSize &size, std::string_view factor) const {
    if (!factor.starts_with("#")) {
      size.bytes = readNumber(factor);
      return;
    }
    if (size.kind == ExternalSize::Kind::Result)
      fail("'result' is multiplied with a number alone");
    size.second = readArgumentNumber(factor);
  }

  unsigned readArgumentNumber(std::string_view text) const {
    uint64_t number = readNumber(text.substr(1));
    if (number == 0 || number > kMostArguments)
      fail(fmt::format("there is no argument {}", text));
    return static_cast<unsigned>(number);
  }

  ExternalRole readResult(std::string_view word) const {
    size_t hash = word.find('#');
    std::string_view name = word.substr(0, hash);
    if (!isOneOf(name, kResults))
      fail(fmt::format("'{}' is no result", word));
    ExternalRole role{std::string(name), {}, 0};
    if ((name == "same" || name == "within") != (hash != std::string_view::npos))
      fail(fmt::format("'{}': same and within name an argument, as in same#1", word));
    if (hash != std::string_view::npos) {
      role.argument = readArgumentNumber(word.substr(hash));
      checkNumber(role.argument);
    }
    return role;
  }

  uint64_t readNumber(std::string_view text) const {
    uint64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
      fail(fmt::format("'{}' is no number", text));
    return number;
  }

  void checkNumbers(const ExternalSize &size) const {
    using Kind = ExternalSize::Kind;
    if (size.kind == Kind::Argument || size.kind == Kind::Pointed)
      checkNumber(size.first);
    if (size.second != 0)
      checkNumber(size.second);
  }

  void checkNumber(unsigned argument) const {
    if (argument > row_.arguments.size())
      fail(fmt::format("there is no argument #{}", argument));
  }

  [[noreturn]] void fail(const std::string &what) const { failInternal("{}: {}", place_, what); }

  std::string place_;
  std::vector<std::string_view> words_;
  ExternalFunction row_;
};

} // namespace

Policy Policy::parse(std::string_view text, const std::string &file) {
  Policy policy;
  for (size_t line = 1; !text.empty(); ++line) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.empty() || row.front() == '#')
      continue;
    std::string place = fmt::format("{}:{}", file, line);
    ExternalFunction function = Row(row, place).read();
    std::string name = function.name;
    if (!policy.rows_.emplace(name, std::move(function)).second)
      failInternal("{}: '{}' has a row already", place, name);
  }
  return policy;
}

const ExternalFunction *Policy::find(const std::string &name) const {
  if (auto row = rows_.find(name); row != rows_.end())
    return &row->second;
  for (size_t length = name.size(); length > 0; --length)
    if (auto row = rows_.find(name.substr(0, length) + "*"); row != rows_.end())
      return &row->second;
  return nullptr;
}

const char *categoryWord(Category category) {
  return kCategories[static_cast<size_t>(category)].data();
}

} // namespace culprit
