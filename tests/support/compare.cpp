#include "support/compare.h"

#include <ATen/ATen.h>

#include <cstring>

namespace openreg::test {
namespace {

at::Tensor on_cpu(const at::Tensor& tensor) {
  return tensor.detach().resolve_conj().resolve_neg().to(at::kCPU).contiguous();
}

testing::AssertionResult same_kind(const at::Tensor& expected, const at::Tensor& actual) {
  if (expected.defined() != actual.defined()) {
    return testing::AssertionFailure() << (actual.defined() ? "defined, expected an undefined tensor" : "undefined");
  }
  if (!expected.defined()) {
    return testing::AssertionSuccess();
  }
  if (expected.dtype() != actual.dtype() || expected.sizes() != actual.sizes()) {
    return testing::AssertionFailure() << "expected " << expected.dtype() << expected.sizes() << ", got "
                                       << actual.dtype() << actual.sizes();
  }
  return testing::AssertionSuccess();
}

}  // namespace

testing::AssertionResult same_bits(const at::Tensor& expected, const at::Tensor& actual) {
  auto kind = same_kind(expected, actual);
  if (!kind || !expected.defined()) {
    return kind;
  }
  const auto want = on_cpu(expected);
  const auto got = on_cpu(actual);
  const auto item = static_cast<std::size_t>(want.element_size());
  const auto* want_bytes = static_cast<const char*>(want.const_data_ptr());
  const auto* got_bytes = static_cast<const char*>(got.const_data_ptr());
  for (std::int64_t i = 0; i < want.numel(); ++i) {
    const auto offset = static_cast<std::size_t>(i) * item;
    if (std::memcmp(want_bytes + offset, got_bytes + offset, item) != 0) {
      return testing::AssertionFailure() << "element " << i << " of " << want.sizes() << ": expected "
                                         << want.reshape({-1})[i].item() << ", got " << got.reshape({-1})[i].item();
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult close_to(const at::Tensor& expected, const at::Tensor& actual, double tolerance) {
  auto kind = same_kind(expected, actual);
  if (!kind || !expected.defined()) {
    return kind;
  }
  const auto want = on_cpu(expected);
  const auto got = on_cpu(actual);
  if (at::allclose(want, got, tolerance, tolerance, /*equal_nan=*/true)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "largest difference " << (want - got).abs().max().item() << " in "
                                     << want.sizes();
}

testing::AssertionResult same_on_device(const at::Tensor& expected, const at::Tensor& actual) {
  if (actual.defined() && !actual.device().is_privateuseone()) {
    return testing::AssertionFailure() << "on " << actual.device();
  }
  if (actual.defined() && expected.defined() && actual.strides() != expected.strides()) {
    return testing::AssertionFailure() << "strides " << actual.strides() << ", expected " << expected.strides();
  }
  return same_bits(expected, actual);
}

testing::AssertionResult shares_storage(const at::Tensor& a, const at::Tensor& b) {
  if (a.storage().unsafeGetStorageImpl() == b.storage().unsafeGetStorageImpl()) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "storages differ";
}

}  // namespace openreg::test
