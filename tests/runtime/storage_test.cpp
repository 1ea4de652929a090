#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

struct Metadata : c10::BackendMeta {
  explicit Metadata(int its_value) : value(its_value) {}
  int value;
};

TEST(Storage, ASliceOfAPinnedOneIsPinned) {
  const auto pinned = at::arange(10, at::kFloat).pin_memory();
  auto slice = at::empty({0});
  slice.set_(pinned.storage(), 2, {3}, {1});
  EXPECT_TRUE(slice.is_pinned());
  EXPECT_TRUE(same_bits(at::arange(2, 5, at::kFloat), slice));
}

TEST(Storage, MetadataOfTheBackendCanBeCopied) {
  const auto x = at::ones({3}, device());
  const auto y = at::ones({3}, device());
  x.unsafeGetTensorImpl()->set_backend_meta(c10::make_intrusive<Metadata>(7));
  y.unsafeGetTensorImpl()->set_backend_meta(x.unsafeGetTensorImpl()->get_backend_meta_intrusive_ptr());
  EXPECT_EQ(dynamic_cast<Metadata*>(y.unsafeGetTensorImpl()->get_backend_meta())->value, 7);
}

TEST(Storage, SavedOnOneDeviceLoadedOnTheCpuAndOnTheOther) {
  const auto a = at::rand({5, 3});
  std::stringstream file;
  torch::save(a.to(device(0)), file);
  const auto text = file.str();
  at::Tensor same;
  at::Tensor host;
  at::Tensor other;
  for (auto& [tensor, where] : std::vector<std::pair<at::Tensor*, std::optional<c10::Device>>>{
           {&same, std::nullopt}, {&host, c10::Device(c10::kCPU)}, {&other, device(1)}}) {
    std::stringstream again(text);
    torch::load(*tensor, again, where);
  }
  EXPECT_EQ(same.device(), device(0));
  EXPECT_TRUE(host.is_cpu());
  EXPECT_EQ(other.device(), device(1));
  for (const auto& tensor : {same, host, other}) EXPECT_TRUE(same_bits(a, tensor));
}

TEST(Storage, SizesOfDtypesAreTheCpus) {
  for (const auto dtype : all_dtypes()) {
    EXPECT_EQ(at::empty({7}, at::device(device()).dtype(dtype)).storage().nbytes(),
              at::empty({7}, at::dtype(dtype)).storage().nbytes());
  }
}

TEST(Storage, RecordStreamIsAnOperator) {
  auto x = at::ones({3}, device());
  x.record_stream(c10::Stream(c10::Stream::DEFAULT, device()));
  EXPECT_TRUE(same_bits(at::ones({3}), x));
}

// The device's own hook copies as many bytes as the smaller size has.
TEST(Storage, GrowingAndShrinkingKeepsTheFirstBytes) {
  auto x = at::arange(4, at::kFloat).to(device());
  auto neighbour = at::full({4}, 9.0f, device());
  x.resize_({8});
  EXPECT_TRUE(same_bits(at::arange(4, at::kFloat), x.slice(0, 0, 4)));
  at::detail::getPrivateUse1Hooks().resizePrivateUse1Bytes(x.storage(), 4);
  EXPECT_EQ(x.storage().nbytes(), 4u);
  x.resize_({1});
  EXPECT_EQ(x.item<float>(), 0);
  EXPECT_TRUE(same_bits(at::full({4}, 9.0f), neighbour));
}

}  // namespace
}  // namespace openreg::test
