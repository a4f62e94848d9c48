// See observed_text.h.
#include "report/observed_text.h"

#include "analysis/names/type_names.h"
#include "externals/policy/policy.h"
#include "report/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>

namespace culprit {

std::vector<ObservedFunction>
readObserved(const abi::ObservedRecord &record,
             const std::function<std::string(const abi::ObservedEntry &)> &nameOf) {
  std::vector<ObservedFunction> functions;
  for (uint64_t i = 0; i < std::min(record.count, abi::kMostObserved); ++i) {
    const abi::ObservedEntry &entry = record.entries[i];
    ObservedFunction found;
    found.function.assign(entry.function, strnlen(entry.function, abi::kLongestFunction));
    // What is called through a pointer is known by its name only now.
    const ExternalFunction *row = policy().find(found.function);
    if (row && row->category != Category::Observe)
      continue;
    found.file.assign(entry.file, strnlen(entry.file, abi::kLongestFile));
    found.line = entry.line;
    found.column = entry.column;
    found.calls = entry.calls;
    found.changedBytes = entry.changes;
    found.firstChange = entry.changes ? nameOf(entry) : "";
    found.isPartial = entry.isPartial != 0;
    found.hasOthers = entry.hasOthers != 0;
    found.isSampled = entry.calls > abi::kMostCompared;
    functions.push_back(std::move(found));
  }
  return functions;
}

namespace {

/// A function at all the places that call it.
struct EverywhereCalled {
  ObservedFunction found; ///< of the first place, or the first where it changed something
  unsigned places = 0;
};

std::vector<EverywhereCalled> byFunction(const std::vector<ObservedFunction> &functions) {
  std::vector<EverywhereCalled> all;
  for (const ObservedFunction &place : functions) {
    auto same = std::find_if(all.begin(), all.end(), [&](const EverywhereCalled &other) {
      return other.found.function == place.function && !place.function.empty();
    });
    if (same == all.end()) {
      all.push_back({place, 1});
      continue;
    }
    ObservedFunction sum =
        same->found.changedBytes == 0 && place.changedBytes != 0 ? place : same->found;
    sum.calls = same->found.calls + place.calls;
    sum.changedBytes = same->found.changedBytes + place.changedBytes;
    sum.isPartial = same->found.isPartial || place.isPartial;
    sum.hasOthers = same->found.hasOthers || place.hasOthers;
    sum.isSampled = same->found.isSampled || place.isSampled;
    *same = {std::move(sum), same->places + 1};
  }
  return all;
}

std::string otherPlaces(const EverywhereCalled &called) {
  if (called.places == 1)
    return called.found.hasOthers ? " and elsewhere" : "";
  return fmt::format(" and {}{} other place{}", called.found.hasOthers ? "at least " : "",
                     called.places - 1, called.places == 2 ? "" : "s");
}

std::string describe(const EverywhereCalled &called) {
  const ObservedFunction &found = called.found;
  const ExternalFunction *row = policy().find(found.function);
  std::string text = fmt::format(
      "{} ({}) was called {} at {}:{}",
      found.function.empty() ? "a function without a name"
                             : "'" + shortTypeNames(llvm::demangle(found.function)) + "'",
      row ? row->reason : "not in the policy table",
      found.calls == 1 ? "once" : fmt::format("{} times", found.calls), found.file, found.line);
  text += otherPlaces(called);
  text += found.changedBytes == 0
              ? "; it changed nothing that its arguments lead to"
              : fmt::format("; it changed {} byte{}, the first of them {}", found.changedBytes,
                            found.changedBytes == 1 ? "" : "s", found.firstChange);
  if (found.isSampled)
    text += fmt::format(" (in its first {} calls at each place)", abi::kMostCompared);
  return text + (found.isPartial ? " (not all memory could be compared)" : "");
}

} // namespace

std::vector<std::string> describeObserved(const std::vector<ObservedFunction> &functions,
                                          uint64_t lost) {
  std::vector<std::string> sentences;
  for (const EverywhereCalled &called : byFunction(functions))
    sentences.push_back(describe(called));
  if (lost > 0)
    sentences.push_back(fmt::format("{} calls of other functions are not listed", lost));
  if (sentences.empty())
    sentences.emplace_back("all functions that were called are known");
  return sentences;
}

std::string observedAsJson(int status, const std::vector<ObservedFunction> &functions) {
  llvm::json::Array list;
  for (const ObservedFunction &found : functions)
    list.push_back(llvm::json::Object{
        {"function", jsonString(found.function)},
        {"location", llvm::json::Object{{"file", jsonString(found.file)},
                                        {"line", found.line},
                                        {"column", found.column}}},
        {"calls", static_cast<int64_t>(found.calls)},
        {"changed_bytes", static_cast<int64_t>(found.changedBytes)},
        {"first_change", jsonString(found.firstChange)},
        {"partial", found.isPartial},
        {"compared_calls", static_cast<int64_t>(std::min(found.calls, abi::kMostCompared))},
    });
  return jsonText(llvm::json::Object{{"status", status}, {"observed", std::move(list)}});
}

} // namespace culprit
