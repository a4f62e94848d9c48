// The runtime's side of abi/hooks.def: prototypes of everything that generated code uses.
#ifndef CULPRIT_RUNTIME_HOOKS_H
#define CULPRIT_RUNTIME_HOOKS_H

#include <stddef.h>
#include <stdint.h>

namespace culprit::hook_types {
using Void = void;
using Ptr = void *;
using I32 = uint32_t;
using I64 = uint64_t;
} // namespace culprit::hook_types

#define CULPRIT_EXPORT extern "C" __attribute__((visibility("default")))

namespace culprit {
using namespace hook_types;
#define HOOK(name, result, parameters, meaning) CULPRIT_EXPORT result name parameters;
#define HOOK_KEEPING(name, result, parameters, meaning)                                            \
  CULPRIT_EXPORT __attribute__((preserve_most)) result name parameters;
#define HOOK_DATA(name, type, meaning) CULPRIT_EXPORT type name;
#define HOOK_THREAD(name, type, meaning)                                                           \
  CULPRIT_EXPORT __thread type name __attribute__((tls_model("initial-exec")));
#include "abi/hooks.def"
#undef HOOK
#undef HOOK_KEEPING
#undef HOOK_DATA
#undef HOOK_THREAD
} // namespace culprit
#endif
