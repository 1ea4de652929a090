#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "openreg/fallback.h"
#include "openreg/openreg.h"
#include "support/errors.h"
#include "support/samples.h"

// What is thrown below libtorch's shared libraries arrives as what it was.
namespace openreg::test {
namespace {

TEST(Exceptions, AreC10ErrorsOfTheRightKind) {
  EXPECT_THROW(at::ones({2}, device()).add(at::ones({3}, device())), c10::Error);
  EXPECT_THROW(at::ones({2}, device(7)), c10::Error);
  EXPECT_THROW(at::ones({4}, device()).index({at::tensor({9}, at::kLong).to(device())}), c10::IndexError);
  EXPECT_THROW(at::empty({std::int64_t{1} << 35}, device()), c10::OutOfMemoryError);
  EXPECT_THROW(at::ones({2}, device()).add(at::ones({3}, device())), std::exception);
}

TEST(Exceptions, AFallbackThatIsNotThereIsNotImplemented) {
  auto policy = fallback_policy();
  policy.forbid.push_back("aten::tan");
  const FallbackPolicyScope scope(policy);
  EXPECT_THROW(at::tan(at::ones({2}, device())), c10::NotImplementedError);
}

TEST(Exceptions, TheBacktraceCanBeLeftOut) {
  try {
    parse_device("openreg:99");
    FAIL();
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    EXPECT_EQ(text, "'openreg:99' is no device: use 'openreg' or 'openreg:0' to 'openreg:1'.");
  }
}

TEST(Exceptions, TheDeviceWorksAfterAnError) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(error_of([] { at::ones({2}, device()).matmul(at::ones({3, 2}, device())); }).empty());
    EXPECT_EQ(at::ones({2}, device()).sum().item<int>(), 2);
  }
}

}  // namespace
}  // namespace openreg::test
