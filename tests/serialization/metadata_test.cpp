#include <gtest/gtest.h>
#include <openreg/metadata.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <sstream>

#include "serialization/save_and_load.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

// Where this header is, libtorch exports the table in which a backend says how its metadata are written.
#if __has_include(<torch/csrc/jit/serialization/pickler_helper.h>)
const Metadata kKept{{"format", 29}, {"version", -1}};
#else
const Metadata kKept{};
#endif
const Metadata kSet{{"format", 29}, {"version", -1}};

at::Tensor with_metadata() {
  const auto x = at::arange(6, at::kFloat).view({2, 3}).to(device());
  set_metadata(x, kSet);
  return x;
}

TEST(Metadata, AreReadBackReplacedAndTakenAway) {
  const auto x = with_metadata();
  EXPECT_EQ(metadata(x), kSet);
  set_metadata(x, {{"other", 1}});
  EXPECT_EQ(metadata(x), (Metadata{{"other", 1}}));
  set_metadata(x, {});
  EXPECT_EQ(metadata(x), Metadata{});
  EXPECT_EQ(x.unsafeGetTensorImpl()->get_backend_meta(), nullptr);
}

TEST(Metadata, ADetachedTensorHasACopy) {
  const auto x = with_metadata();
  const auto detached = x.detach();
  set_metadata(x, {});
  EXPECT_EQ(metadata(detached), kSet);
  EXPECT_EQ(metadata(x + x), Metadata{});
}

TEST(Metadata, SaveAndLoadKeepThemOnEitherDevice) {
  const auto x = with_metadata();
  for (const auto where : {std::optional<c10::Device>(), std::optional<c10::Device>(device(1))}) {
    const auto loaded = save_and_load(x, where);
    EXPECT_TRUE(same_bits(x, loaded));
    EXPECT_EQ(metadata(loaded), kKept);
  }
}

TEST(Metadata, OnTheCpuTheyAreLostAndTheValuesStay) {
  const auto x = with_metadata();
  const auto loaded = save_and_load(x, c10::Device(at::kCPU));
  EXPECT_TRUE(same_bits(x, loaded));
  EXPECT_EQ(metadata(loaded), Metadata{});
}

TEST(Metadata, PickledListsKeepThem) {
  const auto x = with_metadata();
  const auto bytes = torch::pickle_save(c10::IValue(std::vector<at::Tensor>{x, at::ones({2}, device())}));
  const auto list = torch::pickle_load(bytes).toTensorVector();
  EXPECT_EQ(metadata(list[0]), kKept);
  EXPECT_EQ(metadata(list[1]), Metadata{});
}

TEST(Metadata, ScriptModulesKeepThem) {
  torch::jit::Module module("m");
  module.register_parameter("w", with_metadata(), false);
  module.define("def forward(self, x):\n  return x + self.w\n");
  std::stringstream file;
  module.save(file);
  const auto loaded = torch::jit::load(file);
  EXPECT_EQ(metadata(loaded.attr("w").toTensor()), kKept);
}

TEST(Metadata, ConjugateTensorsKeepBoth) {
  const auto z = at::complex(at::ones({3}), at::ones({3})).to(device()).conj();
  set_metadata(z, kSet);
  const auto loaded = save_and_load(z, std::nullopt);
  EXPECT_TRUE(loaded.is_conj());
  EXPECT_TRUE(same_bits(z.resolve_conj(), loaded.resolve_conj()));
  EXPECT_EQ(metadata(loaded), kKept);
}

TEST(Metadata, ThoseOfAnotherBackendsTypeAreLeftAlone) {
  struct Other : c10::BackendMeta {};
  const auto x = at::ones({2}, device());
  x.unsafeGetTensorImpl()->set_backend_meta(c10::make_intrusive<Other>());
  EXPECT_EQ(metadata(x), Metadata{});
  EXPECT_TRUE(same_bits(x, save_and_load(x, std::nullopt)));
}

TEST(Metadata, WrongUseIsNamed) {
  EXPECT_TRUE(throws(
      [] {
        set_metadata(at::ones({2}), {{"a", 1}});
      },
      "belong to tensors on openreg, but this one is cpu"));
  EXPECT_TRUE(throws([] { set_metadata({}, {{"a", 1}}); }, "undefined"));
  EXPECT_TRUE(throws([] { set_metadata(at::ones({2}, device()), {{"a=b", 1}}); }, "'a=b' is no name for metadata"));
}

}  // namespace
}  // namespace openreg::test
