#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/host_view.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

enum class Access { read, write };
enum class Place { first, last };
using Case = std::tuple<Access, Place, std::int64_t, bool>;

void touch(const at::Tensor& tensor, Access access, Place place) {
  auto* byte = static_cast<volatile char*>(tensor.data_ptr());
  byte += place == Place::last ? tensor.nbytes() - 1 : 0;
  if (access == Access::write) {
    *byte = 1;
  } else {
    static_cast<void>(*byte);
  }
}

// Computes on the tensor until the process ends.
void keep_busy(const at::Tensor& tensor) {
  static std::atomic<int> rounds{0};
  std::thread([tensor] {
    auto x = tensor;
    for (;; ++rounds) x.add_(1);
  }).detach();
  while (rounds < 3) std::this_thread::yield();
}

class Isolation : public testing::TestWithParam<Case> {};

TEST_P(Isolation, HostCodeThatTouchesDeviceMemoryDies) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the child is a new process, whose threads run
  const auto [access, place, size, busy] = GetParam();
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_DFL);  // libtorch's MPI may have installed a handler
        const auto tensor = at::ones({size}, device());
        if (tensor.data_ptr() == nullptr) _exit(2);
        if (busy) keep_busy(tensor);
        touch(tensor, access, place);
        _exit(3);
      },
      testing::KilledBySignal(SIGSEGV), "");
}

INSTANTIATE_TEST_SUITE_P(Idle, Isolation,
                         testing::Combine(testing::Values(Access::read, Access::write),
                                          testing::Values(Place::first, Place::last), testing::Values(1, 1 << 20),
                                          testing::Values(false)));
INSTANTIATE_TEST_SUITE_P(WhileAKernelRuns, Isolation,
                         testing::Combine(testing::Values(Access::read, Access::write),
                                          testing::Values(Place::first, Place::last), testing::Values(1 << 20),
                                          testing::Values(true)));

// While a host view is open, its address is open and the tensor's is not.
TEST(IsolationOfViews, AnOpenHostViewDoesNotOpenTheDeviceAddress) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_DFL);
        const auto tensor = at::ones({8}, device());
        MutableHostView view(tensor);
        view.tensor().fill_(2);
        if (*static_cast<const float*>(view.data()) != 2) _exit(2);
        touch(tensor, Access::read, Place::first);
        _exit(3);
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(HostViews, ReadAndWriteTheTensorsBytes) {
  const auto x = at::arange(12, at::kFloat).view({3, 4}).to(device()).t();
  {
    const HostView view(x);
    EXPECT_TRUE(view.tensor().is_cpu());
    EXPECT_EQ(view.tensor().strides(), x.strides());
    EXPECT_TRUE(same_bits(x.cpu(), view.tensor()));
  }
  {
    const MutableHostView view(x);
    view.tensor().select(0, 1).fill_(-1);
  }
  EXPECT_TRUE(same_bits(at::full({3}, -1.0f), x.select(0, 1)));
  EXPECT_TRUE(same_bits(at::tensor({0.f, 4.f, 8.f}), x.select(0, 0)));
}

TEST(HostViews, HoldTheMemory) {
  auto x = at::full({1000}, 5.0f, device());
  const HostView view(x);
  x.reset();
  const auto other = at::zeros({1000}, device());
  EXPECT_TRUE(same_bits(at::full({1000}, 5.0f), view.tensor()));
}

TEST(HostViews, RefuseWhatIsNotOnTheDevice) {
  EXPECT_TRUE(throws([] { const HostView view(at::Tensor{}); }, "A host view needs a defined tensor"));
  EXPECT_TRUE(throws([] { const MutableHostView view(at::ones({2})); }, "on openreg, but this one is on cpu"));
}

}  // namespace
}  // namespace openreg::test
