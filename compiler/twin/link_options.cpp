// See link_options.h.
#include "compiler/twin/link_options.h"

#include <string_view>

namespace culprit {
namespace {

struct Rule {
  std::string_view name; ///< without dashes
  Fate fate;
  bool hasValue;
};

constexpr Rule kRules[] = {
    // Non-PIE, with symbols, free to refer to the runtime.
    {"pie", Fate::Drop, false},
    {"static-pie", Fate::Drop, false},
    {"pic-executable", Fate::Drop, false},
    {"no-dynamic-linker", Fate::Drop, false},
    {"s", Fate::Drop, false},
    {"S", Fate::Drop, false},
    {"strip-all", Fate::Drop, false},
    {"strip-debug", Fate::Drop, false},
    {"x", Fate::Drop, false},
    {"discard-all", Fate::Drop, false},
    {"no-undefined", Fate::Drop, false},
    {"fatal-warnings", Fate::Drop, false},
    // Nothing printed, no side files.
    {"t", Fate::Drop, false},
    {"trace", Fate::Drop, false},
    {"M", Fate::Drop, false},
    {"print-map", Fate::Drop, false},
    {"print-gc-sections", Fate::Drop, false},
    {"print-memory-usage", Fate::Drop, false},
    {"cref", Fate::Drop, false},
    {"stats", Fate::Drop, false},
    {"verbose", Fate::Drop, false},
    {"Map", Fate::Drop, true},
    {"dependency-file", Fate::Drop, true},
    {"out-implib", Fate::Drop, true},
    {"reproduce", Fate::Drop, true},
    {"print-archive-stats", Fate::Drop, true},
    {"why-extract", Fate::Drop, true},
    {"print-symbol-order", Fate::Drop, true},
    // Link-time optimisation has nothing left to do.
    {"plugin", Fate::Drop, true},
    {"plugin-opt", Fate::Drop, true},
    // Set anew.
    {"o", Fate::Drop, true},
    {"output", Fate::Drop, true},
    {"soname", Fate::Drop, true},
    {"h", Fate::Drop, true},
    {"rpath", Fate::Drop, true},
    {"enable-new-dtags", Fate::Drop, false},
    {"disable-new-dtags", Fate::Drop, false},
    // Files.
    {"T", Fate::File, true},
    {"script", Fate::File, true},
    {"dT", Fate::File, true},
    {"default-script", Fate::File, true},
    {"R", Fate::File, true},
    {"just-symbols", Fate::File, true},
    {"dynamic-list", Fate::File, true},
    {"export-dynamic-symbol-list", Fate::File, true},
    {"retain-symbols-file", Fate::File, true},
    {"symbol-ordering-file", Fate::File, true},
    {"section-ordering-file", Fate::File, true},
    {"version-script", Fate::VersionScript, true},
    // Listed for their value, which may be a word of its own.
    {"m", Fate::Keep, true},
    {"z", Fate::Keep, true},
    {"L", Fate::Keep, true},
    {"e", Fate::Entry, true},
    {"entry", Fate::Entry, true},
    {"u", Fate::Keep, true},
    {"undefined", Fate::Keep, true},
    {"rpath-link", Fate::Keep, true},
    {"dynamic-linker", Fate::Keep, true},
    {"I", Fate::Keep, true},
    {"wrap", Fate::Keep, true},
    {"defsym", Fate::Keep, true},
    {"init", Fate::Keep, true},
    {"fini", Fate::Keep, true},
    {"f", Fate::Keep, true},
    {"auxiliary", Fate::Keep, true},
    {"F", Fate::Keep, true},
    {"filter", Fate::Keep, true},
    {"b", Fate::Keep, true},
    {"format", Fate::Keep, true},
};

const Rule *findRule(std::string_view name) {
  for (const Rule &rule : kRules)
    if (rule.name == name)
      return &rule;
  return nullptr;
}

/// Letters whose value may follow without a space: `-Tfile`, `-hname`, `-ename`. Long options that
/// start with the same letter and have one dash are none of these.
const Rule *findJoined(std::string_view body) {
  constexpr std::string_view kLongOnes[] = {"Tbss",           "Tdata",  "Ttext", "Trodata-segment",
                                            "Tldata-segment", "omagic", "help",  "hash-style"};
  for (std::string_view other : kLongOnes)
    if (body.starts_with(other))
      return nullptr;
  if (body[0] == 'e' && body.find('-') != std::string_view::npos) // -export-dynamic and its like
    return nullptr;
  return std::string_view("TRohe").find(body[0]) != std::string_view::npos
             ? findRule(body.substr(0, 1))
             : nullptr;
}

/// -z has a few values that concern the output's kind.
Fate fateOfZ(std::string_view value) {
  return value == "defs" || value == "text" ? Fate::Drop : Fate::Keep;
}

} // namespace

LinkOption parseLinkOption(const std::vector<std::string> &argv, size_t at) {
  const std::string &argument = argv[at];
  LinkOption option;
  option.name = argument;
  if (argument.size() < 2 || argument[0] != '-')
    return option;
  size_t dashes = argument.starts_with("--") ? 2 : 1;
  std::string_view body = std::string_view(argument).substr(dashes);
  std::string_view stem = body.substr(0, body.find('='));
  const Rule *rule = findRule(stem);
  if (rule && rule->hasValue && stem.size() < body.size()) {
    option.name = argument.substr(0, dashes + stem.size() + 1);
    option.value = body.substr(stem.size() + 1);
  } else if (rule && rule->hasValue && at + 1 < argv.size()) {
    option.value = argv[at + 1];
    option.words = 2;
  } else if (!rule && dashes == 1 && (rule = findJoined(body))) {
    option.name = argument.substr(0, 2);
    option.value = body.substr(1);
  }
  if (rule)
    option.fate = rule->name == "z" ? fateOfZ(option.value) : rule->fate;
  return option;
}

void appendLinkOption(const LinkOption &option, const std::string &value,
                      std::vector<std::string> &command) {
  if (option.words == 2) {
    command.push_back(option.name);
    command.push_back(value);
  } else {
    command.push_back(option.name + value);
  }
}

} // namespace culprit
