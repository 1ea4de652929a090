#include <sys/wait.h>
#include <unistd.h>

#include "driver_test.h"

// How a process ends, and what a forked child can do.

namespace openreg::driver {
namespace {

Stream busy_stream() {
  Stream stream = nullptr;
  EXPECT_TRUE(succeeds(initialize({})));
  EXPECT_TRUE(succeeds(stream_create(0, 0, &stream)));
  EXPECT_TRUE(succeeds(launch(stream, [] { std::this_thread::sleep_for(std::chrono::seconds(600)); })));
  return stream;
}

// The child's exit code; -1 when it died or hung.
template <typename Body>
int exit_code_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    const int code = testing::Test::HasFailure() ? 1 : 0;
    if (sanitized) std::_Exit(code);  // what the child does not free on purpose is no leak to report
    std::exit(code);
  }
  for (int i = 0; i < 3000; ++i) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return -1;
}

TEST(Process, ExitsWithABusyStream) {
  expect_in_fresh_process([] { busy_stream(); });
}

TEST(Process, ExitsWithAnIdleStreamAndLiveBlocks) {
  expect_in_fresh_process([] {
    Stream stream = nullptr;
    void* block = nullptr;
    ASSERT_TRUE(succeeds(initialize({})));
    ASSERT_TRUE(succeeds(stream_create(0, 0, &stream)));
    ASSERT_TRUE(succeeds(launch(stream, [] {})));
    ASSERT_TRUE(succeeds(stream_synchronize(stream)));
    ASSERT_TRUE(succeeds(memory_allocate(0, 1000, &block)));
  });
}

struct FreesAtExit {
  void* block = nullptr;
  Stream stream = nullptr;
  ~FreesAtExit() {
    if (block == nullptr) return;
    if (stream_synchronize(stream) != Status::success || memory_free(block) != Status::success ||
        stream_destroy(stream) != Status::success) {
      std::_Exit(3);
    }
  }
};
FreesAtExit frees_at_exit;

TEST(Process, StaticObjectsMayFreeAfterMain) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({})));
    ASSERT_TRUE(succeeds(memory_allocate(0, 1000, &frees_at_exit.block)));
    ASSERT_TRUE(succeeds(stream_create(0, 0, &frees_at_exit.stream)));
    ASSERT_TRUE(succeeds(launch(frees_at_exit.stream, [] { std::this_thread::sleep_for(soon); })));
  });
}

TEST(Process, ForkedChildIsRefusedAndItsFreesAreSilent) {
  if (thread_sanitized) GTEST_SKIP() << "ThreadSanitizer does not support what follows a fork of a threaded process";
  expect_in_fresh_process([] {
    const Stream stream = busy_stream();
    void* block = nullptr;
    void* host = nullptr;
    Event event = nullptr;
    ASSERT_TRUE(succeeds(memory_allocate(0, 1000, &block)));
    ASSERT_TRUE(succeeds(host_allocate(1000, &host)));
    ASSERT_TRUE(succeeds(event_create(0, false, &event)));
    ASSERT_TRUE(succeeds(event_record(event, stream)));
    const int code = exit_code_of_child([&] {
      void* more = nullptr;
      int count = 0;
      EXPECT_TRUE(fails(memory_allocate(0, 64, &more), Status::unsupported, {"memory_allocate", "fork"}));
      EXPECT_TRUE(fails(initialize({}), Status::unsupported, {"initialize", "fork"}));
      EXPECT_EQ(device_count(&count), Status::unsupported);
      EXPECT_EQ(launch(stream, [] {}), Status::unsupported);
      EXPECT_EQ(stream_synchronize(stream), Status::unsupported);
      EXPECT_EQ(device_synchronize(0), Status::unsupported);
      EXPECT_EQ(event_synchronize(event), Status::unsupported);
      EXPECT_EQ(copy(host, host, 10, CopyKind::host_to_host), Status::unsupported);
      EXPECT_FALSE(any_work_pending());
      EXPECT_TRUE(succeeds(memory_free(block)));
      EXPECT_TRUE(succeeds(host_free(host)));
      EXPECT_TRUE(succeeds(event_destroy(event)));
      EXPECT_TRUE(succeeds(stream_destroy(stream)));
    });
    EXPECT_EQ(code, 0);
    // The parent goes on.
    EXPECT_TRUE(succeeds(memory_free(block)));
    EXPECT_EQ(stream_query(stream), Status::not_ready);
    EXPECT_TRUE(succeeds(event_destroy(event)));
  });
}

TEST(Process, ForkBeforeTheFirstUseLeavesTheChildADevice) {
  if (thread_sanitized) GTEST_SKIP() << "ThreadSanitizer does not support what follows a fork of a threaded process";
  expect_in_fresh_process([] {
    const int code = exit_code_of_child([] {
      Stream stream = nullptr;
      bool ran = false;
      ASSERT_TRUE(succeeds(initialize({})));
      ASSERT_TRUE(succeeds(stream_create(1, 0, &stream)));
      ASSERT_TRUE(succeeds(launch(stream, [&] { ran = true; })));
      ASSERT_TRUE(succeeds(stream_destroy(stream)));
      EXPECT_TRUE(ran);
    });
    EXPECT_EQ(code, 0);
  });
}

}  // namespace
}  // namespace openreg::driver
