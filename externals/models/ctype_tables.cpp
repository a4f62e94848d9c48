// The ctype macros read tables through a pointer that libc keeps for each thread. The program has
// copies of the tables and a pointer of its own (thread_cells.h), which changes when the thread's
// locale does, as libc's does. Copies stay; equal tables have one.
#include "externals/models/ctype_tables.h"

#include "externals/external.h"
#include "externals/models/locale_objects.h"
#include "externals/models/lock.h"
#include "externals/models/thread_cells.h"

#define __NO_CTYPE // NOLINT(bugprone-reserved-identifier)
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

namespace culprit {
namespace {

CtypeTables g_firstTables;
CtypeTables *g_tables;
/// Of the process's locale; null: it has changed, or nobody has gone back to it yet.
const CtypeTables *g_globalTables;

bool areEqual(const CtypeTables &kept, const CtypeTables &wanted) {
  return memcmp(kept.classes, wanted.classes, sizeof wanted.classes) == 0 &&
         memcmp(kept.toLower, wanted.toLower, sizeof wanted.toLower) == 0 &&
         memcmp(kept.toUpper, wanted.toUpper, sizeof wanted.toUpper) == 0;
}

} // namespace

const CtypeTables *keptTables(const unsigned short *classes, const int *toLower,
                              const int *toUpper) {
  CtypeTables wanted;
  memcpy(wanted.classes, classes - kCtypeZero, sizeof wanted.classes);
  memcpy(wanted.toLower, toLower - kCtypeZero, sizeof wanted.toLower);
  memcpy(wanted.toUpper, toUpper - kCtypeZero, sizeof wanted.toUpper);
  ModelsGuard guard;
  for (CtypeTables *kept = g_tables; kept; kept = kept->next)
    if (areEqual(*kept, wanted))
      return kept;
  auto *made = g_tables ? static_cast<CtypeTables *>(malloc(sizeof(CtypeTables))) : &g_firstTables;
  if (!made)
    return g_tables;
  *made = wanted;
  made->next = g_tables;
  g_tables = made;
  return made;
}

namespace {

const CtypeTables *tablesNow() {
  return keptTables(*CULPRIT_NEXT(__ctype_b_loc)(), *CULPRIT_NEXT(__ctype_tolower_loc)(),
                    *CULPRIT_NEXT(__ctype_toupper_loc)());
}

void useTables(const CtypeTables &tables) {
  ThreadCells &cells = ownCells();
  cells.classes = tables.classes + kCtypeZero;
  cells.toLower = tables.toLower + kCtypeZero;
  cells.toUpper = tables.toUpper + kCtypeZero;
}

} // namespace

void refreshCtype() {
  __atomic_store_n(&g_globalTables, nullptr, __ATOMIC_RELAXED);
  useTables(*tablesNow());
}

// libstdc++ changes to a locale and back for each number that it prints.
void refreshCtypeFor(locale_t locale) {
  if (isProgramLocale(locale)) {
    ThreadCells &cells = ownCells();
    cells.classes = locale->__ctype_b;
    cells.toLower = locale->__ctype_tolower;
    cells.toUpper = locale->__ctype_toupper;
    return;
  }
  const CtypeTables *tables = nullptr;
  if (locale == LC_GLOBAL_LOCALE)
    tables = __atomic_load_n(&g_globalTables, __ATOMIC_ACQUIRE);
  if (!tables)
    tables = tablesNow();
  if (locale == LC_GLOBAL_LOCALE)
    __atomic_store_n(&g_globalTables, tables, __ATOMIC_RELEASE);
  useTables(*tables);
}

namespace {

ThreadCells &cellsWithTables() {
  ThreadCells &cells = ownCells();
  if (!cells.classes)
    refreshCtype();
  return cells;
}

} // namespace

CULPRIT_EXTERNAL const unsigned short **__ctype_b_loc() {
  return CULPRIT_CALLED_BY_PROGRAM ? &cellsWithTables().classes : CULPRIT_NEXT(__ctype_b_loc)();
}

CULPRIT_EXTERNAL const int **__ctype_tolower_loc() {
  return CULPRIT_CALLED_BY_PROGRAM ? &cellsWithTables().toLower
                                   : CULPRIT_NEXT(__ctype_tolower_loc)();
}

CULPRIT_EXTERNAL const int **__ctype_toupper_loc() {
  return CULPRIT_CALLED_BY_PROGRAM ? &cellsWithTables().toUpper
                                   : CULPRIT_NEXT(__ctype_toupper_loc)();
}

} // namespace culprit
