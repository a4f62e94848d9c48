// See collector.h. libgc asks a function of its client's for more roots whenever it marks; all
// other threads stand still then. The function that it has for that itself shows it the machine
// stacks.
#include "runtime/collector.h"

#include "runtime/frames.h"

extern "C" {
using PushRoots = void (*)();
__attribute__((weak)) void GC_set_push_other_roots(PushRoots push);
__attribute__((weak)) PushRoots GC_get_push_other_roots();
__attribute__((weak)) void GC_push_all_eager(void *begin, void *end);
}

namespace culprit {
namespace {

PushRoots g_pushOthers;

void pushRoots() {
  if (g_pushOthers)
    g_pushOthers();
  visitFrames(GC_push_all_eager);
}

} // namespace

void showFramesToCollector() {
  if (!GC_set_push_other_roots || !GC_get_push_other_roots || !GC_push_all_eager)
    return;
  g_pushOthers = GC_get_push_other_roots();
  GC_set_push_other_roots(pushRoots);
}

} // namespace culprit
