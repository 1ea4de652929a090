#include "compare_tensors.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <c10/util/StringUtil.h>

#include <limits>

#include "text.h"
#include "values.h"

namespace openreg::demo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The tensor as real numbers in a type that holds them; integers and bools stay what they are.
at::Tensor as_reals(const at::Tensor& tensor) {
  const auto plain = tensor.cpu().resolve_conj().resolve_neg();
  if (plain.is_complex()) {
    return at::view_as_real(plain.to(at::kComplexDouble));
  }
  return plain.is_floating_point() ? plain.to(at::kDouble) : plain;
}

// "[0, 3]" of a flat index.
std::string index_text(std::int64_t flat, c10::IntArrayRef sizes) {
  std::vector<std::int64_t> index(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    index[i] = flat % sizes[i];
    flat /= sizes[i];
  }
  return c10::str(c10::IntArrayRef(index));
}

// Absolute differences in double; infinite where the values are of different kinds.
at::Tensor differences(const at::Tensor& cpu, const at::Tensor& device) {
  const auto equal = cpu.eq(device) | (cpu.ne(cpu) & device.ne(device));
  const auto difference = (cpu.to(at::kDouble) - device.to(at::kDouble)).abs();
  // What is not finite here comes from a NaN or an infinity on one side only.
  const auto kind = at::where(difference.isfinite(), difference, at::scalar_tensor(kInfinity, at::kDouble));
  // Long integers may be equal as doubles and yet differ.
  const auto apart = cpu.is_floating_point() ? kind : kind.clamp_min(1);
  return at::where(equal, at::scalar_tensor(0, at::kDouble), apart);
}

std::string value_text(const at::Tensor& values, std::int64_t flat) {
  const auto value = values.reshape({-1})[flat].item();
  return value.isFloatingPoint() ? number_text(value.toDouble()) : c10::str(value);
}

}  // namespace

Leaf compare_tensors(const std::string& path, const at::Tensor& from_cpu, const at::Tensor& from_device,
                     const Comparison& how) {
  Leaf leaf{path, describe(from_cpu), 0, ""};
  const auto fail = [&](double difference, std::string problem) {
    leaf.difference = difference;
    leaf.problem = path + " " + std::move(problem);
    return leaf;
  };
  if (from_cpu.defined() != from_device.defined()) {
    return fail(kInfinity,
                c10::str("is ", describe(from_device), " on ", how.device, ", but ", leaf.what, " on the CPU"));
  }
  if (!from_cpu.defined()) {
    return leaf;
  }
  if (from_device.device() != how.device) {
    return fail(kInfinity, c10::str("is on ", from_device.device(), ", not on ", how.device));
  }
  if (from_cpu.sizes() != from_device.sizes() || from_cpu.scalar_type() != from_device.scalar_type()) {
    return fail(kInfinity,
                c10::str("is ", describe(from_device), " on ", how.device, ", but ", leaf.what, " on the CPU"));
  }
  if (from_cpu.numel() == 0) {
    return leaf;
  }
  const auto cpu = as_reals(from_cpu);
  const auto device = as_reals(from_device);
  const auto difference = differences(cpu, device);
  leaf.difference = difference.max().item<double>();
  const bool exact = !cpu.is_floating_point();
  const auto allowed = cpu.to(at::kDouble).abs().nan_to_num().clamp_min(1) * (exact ? 0.0 : how.tolerance);
  // The worst place is where the tolerance is exceeded most, not where the difference is largest.
  const auto excess = difference - allowed;
  const auto worst = excess.argmax().item<std::int64_t>();
  if (excess.reshape({-1})[worst].item<double>() > 0) {
    const auto apart = difference.reshape({-1})[worst].item<double>();
    return fail(leaf.difference,
                c10::str("differs by ", number_text(apart), " at ", index_text(worst, cpu.sizes()), ": ",
                         value_text(device, worst), " on ", how.device, ", ", value_text(cpu, worst), " on the CPU; ",
                         number_text(allowed.reshape({-1})[worst].item<double>()), " is allowed"));
  }
  return leaf;
}

}  // namespace openreg::demo
