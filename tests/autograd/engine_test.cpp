#include <gtest/gtest.h>
#include <torch/torch.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

at::Tensor leaf(int index = 0) { return at::arange(4, at::kFloat).to(device(index)).requires_grad_(); }

TEST(Engine, TheFirstBackwardNeedsNothingElse) {
  const auto x = leaf();
  (x * x).sum().backward();
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat) * 2, x.grad()));
}

TEST(Engine, EachDeviceHasAThread) {
  const auto x = leaf(0);
  const auto y = leaf(1);
  (x * x).sum().backward();
  (y * y).sum().backward();
  std::set<std::string> names;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name)) names.insert(name);
  }
  for (const char* name : {"pt_autograd_0", "pt_autograd_1"}) EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(Engine, IntermediateGradientsAreKeptWhenAskedFor) {
  const auto x = leaf();
  const auto y = x * 2;
  y.retain_grad();
  (y * y).sum().backward();
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat) * 4, y.grad()));
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat) * 8, x.grad()));
}

TEST(Engine, ADetachedTensorHasNoHistory) {
  const auto x = leaf();
  const auto y = x * 2;
  EXPECT_NE(y.grad_fn(), nullptr);
  EXPECT_EQ(y.detach().grad_fn(), nullptr);
  EXPECT_FALSE(y.detach().requires_grad());
  EXPECT_TRUE(shares_storage(y, y.detach()));
}

TEST(Engine, GradientsAddUpInPlace) {
  const auto x = leaf();
  x.sum().backward();
  const auto first = x.grad();
  (x * 2).sum().backward();
  EXPECT_TRUE(first.is_same(x.grad()));
  EXPECT_TRUE(same_on_device(at::full({4}, 3.0f), x.grad()));
}

TEST(Engine, HooksSeeDeviceTensors) {
  const auto x = leaf();
  c10::Device seen = at::kCPU;
  x.register_hook([&](const at::Tensor& gradient) {
    seen = gradient.device();
    return gradient * 10;
  });
  x.sum().backward();
  EXPECT_EQ(seen, device());
  EXPECT_TRUE(same_on_device(at::full({4}, 10.0f), x.grad()));
}

struct Cube : torch::autograd::Function<Cube> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return x.pow(3);
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    return {gradients[0] * 3 * context->get_saved_variables()[0].square()};
  }
};

TEST(Engine, AFunctionOfTheUser) {
  const auto x = leaf();
  Cube::apply(x).sum().backward();
  EXPECT_TRUE(same_on_device(at::arange(4, at::kFloat).square() * 3, x.grad()));
}

TEST(Engine, NothingIsRecordedUnderNoGradAndInferenceMode) {
  const auto x = leaf();
  {
    const torch::NoGradGuard guard;
    EXPECT_FALSE((x * 2).requires_grad());
  }
  at::Tensor inference;
  {
    const c10::InferenceMode mode;
    inference = at::ones({4}, device()) + 1;
    EXPECT_TRUE(inference.is_inference());
    EXPECT_TRUE((x * 2).is_inference());
    inference.add_(1);
  }
  EXPECT_TRUE(throws([&] { (x * inference).sum().backward(); }, "Inference tensors cannot be saved for backward"));
  EXPECT_TRUE(same_on_device(at::full({4}, 3.0f), inference));
}

TEST(Engine, AGraphUsedTwiceIsRefused) {
  const auto x = leaf();
  const auto y = (x * x).sum();
  y.backward();
  EXPECT_TRUE(throws([&] { y.backward(); }, "Trying to backward through the graph a second time"));
}

TEST(Engine, AnErrorInBackwardReachesTheCaller) {
  const auto x = leaf();
  const auto y = x * 2;
  y.register_hook([](const at::Tensor&) -> at::Tensor { throw std::runtime_error("from the hook"); });
  EXPECT_TRUE(throws([&] { y.sum().backward(); }, "from the hook"));
  EXPECT_FALSE(x.grad().defined());
}

TEST(Engine, AnomalyDetectionFindsTheNan) {
  const auto x = at::zeros({2}, device()).requires_grad_();
  const torch::autograd::DetectAnomalyGuard guard;
  testing::internal::CaptureStderr();
  EXPECT_TRUE(throws([&] { (x.sqrt() * 0).sum().backward(); }, "SqrtBackward0"));
  testing::internal::GetCapturedStderr();
}

TEST(Engine, ManyGraphsOnManyThreads) {
  constexpr int kThreads = 4;
  std::array<bool, kThreads> right{};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      right[t] = true;
      for (int i = 1; i <= 20; ++i) {
        const auto x = leaf(t % 2);
        (x * x * i).sum().backward();
        right[t] = right[t] && at::equal(x.grad().cpu(), at::arange(4, at::kFloat) * 2 * i);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, (std::array<bool, kThreads>{true, true, true, true}));
}

// One leaf, many graphs: the engine's locks protect the sum.
TEST(Engine, ThreadsShareALeaf) {
  const auto x = leaf();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) (x * 2).sum().backward();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(same_on_device(at::full({4}, 200.0f), x.grad()));
}

}  // namespace
}  // namespace openreg::test
