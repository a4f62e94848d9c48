// Ends the recursion of Expressions in code that is not what clang emits.
#ifndef CULPRIT_ANALYSIS_NAMES_EXPRESSION_LIMIT_H
#define CULPRIT_ANALYSIS_NAMES_EXPRESSION_LIMIT_H

#include "analysis/names/expression.h"

namespace culprit {

struct Expressions::Limit {
  static constexpr unsigned kDeepest = 40;

  explicit Limit(unsigned &depth) : depth_(depth) { ++depth_; }
  ~Limit() { --depth_; }
  Limit(const Limit &) = delete;
  Limit &operator=(const Limit &) = delete;
  bool isReached() const { return depth_ > kDeepest; }

private:
  unsigned &depth_;
};

} // namespace culprit
#endif
