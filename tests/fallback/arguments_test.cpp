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

at::Tensor counting(c10::Device where) { return at::arange(20, at::kFloat).view({4, 5}).to(where); }

TEST(Arguments, ForeachInPlaceChangesItsTensors) {
  const auto run = [](c10::Device where) {
    std::vector<at::Tensor> list{at::ones({3}, where), at::full({2}, 5.0f, where), at::zeros({0}, where)};
    const auto version = list[0]._version();
    at::_foreach_add_(list, 1);
    at::_foreach_mul_(list, list);
    EXPECT_GT(list[0]._version(), version);
    return at::cat(list);
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

TEST(Arguments, ForeachOutOfPlaceReturnsDeviceTensors) {
  const auto result = at::_foreach_sqrt({at::full({2}, 4.0f, device()), at::full({3}, 9.0f, device())});
  EXPECT_TRUE(same_on_device(at::full({2}, 2.0f), result[0]));
  EXPECT_TRUE(same_on_device(at::full({3}, 3.0f), result[1]));
}

TEST(Arguments, LongListsKeepTheirAliasing) {
  const auto run = [](c10::Device where) {
    const auto base = at::arange(3000, at::kFloat).to(where);
    std::vector<at::Tensor> list;
    for (int i = 0; i < 3000; ++i) list.push_back(base[i]);
    at::_foreach_add_(list, 1);
    return base;
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

TEST(Arguments, TensorLists) {
  const auto a = counting(device());
  EXPECT_TRUE(same_on_device(at::cat({counting(at::kCPU), counting(at::kCPU)}), at::cat({a, a})));
  EXPECT_TRUE(same_on_device(at::stack({counting(at::kCPU), counting(at::kCPU)}), at::stack({a, a})));
  EXPECT_TRUE(same_on_device(counting(at::kCPU), at::cat({at::empty({0}, device()), a})));
  EXPECT_TRUE(throw_alike([] { at::cat(at::TensorList{}); }, [] { at::cat(std::vector<at::Tensor>{}); }));
}

TEST(Arguments, OptionalListsWithGaps) {
  using at::indexing::TensorIndex;
  const auto run = [](c10::Device where, int which) {
    const auto x = counting(where);
    const auto index = at::tensor({3, 1, 1}, at::kLong).to(where);
    c10::List<std::optional<at::Tensor>> indices;
    switch (which) {
      case 0:
        indices.push_back(index);
        break;
      case 1:
        indices.push_back(std::nullopt);
        indices.push_back(index);
        break;
      case 2:
        indices.push_back(at::Tensor());
        indices.push_back(index);
        break;
      case 3:
        indices.push_back(x.gt(7));
        break;
      default:
        indices.push_back(index);
        indices.push_back(index);
        break;
    }
    return at::index(x, indices);
  };
  for (int which = 0; which < 5; ++which) {
    EXPECT_TRUE(alike([&] { return run(at::kCPU, which); }, [&] { return run(device(), which); })) << which;
  }
}

TEST(Arguments, IndexPutWithAndWithoutAccumulation) {
  for (const bool accumulate : {false, true}) {
    const auto run = [&](c10::Device where) {
      auto x = counting(where);
      x.index_put_({at::tensor({1, 1}, at::kLong).to(where)}, at::ones({2, 5}, where), accumulate);
      return x;
    };
    EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); })) << accumulate;
  }
}

TEST(Arguments, UndefinedTensorsStayUndefined) {
  const auto x = counting(at::kCPU);
  EXPECT_TRUE(same_on_device(std::get<0>(at::native_layer_norm(x, {5}, {}, {}, 1e-5)),
                             std::get<0>(at::native_layer_norm(x.to(device()), {5}, {}, {}, 1e-5))));
  EXPECT_TRUE(same_on_device(std::get<0>(at::native_batch_norm(x, {}, {}, {}, {}, true, .1, 1e-5)),
                             std::get<0>(at::native_batch_norm(x.to(device()), {}, {}, {}, {}, true, .1, 1e-5))));
}

TEST(Arguments, RunningStatisticsThatTheSchemaCallsReadOnlyAreWritten) {
  const auto run = [](c10::Device where) {
    const auto x = counting(where);
    const auto mean = at::zeros({5}, where);
    const auto variance = at::ones({5}, where);
    const auto result = std::get<0>(at::native_batch_norm(x, {}, {}, mean, variance, true, .5, 1e-5));
    EXPECT_NE(mean.sum().item<float>(), 0);
    return at::cat({result, mean.view({1, 5}), variance.view({1, 5})});
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

TEST(Arguments, GeneratorsOfTheDeviceDrawWhatTheCpusWould) {
  auto ours = at::globalContext().defaultGenerator(device()).clone();
  auto cpu = at::detail::createCPUGenerator(42);
  ours.set_current_seed(42);
  EXPECT_TRUE(same_on_device(at::empty({100}).normal_(0, 1, cpu), at::empty({100}, device()).normal_(0, 1, ours)));
  EXPECT_TRUE(
      same_on_device(at::bernoulli(at::full({50}, .5), cpu), at::bernoulli(at::full({50}, .5, device()), ours)));
  EXPECT_TRUE(same_on_device(at::randperm(8, cpu), at::randperm(8, ours, at::device(device()).dtype(at::kLong))));
}

TEST(Arguments, BroadcastAndStridedOperandsOfEveryLayout) {
  for (const auto& sample : all_samples()) {
    if (!c10::isFloatingType(sample.cpu.scalar_type()) || sample.cpu.element_size() == 1) continue;
    SCOPED_TRACE(sample.name);
    EXPECT_TRUE(alike([&] { return sample.cpu + sample.cpu; }, [&] { return sample.device + sample.device; }));
    EXPECT_TRUE(alike([&] { return at::relu(sample.cpu); }, [&] { return at::relu(sample.device); }));
    EXPECT_TRUE(alike([&] { return sample.cpu.sum(); }, [&] { return sample.device.sum(); }));
  }
}

}  // namespace
}  // namespace openreg::test
