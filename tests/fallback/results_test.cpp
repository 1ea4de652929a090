#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/memory.h>

#include "fallback/host_session.h"
#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

class ErrorsOnly final : public c10::WarningHandler {
  void process(const c10::Warning&) override {}  // libtorch warns when it resizes an out= that is not empty
};

at::Tensor add_into(at::Tensor out) {
  ErrorsOnly quiet;
  const c10::WarningUtils::WarningHandlerGuard guard(&quiet);
  const auto x = at::arange(6, at::kFloat).view({2, 3}).to(out.device());
  at::add_out(out, x, x);
  return out;
}

TEST(Results, OutIsResizedWhenEmptyTooSmallOrTooLarge) {
  for (const std::vector<std::int64_t>& start :
       std::vector<std::vector<std::int64_t>>{{0}, {2}, {100}, {2, 3}, {3, 2}}) {
    const LedgerScope scope;
    EXPECT_TRUE(
        alike([&] { return add_into(at::empty(start)); }, [&] { return add_into(at::empty(start, device())); }));
    EXPECT_GT(scope.calls("aten::add.out"), 0u);
  }
}

TEST(Results, AResizedOutIsWhatItsViewsSee) {
  auto out = at::empty({0}, device());
  const auto alias = out.detach();
  add_into(out);
  EXPECT_TRUE(shares_storage(out, alias));
  EXPECT_EQ(out.storage().nbytes(), 6 * sizeof(float));
  EXPECT_EQ(out.storage().device(), device());
}

TEST(Results, OutThatCannotGrowFailsAsOnTheCpu) {
  const auto run = [](c10::Device where) {
    auto out = at::empty({1}, where);
    out.storage().unsafeGetStorageImpl()->set_resizable(false);
    add_into(out);
  };
  EXPECT_TRUE(throw_alike([&] { run(at::kCPU); }, [&] { run(device()); }));
}

TEST(Results, SeveralOutsAreResized) {
  const auto run = [](c10::Device where) {
    auto values = at::empty({0}, where);
    auto indices = at::empty({0}, at::device(where).dtype(at::kLong));
    at::sort_out(values, indices, at::tensor({3.f, 1.f, 2.f}).to(where));
    return std::make_pair(values, indices);
  };
  const auto [values, indices] = run(device());
  EXPECT_TRUE(same_on_device(at::tensor({1.f, 2.f, 3.f}), values));
  EXPECT_TRUE(same_on_device(run(at::kCPU).second, indices));
}

TEST(Results, AreAdoptedAndNotCopied) {
  if (fallback::host_access() == fallback::HostAccess::staged) return;  // copies, by design
  const auto x = at::ones({1 << 20}, device());
  x.add(x);  // from here on the cache has a block of that size
  const LedgerScope scope;
  const auto before = memory_statistics(0);
  const auto y = x.add(x);
  EXPECT_EQ(memory_statistics(0).allocations, before.allocations + 1);
  EXPECT_TRUE(same_on_device(at::full({1 << 20}, 2.0f), y));
  for (const auto& entry : scope.entries()) {
    EXPECT_EQ(entry.bytes, 0u) << entry.op;
  }
}

TEST(Results, MemoryReturnsAfterwards) {
  const auto before = memory_statistics(0).allocated;
  {
    const auto x = at::randn({64, 64}, device());
    const auto y = at::softmax(at::mm(x, x), -1).topk(3, 1);
    const auto z = std::get<0>(at::linalg_svd(x));
  }
  EXPECT_EQ(memory_statistics(0).allocated, before);
}

TEST(Results, AreOnTheDeviceOfTheArguments) {
  const auto x = at::ones({3}, device(1));
  EXPECT_EQ((x + x).device(), device(1));
  EXPECT_EQ((x + x).storage().device(), device(1));
  EXPECT_EQ(at::cat({x, x}).device(), device(1));
  EXPECT_EQ(at::nonzero(x).device(), device(1));
}

TEST(Results, FloorDivideOfACpuScalarTensorIsOnTheDevice) {
  const auto divisor = at::tensor({2.f, 3.f}).to(device());
  const auto quotient = at::floor_divide(at::scalar_tensor(7.0f), divisor);
  EXPECT_TRUE(same_on_device(at::tensor({3.f, 2.f}), quotient));
  EXPECT_EQ((at::scalar_tensor(7.0f) * divisor).device(), device());
}

TEST(Results, WhatIsNotStridedIsRefusedByName) {
  const auto x = at::eye(3).to(device());
  const auto refused = [](const std::function<at::Tensor()>& run, const char* name) {
    return throws([&] { static_cast<void>(run()); }, name);
  };
  EXPECT_TRUE(refused([&] { return x.to_sparse(); }, "to_sparse"));
  EXPECT_TRUE(refused([&] { return x.to_sparse_csr(); }, "to_sparse"));
  EXPECT_TRUE(refused([&] { return x.to_mkldnn(); }, "mkldnn"));
  EXPECT_TRUE(throws([&] { x.to_sparse(); }, "openreg"));
}

TEST(Results, NestedTensorsAreRefusedByNameWithAndWithoutGradients) {
  const auto x = at::ones({2, 3}, device());
  const auto leaf = at::ones({4, 3}, device()).requires_grad_();
  const auto nest = [](const at::Tensor& one, const at::Tensor& other) {
    return throws([&] { at::_nested_tensor_from_tensor_list({one, other}); }, "gives a nested tensor");
  };
  EXPECT_TRUE(nest(x, x));
  EXPECT_TRUE(nest(x, leaf));
  EXPECT_TRUE(throws([&] { at::_nested_tensor_from_mask(x.unsqueeze(0), x.select(1, 0).gt(0).unsqueeze(0)); },
                     "a result of layout Nested"));
}

TEST(Results, AreNotCpuTensorsWhenTheCpuReturnsOne) {
  for (const auto& result :
       {at::isnan(at::ones({2}, device())), at::argmax(at::ones({2}, device())),
        at::equal(at::ones({2}, device()), at::ones({2}, device())) ? at::ones({1}, device()) : at::ones({1})}) {
    EXPECT_TRUE(result.device().is_privateuseone());
  }
}

TEST(Results, ShapesOfOutOfPlaceOperatorsAreRight) {
  const auto x = values({4, 4}, at::kFloat);
  const auto dx = x.to(device());
  EXPECT_TRUE(same_on_device(at::abs(x), at::abs(dx)));
  EXPECT_TRUE(same_on_device(at::isnan(x), at::isnan(dx)));
  EXPECT_TRUE(same_on_device(at::isinf(x), at::isinf(dx)));
  EXPECT_TRUE(same_on_device(at::isfinite(x), at::isfinite(dx)));
}

TEST(Results, ZeroTensorsAndConjugatesCompute) {
  const auto zero = at::_efficientzerotensor({3}, at::device(device()));
  const auto x = at::arange(3, at::kFloat).to(device());
  EXPECT_TRUE(same_on_device(at::arange(3, at::kFloat), zero + x));
  EXPECT_TRUE(same_bits(at::zeros({3}), zero * x));
  EXPECT_TRUE(same_bits(at::zeros({3}), zero.cpu()));
  const auto z = at::complex(x, x + 1);
  EXPECT_TRUE(same_bits((z.cpu().conj() + 1).resolve_conj(), z.conj() + 1));
  EXPECT_TRUE(same_bits(at::imag(z.cpu().conj()).exp(), at::imag(z.conj()).exp()));
  const auto matrix = z.view({1, 3}).conj();
  EXPECT_TRUE(same_bits(at::mm(matrix.cpu(), matrix.cpu().t()), at::mm(matrix, matrix.t())));
}

TEST(Results, ZeroElementsCompute) {
  const auto empty = at::empty({0, 4}, device());
  EXPECT_TRUE(same_on_device(at::zeros({0, 2}), at::mm(empty, at::ones({4, 2}, device()))));
  EXPECT_TRUE(same_on_device(at::zeros({4, 4}), at::mm(empty.t(), empty)));
  EXPECT_TRUE(same_on_device(at::zeros({0, 0}), at::mm(empty, empty.t())));
  EXPECT_TRUE(same_on_device(at::empty({0, 4}), empty + empty));
  EXPECT_TRUE(same_on_device(at::arange(0, 0), at::arange(0, 0, at::device(device()))));
  const std::vector<float> none;
  EXPECT_TRUE(same_on_device(at::tensor(none), at::tensor(none, at::device(device()))));
  auto out = at::empty({0}, at::device(device()).dtype(at::kBool));
  EXPECT_TRUE(same_on_device(at::empty({0}, at::kBool), at::mul_out(out, out.clone(), out.clone())));
  const auto leaf = at::ones({1, 0}, device()).requires_grad_();
  at::true_divide(leaf, 2).sum().backward();
  EXPECT_TRUE(same_on_device(at::ones({1, 0}), leaf.grad()));
}

TEST(Results, GoIntoStridedOutputsAndTouchNothingElse) {
  const auto run = [](c10::Device where) {
    const auto base = at::zeros({6, 8}, where);
    const auto x = at::arange(12, at::kFloat).view({3, 4}).to(where);
    auto window = base.slice(0, 1, 4).slice(1, 0, 8, 2);
    at::mul_out(window, x, x);
    auto turned = base.t().slice(0, 0, 4).slice(1, 3, 6);
    at::add_out(turned, x.t(), x.t());
    base.view({2, 3, 8})[1][2][7] = 3;
    return base;
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

TEST(Results, AnInputMayBeTheOutput) {
  const auto run = [](c10::Device where) {
    auto x = at::arange(6, at::kFloat).to(where);
    at::mul_out(x, x, x);
    auto out = at::empty({6}, where);
    return at::mul_out(out, x, x);
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

}  // namespace
}  // namespace openreg::test
