// Users, groups and their passwords.
#include "externals/external.h"
#include "externals/models/record_slot.h"

#include <grp.h>
#include <pwd.h>
#include <shadow.h>

namespace culprit {

CULPRIT_RECORD_FUNCTION(passwd, getpwnam, (const char *name), name)
CULPRIT_RECORD_FUNCTION(passwd, getpwuid, (uid_t user), user)
CULPRIT_RECORD_FUNCTION(passwd, getpwent, ())
CULPRIT_RECORD_FUNCTION(group, getgrnam, (const char *name), name)
CULPRIT_RECORD_FUNCTION(group, getgrgid, (gid_t number), number)
CULPRIT_RECORD_FUNCTION(group, getgrent, ())
CULPRIT_RECORD_FUNCTION(spwd, getspnam, (const char *name), name)
CULPRIT_RECORD_FUNCTION(spwd, getspent, ())
CULPRIT_RECORD_FUNCTION(spwd, sgetspent, (const char *text), text)

} // namespace culprit
