// Runs are made once, and counted by what is altered.
#include "analysis/locate/made_runs.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

/// Each run that is made says which one it is.
Runs numberedRuns() {
  return {[made = 0](const AlteredRun &) mutable {
            RunResult result;
            result.status = ++made;
            return result;
          },
          nullptr};
}

TEST(MadeRuns, AreMadeOnceUnlessSomethingDiffers) {
  Runs runs = numberedRuns();
  MadeRuns once(runs);
  EXPECT_EQ(once.run({}).status, 1);
  EXPECT_EQ(once.run({}).status, 1);
  AlteredRun without;
  without.points = {{{"m", 4}, 17}};
  EXPECT_EQ(once.run(without).status, 2);
  AlteredRun later = without;
  later.points[0].time = 18;
  EXPECT_EQ(once.run(later).status, 3);
  AlteredRun closer = without;
  closer.isExact = true;
  EXPECT_EQ(once.run(closer).status, 4);
  closer.probe = SiteAddress{"m", 5};
  EXPECT_EQ(once.run(closer).status, 5);
  closer.tracedTime = 17;
  EXPECT_EQ(once.run(closer).status, 6);
  EXPECT_EQ(once.run(without).status, 2);
  EXPECT_EQ(once.counts().original, 1U);
  EXPECT_EQ(once.counts().suppression, 2U);
  EXPECT_EQ(once.counts().reordering, 0U);
  EXPECT_EQ(once.counts().tracing, 3U);
}

TEST(MadeRuns, TellLayoutsApartByWhatTheySay) {
  Runs runs = numberedRuns();
  MadeRuns once(runs);
  Layout guarded;
  guarded.guard = 16;
  Layout same = guarded;
  AlteredRun run;
  run.layout = &guarded;
  EXPECT_EQ(once.run(run).status, 1);
  run.layout = &same;
  EXPECT_EQ(once.run(run).status, 1);
  same.guard = 32;
  EXPECT_EQ(once.run(run).status, 2);
  EXPECT_EQ(once.counts().reordering, 2U);
}

} // namespace
} // namespace culprit
