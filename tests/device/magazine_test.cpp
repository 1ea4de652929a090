#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>

#include <functional>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "device/allocator.h"
#include "device/readable.h"
#include "support/errors.h"
#include "support/samples.h"

// Blocks that threads keep: see Note [Magazines].
namespace openreg::test {
namespace {

constexpr std::int64_t kBytes = 1 << 20;

at::Tensor block() { return at::empty({kBytes}, at::device(device()).dtype(at::kByte)); }

// A thread that lives on when its tasks are done.
class Helper {
 public:
  Helper() : thread_([this] { work(); }) {}
  ~Helper() {
    task_ = nullptr;
    begin_.release();
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void run(std::function<void()> task) {
    task_ = std::move(task);
    begin_.release();
    end_.acquire();
  }

 private:
  void work() {
    for (begin_.acquire(); task_; begin_.acquire()) {
      task_();
      end_.release();
    }
  }

  std::function<void()> task_;
  std::binary_semaphore begin_{0};
  std::binary_semaphore end_{0};
  std::thread thread_;
};

TEST(Magazines, ThePeakOfThreadsThatTakeTurnsIsOneThreads) {
  init();
  empty_cache();
  reset_peak_memory(0);
  const auto before = memory_statistics(0);
  Helper other;
  for (int i = 0; i < 3; ++i) {
    block();
    other.run([] { block(); });
  }
  const auto after = memory_statistics(0);
  EXPECT_EQ(after.peak_allocated, before.allocated + kBytes);
  EXPECT_EQ(after.allocated, before.allocated);
  EXPECT_EQ(after.allocations, before.allocations + 6);
  EXPECT_EQ(after.frees, before.frees + 6);
}

TEST(Magazines, AThreadTakesTheBlockThatItFreed) {
  init();
  {
    const std::vector<at::Tensor> room{block(), block(), block(), block()};  // the peak is not touched by what follows
  }
  const auto kept = block();
  Helper other;
  const void* first = nullptr;
  const void* second = nullptr;
  other.run([&] { first = block().const_data_ptr(); });
  const auto of_this_thread = block();
  other.run([&] { second = block().const_data_ptr(); });
  EXPECT_NE(of_this_thread.const_data_ptr(), first);
  EXPECT_EQ(second, first);
}

TEST(Magazines, EmptyCacheTakesWhatOtherThreadsKeep) {
  init();
  empty_cache();
  const auto before = memory_statistics(0).reserved;
  Helper other;
  other.run([] { block(); });
  EXPECT_EQ(memory_statistics(0).reserved, before + kBytes);
  empty_cache();
  EXPECT_EQ(memory_statistics(0).reserved, before);
}

TEST(Magazines, AThreadThatEndsGivesBackWhatItKept) {
  init();
  empty_cache();
  std::thread([] { block(); }).join();
  const auto before = memory_statistics(0).driver_allocations;
  block();
  EXPECT_EQ(memory_statistics(0).driver_allocations, before);
}

TEST(Magazines, WhatAThreadKeepsIsNoLiveTensorToAnError) {
  init();
  const auto live = block();
  block();
  const auto text = error_of([] { openreg::device::allocator().raw_allocate(std::size_t{1} << 60); });
  const auto bytes = openreg::device::readable_bytes(memory_statistics(0).allocated);
  EXPECT_TRUE(contains(text, ", " + bytes + " in live tensors"));
}

TEST(Magazines, ManySizesAndMoreBlocksThanFitAreCountedRight) {
  init();
  const auto before = memory_statistics(0);
  for (int round = 0; round < 3; ++round) {
    std::vector<at::Tensor> live;
    for (std::int64_t bytes = 1; bytes < 4 * kBytes; bytes = bytes * 5 / 4 + 1) {
      for (int i = 0; i < 10; ++i) live.push_back(at::empty({bytes}, at::device(device()).dtype(at::kByte)));
    }
  }
  const auto after = memory_statistics(0);
  EXPECT_EQ(after.allocated, before.allocated);
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
  empty_cache();
  EXPECT_LE(memory_statistics(0).reserved, before.reserved);
}

}  // namespace
}  // namespace openreg::test
