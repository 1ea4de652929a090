#include "differential/compare_values.h"

#include <ATen/ATen.h>

#include <cmath>
#include <cstring>
#include <sstream>

namespace openreg::differential {
namespace {

at::Tensor on_host(const at::Tensor& tensor) {
  if (tensor._is_zerotensor()) return at::zeros(tensor.sizes(), tensor.scalar_type());  // has no memory
  return tensor.detach().resolve_conj().resolve_neg().cpu().contiguous();
}

std::string element(const at::Tensor& tensor, std::int64_t index) {
  std::ostringstream text;
  text.precision(17);
  const auto one = tensor.reshape({-1})[index];
  const auto value = (one.scalar_type() == at::kUInt64 ? one.to(at::kDouble) : one).item();
  if (value.isComplex()) {
    text << value.toComplexDouble();
  } else if (value.isFloatingPoint()) {
    text << value.toDouble();
  } else {
    text << value.toLong();
  }
  return text.str();
}

bool near(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= tolerance + tolerance * std::abs(a);
}

double tolerance_of(at::ScalarType dtype) {
  const auto real = at::toRealValueType(dtype);
  if (real == at::kDouble) return 1e-10;
  if (real == at::kHalf) return 1e-3;
  return real == at::kBFloat16 ? 1e-2 : 1e-5;
}

std::int64_t first_far(const at::Tensor& a, const at::Tensor& b) {
  const auto tolerance = tolerance_of(a.scalar_type());
  const auto wide = [](const at::Tensor& t) {
    return t.is_complex() ? at::view_as_real(t.to(at::kComplexDouble)).reshape({-1, 2})
                          : t.to(at::kDouble).reshape({-1, 1});
  };
  const auto x = wide(a);
  const auto y = wide(b);
  const auto* left = x.const_data_ptr<double>();
  const auto* right = y.const_data_ptr<double>();
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    if (!near(left[i], right[i], tolerance)) return i / x.size(1);
  }
  return -1;
}

std::int64_t first_other_bits(const at::Tensor& a, const at::Tensor& b) {
  const auto size = static_cast<std::size_t>(a.element_size());
  const auto* left = static_cast<const char*>(a.const_data_ptr());
  const auto* right = static_cast<const char*>(b.const_data_ptr());
  for (std::int64_t i = 0; i < a.numel(); ++i) {
    if (std::memcmp(left + static_cast<std::size_t>(i) * size, right + static_cast<std::size_t>(i) * size, size) != 0) {
      return i;
    }
  }
  return -1;
}

}  // namespace

std::string first_difference(const at::Tensor& cpu, const at::Tensor& device, bool exact) {
  const at::NoGradGuard no_grad;
  const auto want = on_host(cpu);
  const auto got = on_host(device);
  if (want.numel() == 0) return "";
  const bool bits = exact || !(want.is_floating_point() || want.is_complex());
  const auto index = bits ? first_other_bits(want, got) : first_far(want, got);
  if (index < 0) return "";
  std::ostringstream text;
  text << "element " << index << " of " << want.sizes() << " is " << element(got, index) << ", on the CPU "
       << element(want, index) << (bits ? " (to the bit)" : "");
  return text.str();
}

at::Tensor whole_storage(const at::Tensor& tensor) {
  const auto count = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
  return at::empty({0}, tensor.options().requires_grad(false)).set_(tensor.storage(), 0, {count}, {1});
}

}  // namespace openreg::differential
