#include "differential/planted_faults.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace openreg::differential {
namespace {

torch::Library& aten(c10::DispatchKey key) {  // leaked: the child ends with it
  return *new torch::Library(torch::Library::IMPL, "aten", key, __FILE__, __LINE__);
}

torch::Library& device() { return aten(c10::DispatchKey::PrivateUse1); }

at::Tensor on_device(const at::Tensor& host) {
  auto result = at::empty_strided(host.sizes(), host.strides(), host.options().device(c10::Device("openreg:0")));
  result.copy_(host);
  return result;
}

at::Tensor tanh_at_offset_zero(const at::Tensor& self) {
  return on_device(at::tanh(self.as_strided(self.sizes(), self.strides(), 0).cpu()));
}

at::Tensor sinh_contiguous(const at::Tensor& self) { return on_device(at::sinh(self.cpu()).contiguous()); }

at::Tensor unfold_copied(const at::Tensor& self, std::int64_t dim, std::int64_t size, std::int64_t step) {
  return on_device(self.cpu().unfold(dim, size, step));
}

at::Tensor& cosh_lost(at::Tensor& self) { return self; }

at::Tensor& sin_uncounted(at::Tensor& self) {
  const at::AutoDispatchBelowADInplaceOrView no_counting;
  return self.sin_();
}

at::Tensor erf_double(const at::Tensor& self) { return on_device(at::erf(self.cpu()).to(at::kDouble)); }

}  // namespace

const std::vector<PlantedFault>& planted_faults() {
  static const std::vector<PlantedFault> faults{
      {"offset ignored", "aten::tanh", "element", [] { device().impl("tanh", tanh_at_offset_zero); }},
      {"strides dropped", "aten::sinh", "strides", [] { device().impl("sinh", sinh_contiguous); }},
      {"view copied", "aten::unfold", "sharing", [] { device().impl("unfold", unfold_copied); }},
      {"in-place write lost", "aten::cosh_", "argument 0 afterwards", [] { device().impl("cosh_", cosh_lost); }},
      {"wrong dtype", "aten::erf", "dtype", [] { device().impl("erf", erf_double); }},
      {"version counter not bumped", "aten::sin_", "version",
       [] { aten(c10::DispatchKey::AutogradPrivateUse1).impl("sin_", sin_uncounted); }},
  };
  return faults;
}

}  // namespace openreg::differential
