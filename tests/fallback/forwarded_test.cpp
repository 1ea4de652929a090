#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/dispatch.h>
#include <openreg/fallback.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>

#include <thread>

#include "fallback/host_session.h"
#include "ops/forwarded.h"
#include "support/compare.h"
#include "support/dispatcher.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

// The forwarded operators keep every promise of the boxed fallback: in the plain case, which they do themselves, and
// in all others, which they hand to it.
namespace openreg::test {
namespace {

TEST(Forwarded, EveryOperatorHasACpuKernelAndItsGradient) {
  init();
  EXPECT_GT(ops::forwarded_operators().size(), 90u);
  for (const auto& name : ops::forwarded_operators()) {
    const auto op = find_operator(name);
    EXPECT_TRUE(op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)) << name;
    EXPECT_TRUE(op.hasKernelForDispatchKey(c10::DispatchKey::CPU) ||
                op.hasKernelForDispatchKey(c10::DispatchKey::Autograd))
        << name;
  }
}

TEST(Forwarded, NoOperatorOfOpenregIsInTwoTables) {
  init();
  for (const auto& name : dispatch::get_all_op_names()) {
    std::string files;
    int kernels = 0;
    for (const auto& entry : dispatch::registrations(name)) {
      if (entry.key == "PrivateUse1" && contains(entry.where, "/src/")) {
        ++kernels;
        files += " " + entry.where;
      }
    }
    EXPECT_LE(kernels, 1) << name << files;
  }
}

TEST(Forwarded, SwitchedOffTheyGoTheBoxedWay) {
  FallbackPolicy policy;
  policy.forwarded = false;
  const auto x = counting(6);
  const LedgerScope ledger;
  {
    const FallbackPolicyScope scope(policy);
    EXPECT_TRUE(same_on_device(at::arange(6, at::kFloat) * 2, x + x));
  }
  EXPECT_TRUE(ran_by(ledger, "aten::add.Tensor", Way::explicit_fallback));
  const LedgerScope again;
  EXPECT_TRUE(same_on_device(at::arange(6, at::kFloat) * 2, x + x));
  EXPECT_TRUE(ran_by(again, "aten::add.Tensor", Way::forwarded));
}

TEST(Forwarded, TheResultIsTheDevicesOwnMemoryWithoutACopy) {
  if (fallback::host_access() == fallback::HostAccess::staged) return;  // copies, by design
  const auto x = counting(1000);
  const LedgerScope ledger;
  const auto before = memory_statistics(0).allocations;
  const auto y = x.exp();
  EXPECT_EQ(memory_statistics(0).allocations, before + 1);
  EXPECT_EQ(y.storage().data_ptr().get_context(), y.storage().data());
  for (const auto& entry : ledger.entries()) EXPECT_EQ(entry.bytes, 0u) << entry.op;
}

TEST(Forwarded, DeviceErrorsHaveTheTextOfTheBoxedWay) {
  const auto x = counting(4);
  const auto two_devices = "Expected all tensors to be on the same device, but ";  // the rest is the version's
  EXPECT_TRUE(throws([&] { at::add(x, at::ones({4})); }, two_devices));
  EXPECT_TRUE(throws([&] { at::mm(at::ones({2, 2}), at::ones({2, 2}, device())); }, two_devices));
  EXPECT_TRUE(throws([&] { at::cat({x, at::ones({4})}); }, two_devices));
  auto out = at::empty({}, at::kFloat);
  EXPECT_TRUE(throws([&] { at::add_out(out, counting(1)[0], counting(1)[0]); }, two_devices));
  if (device_count() > 1) {
    const auto error = error_of([&] { at::add(x, x.to(at::Device(device().type(), 1))); });
    EXPECT_TRUE(contains(error, "openreg:0") && contains(error, "openreg:1")) << error;
  }
}

TEST(Forwarded, NumbersOfTheCpuAreTaken) {
  const auto x = counting(4);
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat) + 2, x + 2));
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat) * 3, x * at::scalar_tensor(3.0)));
  // A wrapped number does not widen the type, a tensor without dimensions neither; each as on the CPU.
  EXPECT_EQ((counting(2).to(at::kHalf) * 2.5).scalar_type(), at::kHalf);
}

TEST(Forwarded, OneTensorTwiceIsOneTensorForTheKernel) {
  auto x = counting(6);
  x.mul_(x);
  EXPECT_TRUE(same_on_device(at::arange(6, at::kFloat).square(), x));
  const auto matrix = counting(4).view({2, 2});
  EXPECT_TRUE(same_on_device(at::mm(matrix.cpu(), matrix.cpu()), at::mm(matrix, matrix)));
}

TEST(Forwarded, TwoViewsOfOneStorageShareIt) {
  auto x = counting(6);
  EXPECT_TRUE(same_on_device(at::tensor({3.f, 5.f, 7.f}), x.narrow(0, 0, 3) + x.narrow(0, 3, 3)));
  EXPECT_TRUE(throws([&] { x.narrow(0, 1, 5).add_(x.narrow(0, 0, 5)); }, "single memory location"));
  EXPECT_TRUE(same_on_device(at::arange(6, at::kFloat), x));
  x.narrow(0, 0, 3).add_(x.narrow(0, 3, 3));
  EXPECT_TRUE(same_on_device(at::tensor({3.f, 5.f, 7.f, 3.f, 4.f, 5.f}), x));
}

TEST(Forwarded, OutGrowsAndChangesShape) {
  auto out = at::empty({0}, device());
  const auto& result = at::add_out(out, counting(6), counting(6));
  EXPECT_TRUE(result.is_same(out));
  EXPECT_TRUE(same_on_device(at::arange(6, at::kFloat) * 2, out));
  auto other = counting(6);
  at::mm_out(other, at::ones({2, 3}, device()), at::ones({3, 4}, device()));
  EXPECT_TRUE(same_on_device(at::full({2, 4}, 3.0f), other));
  at::exp_out(out, counting(2));
  EXPECT_TRUE(same_on_device(at::arange(2, at::kFloat).exp(), out));
}

TEST(Forwarded, AnOutResizedBeforeAnErrorStaysResized) {
  const auto run = [](at::Tensor out, const at::Tensor& self, const at::Tensor& index) {
    EXPECT_FALSE(error_of([&] { at::index_select_out(out, self, 0, index); }).empty());
    return out.sizes().vec();
  };
  const auto index = at::tensor({9}, at::kLong);
  EXPECT_EQ(run(at::empty({0}), at::ones({3, 2}), index),
            run(at::empty({0}, device()), at::ones({3, 2}, device()), index.to(device())));
}

TEST(Forwarded, SeveralResultsAndSeveralOuts) {
  const auto x = at::tensor({3.f, 1.f, 2.f, 5.f, 4.f, 6.f}).view({2, 3});
  const auto dx = x.to(device());
  const auto [values, indices] = dx.max(1);
  EXPECT_TRUE(same_on_device(std::get<0>(x.max(1)), values));
  EXPECT_TRUE(same_on_device(std::get<1>(x.max(1)), indices));
  auto most = at::empty({0}, device());
  auto where = at::empty({0}, dx.options().dtype(at::kLong));
  const auto outs = at::max_out(most, where, dx, 0);
  EXPECT_TRUE(std::get<0>(outs).is_same(most) && std::get<1>(outs).is_same(where));
  EXPECT_TRUE(same_on_device(std::get<0>(x.max(0)), most));
  EXPECT_TRUE(same_on_device(std::get<1>(x.max(0)), where));
}

TEST(Forwarded, OptionalTensorsAndLists) {
  const auto x = at::randn({2, 3, 4, 4});
  const auto w = at::randn({5, 3, 3, 3});
  const auto b = at::randn({5});
  const auto to = [](const at::Tensor& t) { return t.to(device()); };
  EXPECT_TRUE(same_on_device(at::conv2d(x, w, b), at::conv2d(to(x), to(w), to(b))));
  EXPECT_TRUE(same_on_device(at::conv2d(x, w), at::conv2d(to(x), to(w))));
  EXPECT_TRUE(same_on_device(at::cat({x, x, w.narrow(0, 0, 2).narrow(2, 0, 1).expand({2, 3, 4, 3}).contiguous()}, 3),
                             at::cat({to(x), to(x), to(w.narrow(0, 0, 2).narrow(2, 0, 1).expand({2, 3, 4, 3}))}, 3)));
  std::vector<at::Tensor> many(100, counting(2));
  EXPECT_EQ(at::cat(many).numel(), 200);
  EXPECT_EQ(at::stack(many).sizes(), (std::vector<std::int64_t>{100, 2}));
}

TEST(Forwarded, WhatIsOutOfTheOrdinaryIsRightToo) {
  const auto z = at::randn({3}, at::kComplexFloat);
  const auto dz = z.to(device());
  EXPECT_TRUE(same_on_device(z.conj() * z, dz.conj() * dz));
  EXPECT_TRUE(same_on_device(at::imag(z.conj()) + 1, at::imag(dz.conj()) + 1));  // a negative view
  auto lazy = at::_lazy_clone(counting(4));
  auto original = lazy.clone();
  lazy.add_(1);
  EXPECT_TRUE(same_on_device(at::arange(1, 5, at::kFloat), lazy));
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat), original));
  EXPECT_EQ((at::empty({0, 3}, device()) + 1).sizes(), (std::vector<std::int64_t>{0, 3}));
  EXPECT_TRUE(same_on_device(at::zeros({3}), at::_efficientzerotensor({3}, device()) + at::zeros({3}, device())));
  EXPECT_FALSE(error_of([] { at::add(at::Tensor(), at::ones({1}, device())); }).empty());
}

TEST(Forwarded, ACopyOnWriteTensorIsWrittenApartFromItsSource) {
  const auto x = counting(4);
  auto lazy = at::_lazy_clone(x);
  lazy.mul_(2);
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat), x));
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat) * 2, lazy));
}

TEST(Forwarded, StreamsAreWaitedFor) {
  auto x = counting(4);
  launch(current_stream(), [x]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    x.fill_(5);
  });
  EXPECT_TRUE(same_on_device(at::full({4}, 10.0f), x + x));
}

TEST(Forwarded, GradientsPass) {
  auto x = counting(3).requires_grad_();
  (x * x).exp().sum().backward();
  auto y = at::arange(3, at::kFloat).requires_grad_();
  (y * y).exp().sum().backward();
  EXPECT_TRUE(same_on_device(y.grad(), x.grad()));
  const auto version = x.grad()._version();
  x.grad().add_(1);
  EXPECT_EQ(x.grad()._version(), version + 1);
}

TEST(Forwarded, InferenceTensorsStayThat) {
  const auto x = counting(3);
  at::Tensor y;
  {
    const c10::InferenceMode on;
    y = x + x;
    y.add_(1);
    EXPECT_TRUE(y.is_inference());
  }
  EXPECT_FALSE((x + x).is_inference());
  EXPECT_TRUE(same_on_device(at::arange(3, at::kFloat) * 2 + 1, y));
}

TEST(Forwarded, ManyThreadsAndTheirEnds) {
  const auto x = counting(64);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) EXPECT_EQ((x + x).exp().dim(), 1);
    });
  }
  for (auto& thread : threads) thread.join();
}

// A kernel for the CPU that keeps its argument, put in the place of libtorch's.
at::Tensor kept_by_rsqrt;
at::Tensor keeping(const at::Tensor& x) {
  kept_by_rsqrt = x;
  return at::empty_like(x).fill_(1);
}

TEST(Forwarded, AKeptArgumentIsReadRightAfterItsTensorDied) {
  if (fallback::host_access() == fallback::HostAccess::staged) return;
  auto library = torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, __FILE__, __LINE__);
  library.impl("rsqrt", torch::CppFunction(&keeping));
  const auto before = memory_statistics(0).allocated;
  at::rsqrt(counting(1000));
  std::vector<at::Tensor> others;
  for (int i = 0; i < 50; ++i) others.push_back(at::full({1000}, -1.0f, device()).exp());
  EXPECT_TRUE(same_bits(at::arange(1000, at::kFloat), kept_by_rsqrt));
  others.clear();
  EXPECT_GT(memory_statistics(0).allocated, before);
  kept_by_rsqrt.reset();
  EXPECT_EQ(memory_statistics(0).allocated, before);
}

}  // namespace
}  // namespace openreg::test
