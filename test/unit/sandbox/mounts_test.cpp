// Reading /proc/self/mountinfo.
#include "sandbox/mounts.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

const Mounts kMounts("22 1 8:1 / / rw,relatime - ext4 /dev/sda rw\n"
                     "23 22 0:5 / /proc rw - proc proc rw\n"
                     "24 22 0:6 / /home/a\\040b rw,noexec - tmpfs t rw\n"
                     "25 22 0:7 / /mnt rw - tmpfs t rw\n"
                     "26 25 0:8 / /mnt ro,nosuid - tmpfs t rw\n"
                     "broken\n");

TEST(Mounts, SayWhatLiesBelow) {
  EXPECT_TRUE(kMounts.hasBelow(""));
  EXPECT_TRUE(kMounts.hasBelow("/home"));
  EXPECT_FALSE(kMounts.hasBelow("/home/a b"));
  EXPECT_FALSE(kMounts.hasBelow("/pro"));
}

TEST(Mounts, FollowTheNearestMount) {
  EXPECT_TRUE(kMounts.isWithoutPrograms("/home/a b/folder"));
  EXPECT_FALSE(kMounts.isWithoutPrograms("/home"));
  EXPECT_FALSE(kMounts.isReadOnly("/usr"));
}

TEST(Mounts, TheLastOneOnAPathCounts) {
  EXPECT_TRUE(kMounts.isReadOnly("/mnt/folder"));
}

} // namespace
} // namespace culprit
