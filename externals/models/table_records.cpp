// Records of /etc/fstab and /etc/ttys, mail aliases and numbers of remote procedures.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/record_slot.h"

#include <aliases.h>
#include <fstab.h>
#include <rpc/netdb.h>
#include <ttyent.h>

namespace culprit {

CULPRIT_RECORD_FUNCTION(aliasent, getaliasent, ())
CULPRIT_RECORD_FUNCTION(aliasent, getaliasbyname, (const char *name), name)
CULPRIT_RECORD_FUNCTION(rpcent, getrpcent, ())
CULPRIT_RECORD_FUNCTION(rpcent, getrpcbyname, (const char *name), name)
CULPRIT_RECORD_FUNCTION(rpcent, getrpcbynumber, (int number), number)

namespace {

/// The words of such files are few: each has one copy.
fstab *copied(const fstab *theirs) {
  static fstab slot;
  if (!theirs)
    return nullptr;
  slot = *theirs;
  slot.fs_spec = keptText(theirs->fs_spec);
  slot.fs_file = keptText(theirs->fs_file);
  slot.fs_vfstype = keptText(theirs->fs_vfstype);
  slot.fs_mntops = keptText(theirs->fs_mntops);
  slot.fs_type = keptText(theirs->fs_type);
  return &slot;
}

ttyent *copied(const ttyent *theirs) {
  static ttyent slot;
  if (!theirs)
    return nullptr;
  slot = *theirs;
  slot.ty_name = keptText(theirs->ty_name);
  slot.ty_getty = keptText(theirs->ty_getty);
  slot.ty_type = keptText(theirs->ty_type);
  slot.ty_window = keptText(theirs->ty_window);
  slot.ty_comment = keptText(theirs->ty_comment);
  return &slot;
}

} // namespace

#define CULPRIT_TABLE_FUNCTION(Record, name, parameters, ...)                                      \
  CULPRIT_EXTERNAL struct Record *name parameters {                                                \
    struct Record *theirs = CULPRIT_NEXT(name)(__VA_ARGS__);                                       \
    return CULPRIT_CALLED_BY_PROGRAM ? copied(theirs) : theirs;                                    \
  }

CULPRIT_TABLE_FUNCTION(fstab, getfsent, ())
CULPRIT_TABLE_FUNCTION(fstab, getfsspec, (const char *name), name)
CULPRIT_TABLE_FUNCTION(fstab, getfsfile, (const char *name), name)
CULPRIT_TABLE_FUNCTION(ttyent, getttyent, ())
CULPRIT_TABLE_FUNCTION(ttyent, getttynam, (const char *name), name)

} // namespace culprit
