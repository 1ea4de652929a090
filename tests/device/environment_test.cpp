#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>

#include <cstdlib>
#include <iostream>

#include "support/errors.h"
#include "support/samples.h"

// The variables are read at first use of the device, so each test runs in a process of its own, in which the device is
// cold. A child says what went wrong on stderr and ends with status 1.
namespace openreg::test {
namespace {

void expect(bool condition, const std::string& what) {
  if (!condition) {
    std::cerr << "failed: " << what << '\n';
    _exit(1);
  }
}

void expect_error(const char* variable, const char* value, const std::string& rest) {
  setenv(variable, value, 1);
  const auto error = error_of([] { init(); });
  const auto named = std::string(variable) + "=" + value;
  expect(error.find(named) != std::string::npos && error.find(rest) != std::string::npos, named + " gave: " + error);
  unsetenv(variable);
}

template <typename Function>
[[noreturn]] void in_child(Function function) {
  try {
    function();
  } catch (const std::exception& error) {
    expect(false, error.what());
  }
  std::cerr << "child is content\n";
  _exit(0);
}

class Environment : public testing::Test {
 protected:
  Environment() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

#define EXPECT_CHILD(...) EXPECT_EXIT(in_child([] __VA_ARGS__), testing::ExitedWithCode(0), "child is content")

TEST_F(Environment, BadValuesAreNamedWithTheAllowedOnes) {
  EXPECT_CHILD({
    for (const char* bad : {"0", "9", "-1", "x", "2x", "99999999999"}) {
      expect_error("OPENREG_DEVICE_COUNT", bad, "use a whole number from 1 to 8");
    }
    for (const char* bad : {"0", "-5", "lots", "1T", "1.5G", "99999999999999999999", "M"}) {
      expect_error("OPENREG_MEMORY_LIMIT", bad, "use bytes, or a whole number with K, M or G");
    }
    expect_error("OPENREG_LOG_LEVEL", "loud", "off, error, warn, info, debug");
    expect_error("OPENREG_HOST_ACCESS", "direct", "mapped, staged");
    expect_error("OPENREG_FALLBACK", "on", "global, selective, off, stock");
    expect_error("OPENREG_FALLBACK_WARN", "never", "off, once, always");
    init();  // a bad value that is put right does no harm
    expect(device_count() == 2, "the device starts afterwards");
  });
}

TEST_F(Environment, UnknownOperatorNamesAreRefusedWithNearOnes) {
  for (const char* variable : {"OPENREG_FALLBACK_FORBID", "OPENREG_FALLBACK_ALLOW", "OPENREG_FALLBACK_FORCE"}) {
    EXPECT_EXIT(in_child([variable] {
                  setenv(variable, "aten::add.Tensorr", 1);
                  const auto error = error_of([] { init(); });
                  expect(error.find("aten::add.Tensorr") != std::string::npos, error);
                  expect(error.find("aten::add.Tensor'") != std::string::npos ||
                             error.find("aten::add.Tensor,") != std::string::npos ||
                             error.find("aten::add.Tensor ") != std::string::npos,
                         "near names in: " + error);
                }),
                testing::ExitedWithCode(0), "child is content");
  }
}

TEST_F(Environment, DeviceCountIsObeyed) {
  for (const char* count : {"1", "8"}) {
    EXPECT_EXIT(in_child([count] {
                  setenv("OPENREG_DEVICE_COUNT", count, 1);
                  const int expected = std::atoi(count);
                  expect(device_count() == expected, "count");
                  expect(at::ones({2}, device(expected - 1)).sum().item<float>() == 2, "last device computes");
                  const auto error = error_of([&] { at::ones({2}, device(expected)); });
                  const auto there = expected == 1 ? std::string("there is 1 device") : "there are 8 devices";
                  expect(error.find(there) != std::string::npos, error);
                }),
                testing::ExitedWithCode(0), "child is content");
  }
}

TEST_F(Environment, FallbackVariablesMakeThePolicy) {
  EXPECT_CHILD({
    setenv("OPENREG_FALLBACK", "selective", 1);
    setenv("OPENREG_FALLBACK_FORBID", "aten::mm, aten::mm.out", 1);
    setenv("OPENREG_FALLBACK_ALLOW", "aten::add", 1);
    const auto policy = fallback_policy();
    expect(policy.mode == FallbackMode::selective, "mode");
    expect(policy.forbid == std::vector<std::string>{"aten::mm", "aten::mm.out"}, "forbid");
    expect(policy.allow == std::vector<std::string>{"aten::add"}, "allow");
    const auto x = at::empty({2}, device());
    x.add(x);
    expect(!error_of([&] { x.mul(x); }).empty(), "mul is not allowed");
  });
}

TEST_F(Environment, AFullDeviceSaysWhatWasAskedAndWhatIsThere) {
  EXPECT_CHILD({
    setenv("OPENREG_MEMORY_LIMIT", "64M", 1);
    const auto kept = at::empty({8 << 20}, at::device(device()).dtype(at::kByte));
    bool thrown = false;
    try {
      at::empty({1 << 30}, at::device(device()).dtype(at::kByte));
    } catch (const c10::OutOfMemoryError& error) {
      thrown = true;
      const std::string text = error.what_without_backtrace();
      for (const char* part : {"openreg:0 is out of memory", "1.00 GiB requested", "of 64.00 MiB", "8.00 MiB in live",
                               "raise OPENREG_MEMORY_LIMIT"}) {
        expect(text.find(part) != std::string::npos, part + (" in: " + text));
      }
    }
    expect(thrown, "OutOfMemoryError");
    expect(memory_statistics(0).out_of_memory == 1, "counted");
    at::empty({32 << 20}, at::device(device()).dtype(at::kByte));   // the device goes on
    at::empty({40 << 20}, at::device(device()).dtype(at::kByte));   // what was cached goes back by itself
    at::empty({40 << 20}, at::device(device(1)).dtype(at::kByte));  // the limit is each device's
  });
}

TEST_F(Environment, OperatorsWithACompositeCanBeForcedFromTheStart) {
  EXPECT_CHILD({
    setenv("OPENREG_FALLBACK", "off", 1);
    setenv("OPENREG_FALLBACK_FORCE", "aten::silu_backward,aten::add.Tensor,aten::convolution", 1);
    const auto x = at::empty({2}, device());
    x.add(x);
    at::silu_backward(x, x);
  });
  EXPECT_CHILD({
    setenv("OPENREG_FALLBACK_FORCE", "aten::view", 1);
    const auto error = error_of([] { init(); });
    expect(error.find("cannot be forced for 'aten::view': ") != std::string::npos, error);
  });
}

TEST_F(Environment, ADisabledBackendSaysSo) {
  setenv("OPENREG_DISABLE", "1", 1);  // read before the child's main
  EXPECT_CHILD({
    expect(error_of([] { init(); }).find("switched off by OPENREG_DISABLE") != std::string::npos, "init");
    expect(!c10::is_privateuse1_backend_registered(), "nothing is registered");
  });
  unsetenv("OPENREG_DISABLE");
}

}  // namespace
}  // namespace openreg::test
