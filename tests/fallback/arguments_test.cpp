#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include "fallback/host_session.h"
#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

at::Tensor grid(c10::Device where) { return counting(20, where).view({4, 5}); }

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
  const auto sums = at::_foreach_add(result, {at::ones({2}, device()), at::full({3}, 2.0f, device())});
  EXPECT_TRUE(same_on_device(at::full({2}, 3.0f), sums[0]));
  EXPECT_TRUE(same_on_device(at::full({3}, 5.0f), sums[1]));
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
  const auto a = grid(device());
  EXPECT_TRUE(same_on_device(at::cat({grid(at::kCPU), grid(at::kCPU)}), at::cat({a, a})));
  EXPECT_TRUE(same_on_device(at::stack({grid(at::kCPU), grid(at::kCPU)}), at::stack({a, a})));
  EXPECT_TRUE(same_on_device(grid(at::kCPU), at::cat({at::empty({0}, device()), a})));
  EXPECT_TRUE(throw_alike([] { at::cat(at::TensorList{}); }, [] { at::cat(std::vector<at::Tensor>{}); }));
}

TEST(Arguments, OptionalListsWithGaps) {
  using at::indexing::TensorIndex;
  const auto run = [](c10::Device where, int which) {
    const auto x = grid(where);
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
      auto x = grid(where);
      x.index_put_({at::tensor({1, 1}, at::kLong).to(where)}, at::ones({2, 5}, where), accumulate);
      return x;
    };
    EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); })) << accumulate;
  }
}

TEST(Arguments, UndefinedTensorsStayUndefined) {
  const auto results = [](c10::Device where) {
    const auto x = grid(where);
    const auto layer = at::native_layer_norm(x, {5}, {}, {}, 1e-5);
    const auto batch = at::native_batch_norm(x, {}, {}, {}, {}, true, .1, 1e-5);
    return std::vector<at::Tensor>{std::get<0>(layer), std::get<1>(layer), std::get<2>(layer),
                                   std::get<0>(batch), std::get<1>(batch), std::get<2>(batch)};
  };
  const auto expected = results(at::kCPU);
  const auto actual = results(device());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(same_on_device(expected[i], actual[i])) << i;
}

TEST(Arguments, RunningStatisticsThatTheSchemaCallsReadOnlyAreWritten) {
  const auto run = [](c10::Device where) {
    const auto x = grid(where);
    const auto mean = at::zeros({5}, where);
    const auto variance = at::ones({5}, where);
    const auto result = std::get<0>(at::native_batch_norm(x, {}, {}, mean, variance, true, .5, 1e-5));
    EXPECT_NE(mean.sum().item<float>(), 0);
    return at::cat({result, mean.view({1, 5}), variance.view({1, 5})});
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

at::Tensor count_up(const at::Tensor& x) {
  x.add_(1);
  return x.clone();
}

TORCH_LIBRARY_FRAGMENT(openreg_test, library) {
  library.def("count_up(Tensor x) -> Tensor", torch::dispatch(c10::DispatchKey::CPU, count_up));
}

// docs/limits.md: what a kernel does to an argument against its schema arrives where the bytes are the device's own,
// and not where they are a copy.
TEST(Arguments, AWriteThatTheSchemaDoesNotTellIsLostWhereBytesAreCopied) {
  const auto x = at::zeros({3}, device());
  const auto result = c10::Dispatcher::singleton()
                          .findSchemaOrThrow("openreg_test::count_up", "")
                          .typed<at::Tensor(const at::Tensor&)>()
                          .call(x);
  EXPECT_TRUE(same_on_device(at::ones({3}), result));
  const bool staged = fallback::host_access() == fallback::HostAccess::staged;
  EXPECT_TRUE(same_on_device(staged ? at::zeros({3}) : at::ones({3}), x));
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

// A start and a step at once, in each place that an operator has: a kernel that drops one of them reads its neighbours.
TEST(Arguments, OffsetAndStepTogether) {
  const auto numbers = [](c10::IntArrayRef shape, at::ScalarType dtype, c10::Device where) {
    return at::arange(c10::multiply_integers(shape), at::kFloat).sub(500).view(shape).to(dtype).to(where);
  };
  const std::vector<std::pair<const char*, std::function<at::Tensor(c10::Device)>>> runs{
      {"two operands",
       [&](c10::Device where) {
         const auto rows = numbers({8, 256}, at::kFloat, where).slice(0, 1, 8, 2);
         return rows + rows;
       }},
      {"half",
       [&](c10::Device where) {
         const auto rows = numbers({4, 100}, at::kHalf, where).slice(0, 1);
         return rows * rows.slice(1, 3, 4);
       }},
      {"clone of a row",
       [&](c10::Device where) {
         return numbers({4, 7}, at::kLong, where).select(0, 1).clone();
       }},
      {"clone of a column",
       [&](c10::Device where) {
         return numbers({4, 7}, at::kLong, where).select(1, 3).clone();
       }},
      {"abs",
       [&](c10::Device where) {
         return numbers({9, 6}, at::kFloat, where).slice(0, 2).abs();
       }},
      {"abs of both",
       [&](c10::Device where) {
         return numbers({9, 6}, at::kFloat, where).slice(1, 1, 6, 2).abs();
       }},
      {"parts of one tensor",
       [&](c10::Device where) {
         const auto joined = numbers({5, 12}, at::kFloat, where);
         const auto q = joined.slice(-1, 0, 4);
         const auto k = joined.slice(-1, 4, 8);
         auto v = joined.slice(-1, 8, 12);
         at::mul_out(v, q, k);
         return at::cat({q + k, joined}, 1);
       }},
  };
  for (const auto& [name, run] : runs) {
    const auto& call = run;
    EXPECT_TRUE(alike([&] { return call(at::kCPU); }, [&] { return call(device()); })) << name;
  }
}

// Kernels of the CPU ask for the bit. Forward mode makes such tensors for arguments without a tangent.
TEST(Arguments, ZeroTensorsReachTheKernelAsThat) {
  const auto run = [](c10::Device where) {
    const auto zero = at::_efficientzerotensor({4}, at::TensorOptions(where).dtype(at::kFloat));
    const auto ones = at::ones({4}, where);
    const auto pairs =
        at::view_as_complex(at::_efficientzerotensor({4, 2}, at::TensorOptions(where).dtype(at::kFloat)));
    std::vector<at::Tensor> results{zero.dot(ones), at::vdot(ones, zero), zero.unfold(0, 2, 2), at::real(pairs)};
    for (auto& result : results) {
      EXPECT_EQ(result.device(), where);
      EXPECT_TRUE(result._is_zerotensor());
      result = result.clone().cpu();
    }
    return results;
  };
  const auto expected = run(at::kCPU);
  const auto actual = run(device());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(same_bits(expected[i], actual[i])) << i;
  }
}

}  // namespace
}  // namespace openreg::test
