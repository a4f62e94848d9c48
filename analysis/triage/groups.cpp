// See groups.h.
#include "analysis/triage/groups.h"

#include <algorithm>
#include <list>
#include <map>
#include <tuple>

namespace culprit {
namespace {

/// What the inputs of a group have in common.
struct GroupKey {
  std::string verdict;
  std::string kind; ///< of the failure, where no cause was found
  std::string file, function;
  int64_t line = 0;

  auto operator<=>(const GroupKey &) const = default;
};

GroupKey keyOf(const Located &located) {
  GroupKey key;
  key.verdict = located.verdict;
  const SourcePlace *place = nullptr;
  if (located.cause) {
    place = &located.cause->place;
  } else if (located.failure) {
    place = &located.failure->place;
    key.kind = located.failure->kind;
  }
  if (place)
    std::tie(key.file, key.function, key.line) =
        std::tie(place->file, place->function, place->line);
  return key;
}

/// Failures are the same that are of one kind on one line.
auto failureKey(const LocatedFailure &failure) {
  return std::tie(failure.kind, failure.place.file, failure.place.line, failure.place.function);
}

bool isSame(const LocatedFailure &one, const LocatedFailure &other) {
  return failureKey(one) == failureKey(other);
}

void countFailures(TriageGroup &group) {
  for (const LocatedInput &input : group.inputs) {
    if (!input.located.failure)
      continue;
    const LocatedFailure &failure = *input.located.failure;
    auto known =
        std::find_if(group.failures.begin(), group.failures.end(),
                     [&](const GroupFailure &other) { return isSame(other.failure, failure); });
    if (known == group.failures.end())
      known = group.failures.insert(known, {failure, 0});
    ++known->inputs;
  }
  std::sort(group.failures.begin(), group.failures.end(),
            [](const GroupFailure &one, const GroupFailure &other) {
              return one.inputs != other.inputs
                         ? one.inputs > other.inputs
                         : failureKey(one.failure) < failureKey(other.failure);
            });
}

void choose(TriageGroup &group) {
  auto rarity = [&](const LocatedInput &input) {
    return !group.failures.empty() && input.located.failure &&
                   isSame(*input.located.failure, group.failures.front().failure)
               ? 0
               : 1;
  };
  auto lowest = [&](auto rank) {
    auto less = [&](const LocatedInput &one, const LocatedInput &other) {
      return rank(one) < rank(other);
    };
    return static_cast<size_t>(std::min_element(group.inputs.begin(), group.inputs.end(), less) -
                               group.inputs.begin());
  };
  group.representative = lowest([&](const LocatedInput &input) {
    return std::tuple(rarity(input), input.located.runs, input.bytes, input.path);
  });
  group.smallest =
      lowest([](const LocatedInput &input) { return std::tuple(input.bytes, input.path); });
}

int rankOf(const TriageGroup &group) {
  if (group.hasCause())
    return 0;
  return group.failures.empty() ? 2 : 1;
}

} // namespace

std::vector<TriageGroup> groupInputs(const std::vector<LocatedInput> &inputs) {
  std::map<GroupKey, TriageGroup> byKey;
  for (const LocatedInput &input : inputs)
    byKey[keyOf(input.located)].inputs.push_back(input);
  std::vector<TriageGroup> groups;
  for (auto &[key, group] : byKey) {
    countFailures(group);
    choose(group);
    groups.push_back(std::move(group));
  }
  // A list keeps the order of what is equal.
  std::list<TriageGroup> sorted(std::make_move_iterator(groups.begin()),
                                std::make_move_iterator(groups.end()));
  sorted.sort([](const TriageGroup &one, const TriageGroup &other) {
    return std::pair(rankOf(one), other.inputs.size()) <
           std::pair(rankOf(other), one.inputs.size());
  });
  groups.assign(std::make_move_iterator(sorted.begin()), std::make_move_iterator(sorted.end()));
  return groups;
}

} // namespace culprit
