#include <sched.h>

#include "driver_test.h"

namespace openreg::driver {
namespace {

using Priority = DriverTest;

// Turns on one shared processor until told to stop; counts the turns.
void spin_on_one_processor(int processor, const std::atomic<bool>& stop, std::atomic<long>& turns) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof(set), &set);
  while (!stop) ++turns;
}

TEST_F(Priority, GreaterOneGetsTheProcessorFirst) {
  // The reference takes priorities and ignores them.
  const DeviceProperties range = properties();
  const TestStream low(0, range.least_priority);
  const TestStream high(0, range.greatest_priority);
  const int processor = sched_getcpu();
  std::atomic<bool> stop{false};
  std::atomic<long> low_turns{0};
  std::atomic<long> high_turns{0};
  ASSERT_TRUE(succeeds(launch(low, [&] { spin_on_one_processor(processor, stop, low_turns); })));
  ASSERT_TRUE(succeeds(launch(high, [&] { spin_on_one_processor(processor, stop, high_turns); })));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  stop = true;
  ASSERT_TRUE(succeeds(device_synchronize(0)));
  EXPECT_GT(high_turns, 2 * low_turns);
}

}  // namespace
}  // namespace openreg::driver
