#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "device/driver/driver.h"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define OPENREG_TEST_TSAN true
#else
#define OPENREG_TEST_TSAN false
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define OPENREG_TEST_ASAN true
#else
#define OPENREG_TEST_ASAN false
#endif

namespace openreg::driver {

inline void PrintTo(Status status, std::ostream* out) { *out << status_name(status); }

inline testing::AssertionResult succeeds(Status status) {
  if (status == Status::success) return testing::AssertionSuccess();
  return testing::AssertionFailure() << status_name(status) << ": " << last_error();
}

// The status is as wanted, and last_error() contains all the texts.
inline testing::AssertionResult fails(Status status, Status wanted, const std::vector<std::string>& texts = {}) {
  if (status != wanted) {
    return testing::AssertionFailure() << status_name(status) << " instead of " << status_name(wanted);
  }
  for (const std::string& text : texts) {
    if (last_error().find(text) == std::string::npos) {
      return testing::AssertionFailure() << "\"" << text << "\" is not in: " << last_error();
    }
  }
  return testing::AssertionSuccess();
}

inline constexpr bool thread_sanitized = OPENREG_TEST_TSAN;
inline constexpr bool sanitized = OPENREG_TEST_TSAN || OPENREG_TEST_ASAN;

inline std::string hex(const void* address) {
  char text[32];
  std::snprintf(text, sizeof(text), "%p", address);
  return text;
}

inline DeviceProperties properties(int device = 0) {
  DeviceProperties result{};
  EXPECT_TRUE(succeeds(device_properties(device, &result)));
  return result;
}

template <typename T = std::byte>
T* host_view(const void* block) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(block) +
                              static_cast<std::uintptr_t>(properties().host_distance));
}

inline std::byte* offset(void* block, std::size_t bytes) { return static_cast<std::byte*>(block) + bytes; }

inline bool holds_only(const void* host, std::size_t bytes, unsigned char value) {
  const auto* data = static_cast<const unsigned char*>(host);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (data[i] != value) return false;
  }
  return true;
}

// Two devices of the default size; the current device is 0.
class DriverTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(succeeds(initialize({})));
    ASSERT_TRUE(succeeds(set_current_device(0)));
  }
};

class DeviceBlock {
 public:
  explicit DeviceBlock(std::size_t bytes, int device = 0) {
    EXPECT_TRUE(succeeds(memory_allocate(device, bytes, &block_)));
  }
  ~DeviceBlock() { EXPECT_TRUE(succeeds(memory_free(block_))); }
  DeviceBlock(const DeviceBlock&) = delete;
  DeviceBlock& operator=(const DeviceBlock&) = delete;

  void* get() const { return block_; }
  std::byte* at(std::size_t bytes) const { return offset(block_, bytes); }

 private:
  void* block_ = nullptr;
};

class TestStream {
 public:
  explicit TestStream(int device = 0, int priority = 0) {
    EXPECT_TRUE(succeeds(stream_create(device, priority, &stream_)));
  }
  ~TestStream() { destroy(); }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;

  void destroy() {
    if (stream_ != nullptr) {
      EXPECT_TRUE(succeeds(stream_destroy(stream_)));
    }
    stream_ = nullptr;
  }
  operator Stream() const { return stream_; }

 private:
  Stream stream_ = nullptr;
};

class TestEvent {
 public:
  explicit TestEvent(int device = 0, bool timing = true) {
    EXPECT_TRUE(succeeds(event_create(device, timing, &event_)));
  }
  ~TestEvent() { EXPECT_TRUE(succeeds(event_destroy(event_))); }
  TestEvent(const TestEvent&) = delete;
  TestEvent& operator=(const TestEvent&) = delete;

  operator Event() const { return event_; }

 private:
  Event event_ = nullptr;
};

// A door that tasks wait at until a test opens it.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }
  // True when it is open in time.
  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

inline constexpr std::chrono::milliseconds soon{50};        // long enough to notice what must not happen
inline constexpr std::chrono::milliseconds at_last{30000};  // for what must happen

// Runs the body in a process of its own, where nothing was initialized. Its failed expectations fail the test.
template <typename Body>
void expect_in_fresh_process(Body body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        body();
        std::exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

// Dies by the signal itself, also where a sanitizer or a library has put its handler.
inline void restore_fault_signals() {
  std::signal(SIGSEGV, SIG_DFL);
  std::signal(SIGBUS, SIG_DFL);
}

}  // namespace openreg::driver
