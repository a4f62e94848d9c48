// See landlock.h.
#include "sandbox/notify/landlock.h"

#include "sandbox/unique_fd.h"

#include <cstdint>
#include <linux/landlock.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

/// As the newest kernel that is known here has it; older ones take its beginning.
struct Ruleset {
  uint64_t files;
  uint64_t network; ///< since version 4
  uint64_t scoped;  ///< since version 6
};

constexpr uint64_t kRefer = uint64_t{1} << 13;    ///< since version 2
constexpr uint64_t kTruncate = uint64_t{1} << 14; ///< since version 3
constexpr uint64_t kTcp = 3;                      ///< bind and connect
constexpr uint64_t kScopes = 3;                   ///< abstract sockets and signals

constexpr uint64_t kChanges = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                              LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                              LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                              LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                              LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

} // namespace

void denyWrites() {
  long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version <= 0)
    return;
  Ruleset rules{kChanges | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0),
                version >= 4 ? kTcp : 0, version >= 6 ? kScopes : 0};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  UniqueFd ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0)));
  if (ruleset.isOpen())
    syscall(SYS_landlock_restrict_self, ruleset.get(), 0);
}

} // namespace culprit
