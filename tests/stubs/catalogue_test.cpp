#include <ATen/native/UnaryOps.h>
#include <ATen/ops/angle_native.h>
#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <openreg/stubs.h>
#include <torch/torch.h>

#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

std::vector<Stub> called(const std::string& name) {
  std::vector<Stub> found;
  for (auto& stub : stub_catalogue()) {
    if (stub.name == name) found.push_back(std::move(stub));
  }
  return found;
}

Stub only(const std::string& name) {
  const auto found = called(name);
  EXPECT_EQ(found.size(), 1u) << name;
  return found.empty() ? Stub() : found.front();
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

TEST(StubCatalogue, HasEveryStub) {
  const std::map<std::string, std::size_t> counts{{"2.6.0", 464}, {"2.14.1", 478}};
  const auto known = counts.find(libtorch_version());
  if (known != counts.end()) {
    EXPECT_EQ(stub_catalogue().size(), known->second);
    EXPECT_EQ(stub_headers().size(), 61u);
  }
  const auto lines = output_of("cd " OPENREG_TORCH_INCLUDE " && grep -rh '^DECLARE_DISPATCH' ATen | wc -l");
  EXPECT_EQ(stub_catalogue().size(), std::stoul(lines));
}

TEST(StubCatalogue, HeadersAreThoseThatGrepFinds) {
  std::ostringstream headers;
  for (const auto& header : stub_headers()) headers << header << "\n";
  EXPECT_EQ(headers.str(), output_of("cd " OPENREG_TORCH_INCLUDE " && find ATen -type f -a -name '*.h' | "
                                     "xargs grep -wl '^DECLARE_DISPATCH' | LC_ALL=C sort"));
}

TEST(StubCatalogue, FilledSlotsAreExactlyOurs) {
  std::set<std::string> filled;
  for (const auto& stub : stub_catalogue()) {
    if (stub.slot == StubSlot::filled) {
      filled.insert(stub.name);
      EXPECT_FALSE(stub.native_operators.empty()) << stub.name;
      EXPECT_EQ(stub_remark(stub), "");
    }
  }
  EXPECT_EQ(filled,
            (std::set<std::string>{"abs_stub", "quantize_tensor_per_tensor_affine_stub", "_fused_sdp_choice_stub"}));
}

TEST(StubCatalogue, SaysWhatAStubIs) {
  const auto abs = only("abs_stub");
  EXPECT_EQ(abs.header, "ATen/native/UnaryOps.h");
  EXPECT_EQ(abs.signature, "void(*)(TensorIteratorBase&)");
  EXPECT_EQ(abs.operators, (std::vector<std::string>{"aten::abs", "aten::abs.out", "aten::abs_"}));
  EXPECT_EQ(abs.native_operators, std::vector<std::string>{"aten::abs.out"});

  EXPECT_EQ(only("gemm_stub").header, "ATen/native/CPUBlas.h");  // declared over several lines
  EXPECT_EQ(only("zeta_stub").operators.at(0), "aten::special_zeta");
  EXPECT_EQ(only("mse_stub").operators.at(0), "aten::mse_loss");
  EXPECT_EQ(only("GeluBackwardKernel").operators.at(0), "aten::gelu_backward");
  EXPECT_EQ(only("log_sigmoid_backward_stub").signature, "void(*)(TensorIterator&)");
  for (const auto& stub : stub_catalogue()) {
    EXPECT_NE(stub.signature.find("(*)("), std::string::npos) << stub.name;
    EXPECT_EQ(stub.signature.find('\n'), std::string::npos) << stub.name;
  }
}

// Old declarations whose objects are gone.
TEST(StubCatalogue, NamesStubsThatNoProgramCanFill) {
  std::size_t hidden = 0;
  for (const auto& stub : stub_catalogue()) hidden += stub.slot == StubSlot::not_visible ? 1 : 0;
  EXPECT_EQ(only("max_elementwise_stub").slot, StubSlot::not_visible);
  EXPECT_GT(hidden, 0u);
  EXPECT_LT(hidden, 20u);
}

// A kernel for the operator alone is not enough when it ends in a stub.
TEST(StubCatalogue, ShowsAKernelWhoseStubIsEmpty) {
  EXPECT_EQ(stub_remark(only("angle_stub")), "");
  torch::Library aten(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, __FILE__, __LINE__);
  aten.impl("angle.out", at::native::angle_out);
  const auto angle = only("angle_stub");
  EXPECT_EQ(angle.slot, StubSlot::empty);
  EXPECT_EQ(angle.native_operators, std::vector<std::string>{"aten::angle.out"});
  EXPECT_EQ(stub_remark(angle), "kernel present, stub empty");
  auto out = at::empty({2}, device());
  EXPECT_TRUE(throws([&] { at::angle_out(out, at::ones({2}, device())); }, "missing kernel for openreg"));
}

TEST(StubCatalogue, ShowsAStubThatNothingReaches) {
  using namespace at::native;
  polygamma_stub.set_privateuse1_dispatch_ptr([](at::TensorIteratorBase&, std::int64_t) {});
  EXPECT_EQ(only("polygamma_stub").slot, StubSlot::filled);
  EXPECT_EQ(stub_remark(only("polygamma_stub")), "stub filled, no operator ends there");
  polygamma_stub.set_privateuse1_dispatch_ptr(nullptr);
  EXPECT_EQ(only("polygamma_stub").slot, StubSlot::empty);
}

}  // namespace
}  // namespace openreg::test
