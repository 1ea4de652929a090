#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>

#include "fallback/host_session.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// Kernels that keep what they are given, as the prepacking ones do, must not be left with freed memory.
namespace openreg::test {
namespace {

at::Tensor kept;

at::Tensor keep(const at::Tensor& x) {
  kept = x;
  return x.sum();
}

at::Tensor kept_plus(const at::Tensor& x) { return kept + x; }

at::Tensor make_and_keep(const at::Tensor& x) { return kept = x + 1; }

std::vector<at::Tensor> twice_the_same(const at::Tensor& x) {
  const auto y = x * 2;
  return {y, y};
}

std::tuple<at::Tensor, at::Tensor> whole_and_part(const at::Tensor& x) {
  const auto y = x * 2;
  return {y, y.narrow(0, 1, 1)};
}

at::Tensor part_of_argument(const at::Tensor& x) { return x.narrow(0, 1, 2); }

// Without a word to the allocator: the data stays where it is.
at::Tensor fill_and_shrink(const at::Tensor& x) {
  auto written = x;
  written.fill_(7);
  written.storage().unsafeGetStorageImpl()->set_nbytes(8);
  return written.sum();
}

TORCH_LIBRARY(openreg_test, library) {
  library.def("keep(Tensor x) -> Tensor", torch::dispatch(c10::DispatchKey::CPU, keep));
  library.def("fill_and_shrink(Tensor(a!) x) -> Tensor", torch::dispatch(c10::DispatchKey::CPU, fill_and_shrink));
  library.def("kept_plus(Tensor x) -> Tensor", torch::dispatch(c10::DispatchKey::CPU, kept_plus));
  library.def("make_and_keep(Tensor x) -> Tensor", torch::dispatch(c10::DispatchKey::CPU, make_and_keep));
  library.def("twice_the_same(Tensor x) -> Tensor[]", torch::dispatch(c10::DispatchKey::CPU, twice_the_same));
  library.def("whole_and_part(Tensor x) -> (Tensor, Tensor)", torch::dispatch(c10::DispatchKey::CPU, whole_and_part));
  library.def("part_of_argument(Tensor(a) x) -> Tensor(a)", torch::dispatch(c10::DispatchKey::CPU, part_of_argument));
}

template <typename Result>
Result call(const char* name, const at::Tensor& x) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow((std::string("openreg_test::") + name).c_str(), "")
      .typed<Result(const at::Tensor&)>()
      .call(x);
}

class Kept : public testing::Test {
 protected:
  void TearDown() override { kept.reset(); }
};

TEST_F(Kept, AnArgumentIsReadRightAfterItsTensorDied) {
  {
    const auto x = counting(1000);
    call<at::Tensor>("keep", x);
  }
  std::vector<at::Tensor> others;
  for (int i = 0; i < 50; ++i) others.push_back(at::full({1000}, -1.0f, device()));
  empty_cache();
  EXPECT_TRUE(same_bits(at::arange(1000, at::kFloat), kept));
  EXPECT_TRUE(same_on_device(at::arange(1000, at::kFloat) - 1, call<at::Tensor>("kept_plus", others[0])));
}

TEST_F(Kept, TheMemoryGoesWhenTheKernelLetsGo) {
  if (fallback::host_access() == fallback::HostAccess::staged) return;  // copies, by design
  const auto before = memory_statistics(0).allocated;
  call<at::Tensor>("keep", counting(1000));
  EXPECT_GT(memory_statistics(0).allocated, before);
  kept.reset();
  EXPECT_EQ(memory_statistics(0).allocated, before);
}

TEST_F(Kept, AKeptArgumentSeesTheStorageGrow) {
  auto x = counting(1000);
  call<at::Tensor>("keep", x);
  at::add_out(x, at::ones({5000}, device()), 1);
  EXPECT_TRUE(same_bits(at::full({5000}, 2.0f), x));
  EXPECT_EQ(kept.numel(), 1000);  // reading it must be safe, whichever bytes it sees
  EXPECT_EQ(kept.sum().numel(), 1);
}

TEST_F(Kept, WhatAKernelWroteIsThereWhenItAlsoShrankTheStorage) {
  auto x = at::zeros({2}, device());
  x.resize_({4}).zero_();
  call<at::Tensor>("fill_and_shrink", x);
  EXPECT_EQ(x.storage().nbytes(), 8U);
  EXPECT_TRUE(same_on_device(at::full({2}, 7.0f), x.narrow(0, 0, 2)));
}

TEST_F(Kept, AResultThatTheKernelKeepsIsCopied) {
  const auto result = call<at::Tensor>("make_and_keep", counting(1000));
  EXPECT_TRUE(same_on_device(at::arange(1, 1001, at::kFloat), result));
  EXPECT_TRUE(kept.is_cpu());
  kept.zero_();
  EXPECT_TRUE(same_on_device(at::arange(1, 1001, at::kFloat), result));
}

TEST_F(Kept, AResultGivenTwiceSharesItsStorage) {
  const auto pair = call<std::vector<at::Tensor>>("twice_the_same", counting(1000));
  EXPECT_TRUE(shares_storage(pair[0], pair[1]));
  EXPECT_TRUE(same_on_device(at::arange(1000, at::kFloat) * 2, pair[0]));
  EXPECT_TRUE(same_on_device(at::arange(1000, at::kFloat) * 2, pair[1]));
}

TEST_F(Kept, AResultThatIsPartOfAnotherStaysPartOfIt) {
  const auto [whole, part] = call<std::tuple<at::Tensor, at::Tensor>>("whole_and_part", counting(1000));
  EXPECT_TRUE(shares_storage(whole, part));
  whole.fill_(3);
  EXPECT_EQ(part.item<float>(), 3);
}

TEST_F(Kept, AResultThatIsPartOfAnArgumentIsAView) {
  const auto x = counting(1000);
  const auto part = call<at::Tensor>("part_of_argument", x);
  EXPECT_TRUE(shares_storage(x, part));
  EXPECT_TRUE(same_on_device(at::tensor({1.f, 2.f}), part));
}

}  // namespace
}  // namespace openreg::test
