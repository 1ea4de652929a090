#include "differential/fed.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <sstream>

#include "differential/arguments.h"

namespace openreg::differential {
namespace {

bool varies(const at::Tensor& tensor) {
  if (tensor.numel() < 2) return false;
  const auto flat = tensor.detach().resolve_conj().resolve_neg().reshape({-1});
  return flat.slice(0, 1).ne(flat[0]).any().item<bool>();
}

}  // namespace

void Fed::add(const torch::jit::Stack& before, const Call& call, at::ScalarType dtype) {
  const at::NoGradGuard no_grad;
  ++calls_;
  dtypes_.insert(dtype);
  std::vector<std::int64_t> key;  // the shapes of all tensors, where one is large enough
  bool large = false;
  const auto arguments = tensors_in(before);
  auto all = arguments;
  for (const auto& tensor : tensors_in(call.results)) all.push_back(tensor);
  for (const auto& tensor : all) {
    if (!tensor.defined() || tensor.layout() != at::kStrided) continue;
    large = large || (tensor.dim() >= 2 && tensor.numel() >= 2);
    key.push_back(-1);
    key.insert(key.end(), tensor.sizes().begin(), tensor.sizes().end());
  }
  if (large) shapes_.insert(key);
  for (const auto& tensor : arguments) {
    takes_tensors_ = takes_tensors_ || tensor.defined();
    strided_ = strided_ || (tensor.defined() && tensor.storage_offset() > 0 && !tensor.is_contiguous());
  }
  for (const auto& value : call.results) {
    if (!value.isTensor() && !value.isTensorList()) {
      std::ostringstream text;
      text << value;
      single_results_.insert(text.str());
    }
  }
  auto results = tensors_in(call.results);
  if (results.empty()) results = tensors_in(call.arguments);  // operators that write and return nothing
  for (const auto& tensor : results) {
    if (!tensor.defined() || tensor.layout() != at::kStrided) continue;
    varied_ = varied_ || varies(tensor);
    if (tensor.numel() == 1) {
      std::ostringstream text;
      text << (tensor.scalar_type() == at::kUInt64 ? tensor.to(at::kDouble) : tensor.detach()).item();
      single_results_.insert(text.str());
    }
  }
}

std::string Fed::missing() const {
  if (calls_ == 0) return "no call without an error";
  std::ostringstream text;
  if (shapes_.size() < 3) text << "only " << shapes_.size() << " shapes; ";
  if (dtypes_.size() < 2 && refused_.size() < 3) text << "only one dtype; ";
  if (takes_tensors_ && !strided_) text << "no strided tensor at an offset; ";
  if (!varied_ && single_results_.size() < 2) text << "results are constant; ";
  return text.str();
}

}  // namespace openreg::differential
