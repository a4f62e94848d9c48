// Functions that free what they are handed: `void list_free(struct list *list)`. They do as they
// are told, so that whoever called one too early, or twice, decided.
#ifndef CULPRIT_ANALYSIS_LOCATE_DESTROYERS_H
#define CULPRIT_ANALYSIS_LOCATE_DESTROYERS_H

#include "analysis/failure/failure.h"
#include "compiler/loader/program.h"
#include "compiler/sites/site_lines.h"

namespace culprit {

/// Whether the call there passes on what its function's parameters lead to, whatever they hold:
/// only tests for null pointers and loops may keep it from being made.
bool alwaysHandsOn(const Program &program, const SiteAddress &site);

/// Whether the call at `level` of a stack is also on a later one: all calls around it are.
bool isStillRunning(const CallStack &stack, size_t level, const CallStack &later);

} // namespace culprit
#endif
