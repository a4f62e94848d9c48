// Linked into every image of an analysis build: registers the image with the runtime.
//
// The executable's copy is called by the runtime before any constructor (start.cpp); a library
// registers itself in its first constructor. The counters of mode `count` end on a page boundary
// because this object, linked behind all twins, adds one page-aligned page to their section.
#include "abi/contract.h"
#include "runtime/hooks.h"
#include "runtime/image_record.h"

extern "C" {
extern char __start_culprit_counts[] __attribute__((visibility("hidden")));
extern char __stop_culprit_counts[] __attribute__((visibility("hidden")));
extern const char __culprit_guards_begin[] __attribute__((visibility("hidden"), weak));
extern const char __culprit_guards_end[] __attribute__((visibility("hidden"), weak));
extern const char __ehdr_start[] __attribute__((visibility("hidden"), weak));
extern const char _DYNAMIC[] __attribute__((visibility("hidden"), weak));
extern const uint64_t _GLOBAL_OFFSET_TABLE_[] __attribute__((visibility("hidden")));
extern char __culprit_image_index[] __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) char __culprit_image_base[1];

// A layout's thread-locals go behind this section, which for LLD must exist.
asm(".pushsection .tdata,\"awTR\",@progbits,unique,1\n.popsection\n");

__attribute__((section("culprit_counts"), aligned(4096), used,
               retain)) static char culprit_counts_last_page[4096];

__attribute__((visibility("hidden"))) void __culprit_describe_image(culprit::ImageRecord *record) {
  record->index = reinterpret_cast<uint64_t>(__culprit_image_index) -
                  reinterpret_cast<uint64_t>(__culprit_image_base);
  record->base = __ehdr_start;
  // The first word of a library's global offset table is where it was linked to have _DYNAMIC.
  record->bias =
      record->index == 0 ? 0 : reinterpret_cast<uint64_t>(_DYNAMIC) - _GLOBAL_OFFSET_TABLE_[0];
  record->countsBegin = __start_culprit_counts;
  record->countsEnd = __stop_culprit_counts;
  record->guardsBegin = __culprit_guards_begin;
  record->guardsEnd = __culprit_guards_end;
}
}

namespace {
__attribute__((constructor(101))) void registerImage() {
  culprit::ImageRecord record;
  __culprit_describe_image(&record);
  if (record.index != 0)
    culprit::__culprit_register_image(&record);
}
} // namespace
