#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

TEST(Copy, EveryLayoutArrivesAndComesBack) {
  for (const auto& sample : all_samples()) {
    SCOPED_TRACE(sample.name);
    const auto strides = sample.cpu.to(at::kCPU, false, /*copy=*/true).strides().vec();
    const auto there = sample.cpu.to(device());
    for (const auto& copy : {sample.device.cpu(), there, sample.device.to(device(1))}) {
      EXPECT_TRUE(same_bits(sample.cpu, copy));
      EXPECT_EQ(copy.strides(), c10::IntArrayRef(strides)) << copy.device();
    }
  }
}

TEST(Copy, CloneKeepsTheFormatThatTheCpuKeeps) {
  for (const auto& sample : all_samples()) {
    SCOPED_TRACE(sample.name);
    EXPECT_TRUE(alike([&] { return sample.cpu.clone(); }, [&] { return sample.device.clone(); }));
    EXPECT_FALSE(shares_storage(sample.device, sample.device.clone()));
    EXPECT_TRUE(alike([&] { return sample.cpu.contiguous(); }, [&] { return sample.device.contiguous(); }));
  }
}

TEST(Copy, RunsOurKernel) {
  const LedgerScope scope;
  at::ones({2}).to(device()).cpu();
  EXPECT_EQ(scope.calls("aten::_copy_from", Way::native), 2u);
}

TEST(Copy, ManyBytesToTheHostByOneThread) {
  const auto threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto x = at::arange(1 << 18, at::kFloat);
  const auto there = x.to(device());
  EXPECT_TRUE(same_bits(x, there.cpu()));
  EXPECT_TRUE(same_bits(x.to(at::kDouble), there.to(at::kCPU, at::kDouble)));
  auto window = at::zeros({2, 1 << 18}).t();
  window.select(1, 1).copy_(there);
  EXPECT_TRUE(at::equal(window.select(1, 1), x));
  at::set_num_threads(threads);
}

// The destination is a window of a larger tensor; nothing around it may change.
TEST(Copy, IntoAStridedWindowTouchesNothingElse) {
  const auto base = [](c10::Device where) { return at::full({6, 8}, -1.0f, where); };
  const auto window = [](const at::Tensor& t) { return t.slice(0, 1, 4).slice(1, 0, 8, 2); };
  const auto source = at::arange(12, at::kFloat).view({3, 4});
  const auto expected = base(at::kCPU);
  window(expected).copy_(source);
  for (const auto& from : {source, source.to(device()), source.to(device(1)), source.to(at::kDouble)}) {
    const auto to = base(device());
    window(to).copy_(from);
    EXPECT_TRUE(same_bits(expected, to));
  }
  const auto host = base(at::kCPU);
  window(host).copy_(source.to(device()));
  EXPECT_TRUE(same_bits(expected, host));
}

TEST(Copy, OneElementOfAnOffsetView) {
  auto x = at::tensor({1.f, 2.f, 3.f, 4.f}).to(at::kHalf).to(device());
  x.select(0, 2).copy_(at::scalar_tensor(9.0, at::kHalf));
  EXPECT_TRUE(same_bits(at::tensor({1.f, 2.f, 9.f, 4.f}).to(at::kHalf), x));
  auto w = at::zeros({2, 2, 2, 2}, device());
  w[0][1][0][0] = 3;
  EXPECT_EQ(w.sum().item<float>(), 3);
  EXPECT_EQ(w[0][1][0][0].item<float>(), 3);
}

TEST(Copy, Broadcasts) {
  const auto row = at::arange(4, at::kFloat);
  for (const auto& from : {row, row.to(device()), at::scalar_tensor(2.5), at::scalar_tensor(2.5).to(device())}) {
    auto expected = at::zeros({3, 4});
    expected.copy_(from.cpu());
    auto to = at::zeros({3, 4}, device());
    to.copy_(from);
    EXPECT_TRUE(same_bits(expected, to));
  }
  EXPECT_TRUE(throw_alike(
      [&] {
        at::zeros({3, 5}).copy_(row);
      },
      [&] {
        at::zeros({3, 5}, device()).copy_(row.to(device()));
      }));
}

TEST(Copy, OverlapsAreTreatedAsOnTheCpu) {
  const auto shifted = [](c10::Device where) {
    auto x = at::arange(6, at::kFloat).to(where);
    x.narrow(0, 1, 5).copy_(x.narrow(0, 0, 5));
    return x;
  };
  const auto expanded = [](c10::Device where) {
    auto x = at::zeros({1}, where).expand({3});
    x.copy_(at::ones({3}, where));
    return x;
  };
  const auto itself = [](c10::Device where) {
    auto x = at::arange(6, at::kFloat).to(where);
    x.copy_(x);
    return x;
  };
  const auto transposed = [](c10::Device where) {
    auto x = at::arange(9, at::kFloat).view({3, 3}).to(where);
    x.copy_(x.t());
    return x;
  };
  for (const std::function<at::Tensor(c10::Device)>& copy :
       {std::function<at::Tensor(c10::Device)>(shifted), std::function<at::Tensor(c10::Device)>(expanded),
        std::function<at::Tensor(c10::Device)>(itself), std::function<at::Tensor(c10::Device)>(transposed)}) {
    EXPECT_TRUE(alike([&] { return copy(at::kCPU); }, [&] { return copy(device()); }));
  }
  EXPECT_TRUE(throws([&] { shifted(device()); }, "refer to a single memory location"));
  EXPECT_TRUE(throws([&] { expanded(device()); }, "more than one element of the written-to tensor"));
}

TEST(Copy, AcrossDevicesLeavesTheCurrentDeviceAlone) {
  const auto x = at::arange(10, at::kInt).to(device(1));
  auto y = at::zeros({10}, at::device(device(0)).dtype(at::kInt));
  y.copy_(x);
  EXPECT_TRUE(same_on_device(at::arange(10, at::kInt), y));
  EXPECT_EQ(y.device(), device(0));
  EXPECT_EQ(x.to(device(0)).to(device(1)).device(), device(1));
  EXPECT_EQ(at::empty({1}, torch::Device("openreg")).device(), device(0));
}

TEST(Copy, NonBlockingCopiesAreCompleteWhenTheyAreRead) {
  const auto x = at::arange(100'000, at::kFloat);
  const auto there = x.to(device(), at::kFloat, /*non_blocking=*/true);
  auto back = at::empty_like(x);
  back.copy_(there, /*non_blocking=*/true);
  EXPECT_TRUE(same_bits(x, back));
}

TEST(Copy, ConjugateAndNegativeBitsOfEitherSideAreHonoured) {
  const auto z = values({3, 4}, at::kComplexFloat).nan_to_num(1, 2, 3);
  const auto dz = z.to(device());
  EXPECT_TRUE(same_bits(z.conj().resolve_conj(), dz.conj().cpu()));
  EXPECT_TRUE(same_bits(at::imag(z.conj()), at::imag(dz.conj()).cpu()));
  EXPECT_TRUE(same_bits(z.conj() * 2, dz.conj() * 2));
  EXPECT_TRUE(same_bits(z.conj().clone(), dz.conj().clone()));
  EXPECT_TRUE(close_to(at::mm(z.conj(), z.t().conj()), at::mm(dz.conj(), dz.t().conj()), 1e-6));
  auto to = at::zeros_like(dz);
  to.conj().copy_(dz);
  EXPECT_TRUE(same_bits(z.conj().resolve_conj(), to));
  at::_neg_view(to).copy_(z);
  EXPECT_TRUE(same_bits(-z, to));
}

TEST(Copy, ZeroTensorsAreCopied) {
  const auto zero = at::_efficientzerotensor({3, 2}, at::device(device()));
  ASSERT_TRUE(zero._is_zerotensor());
  ASSERT_EQ(zero.device(), device());
  EXPECT_TRUE(same_bits(at::zeros({3, 2}), zero.cpu()));
  EXPECT_TRUE(same_bits(at::zeros({3, 2}), at::ones({3, 2}, device()).copy_(zero)));
  EXPECT_TRUE(same_bits(at::zeros({3, 2}), at::ones({3, 2}).copy_(zero)));
  EXPECT_TRUE(same_bits(at::zeros({3, 2}), zero.clone()));
  EXPECT_TRUE(same_bits(at::zeros({3, 2}), at::_efficientzerotensor({3, 2}).to(device())));
  EXPECT_TRUE(same_bits(at::zeros({3, 2}), zero.to(device(1))));
}

TEST(Copy, ZeroElementsTouchNothing) {
  EXPECT_TRUE(same_bits(at::empty({0, 64}), at::empty({0, 64}).to(device())));
  EXPECT_TRUE(same_bits(at::zeros({1, 0, 3}), at::zeros({1, 0, 3}, device()).cpu()));
  at::empty({0}, device()).copy_(at::empty({0}, device(1)));
}

TEST(Copy, AndResizeTakesTheSourcesSizes) {
  const auto source = at::arange(6, at::kFloat).view({2, 3});
  for (const auto& start : {at::empty({0}, device()), at::empty({5}, device()), at::empty({2, 3}, device())}) {
    EXPECT_TRUE(same_bits(source, at::_copy_from_and_resize(source, start)));
    EXPECT_TRUE(same_on_device(source, start));
  }
}

}  // namespace
}  // namespace openreg::test
