// Who is logged in: records without pointers, of which the program gets copies.
#include "externals/external.h"

#include <utmp.h>
#include <utmpx.h>

namespace culprit {
namespace {

/// The program's copy of a record that libc keeps; what the program itself has handed over stays.
template <typename Record> Record *copied(Record *theirs, const Record *given, Record &slot) {
  if (!theirs || theirs == given)
    return theirs;
  slot = *theirs;
  return &slot;
}

utmp g_record;
utmpx g_recordX;

} // namespace

#define CULPRIT_LOGIN_FUNCTION(Record, slot, name, parameters, given, ...)                         \
  CULPRIT_EXTERNAL struct Record *name parameters {                                                \
    struct Record *theirs = CULPRIT_NEXT(name)(__VA_ARGS__);                                       \
    return CULPRIT_CALLED_BY_PROGRAM ? copied<struct Record>(theirs, given, slot) : theirs;        \
  }

CULPRIT_LOGIN_FUNCTION(utmp, g_record, getutent, (), nullptr)
CULPRIT_LOGIN_FUNCTION(utmp, g_record, getutid, (const utmp *wanted), wanted, wanted)
CULPRIT_LOGIN_FUNCTION(utmp, g_record, getutline, (const utmp *wanted), wanted, wanted)
CULPRIT_LOGIN_FUNCTION(utmp, g_record, pututline, (const utmp *given), given, given)
CULPRIT_LOGIN_FUNCTION(utmpx, g_recordX, getutxent, (), nullptr)
CULPRIT_LOGIN_FUNCTION(utmpx, g_recordX, getutxid, (const utmpx *wanted), wanted, wanted)
CULPRIT_LOGIN_FUNCTION(utmpx, g_recordX, getutxline, (const utmpx *wanted), wanted, wanted)
CULPRIT_LOGIN_FUNCTION(utmpx, g_recordX, pututxline, (const utmpx *given), given, given)

} // namespace culprit
