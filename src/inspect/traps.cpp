#include <openreg/inspect.h>

#include <ATen/native/DispatchStub.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/quantized/AffineQuantizer.h>
#include <ATen/native/transformers/attention.h>
#include <openreg/dispatch.h>
#include <openreg/openreg.h>

namespace openreg::inspect {
namespace {

// A stub's slot is private and libtorch does not export the function that reads it; an explicit instantiation may name
// the member.
#define OPENREG_SLOT(stub)                                                                                \
  bool stub##_filled();                                                                                   \
  template <auto Slots>                                                                                   \
  struct Reach_##stub {                                                                                   \
    friend bool stub##_filled() { return (at::native::stub.*Slots).privateuse1_dispatch_ptr != nullptr; } \
  };                                                                                                      \
  template struct Reach_##stub<&at::native::stub##_DECLARE_DISPATCH_type::impl>
OPENREG_SLOT(abs_stub);
OPENREG_SLOT(quantize_tensor_per_tensor_affine_stub);
OPENREG_SLOT(_fused_sdp_choice_stub);
#undef OPENREG_SLOT

using c10::DispatchKey;

// A backend kernel takes the place of the composite kernel, and with it of the gradients of what the composite calls.
bool cuts_off_gradient(const std::string& op) {
  return dispatch::has_kernel_for_dispatch_key(op, DispatchKey::CompositeImplicitAutograd) &&
         !dispatch::has_kernel_for_dispatch_key(op, DispatchKey::Autograd) &&
         !dispatch::has_kernel_for_dispatch_key(op, DispatchKey::AutogradPrivateUse1);
}

struct StubBehind {
  const char* op;
  bool filled;
};

std::vector<StubBehind> stubs_behind_operators() {
  return {{"aten::abs.out", abs_stub_filled()},
          {"aten::quantize_per_tensor", quantize_tensor_per_tensor_affine_stub_filled()},
          {"aten::_fused_sdp_choice", _fused_sdp_choice_stub_filled()}};
}

}  // namespace

std::vector<Trap> find_traps() {
  init();
  std::vector<Trap> traps;
  for (const std::string& op : dispatch::get_registrations_for_dispatch_key(DispatchKey::PrivateUse1)) {
    if (dispatch::has_kernel(op) && cuts_off_gradient(op)) {
      traps.push_back({op,
                       "has a PrivateUse1 kernel and is made of other operators otherwise (CompositeImplicitAutograd): "
                       "its gradient is lost; register at AutogradPrivateUse1 as well, or remove the kernel."});
    }
  }
  for (const auto& [op, filled] : stubs_behind_operators()) {
    if (dispatch::has_kernel_for_dispatch_key(op, DispatchKey::PrivateUse1) && !filled) {
      traps.push_back({op,
                       "is registered for PrivateUse1 and ends in a DispatchStub whose PrivateUse1 slot is empty; "
                       "fill it with REGISTER_PRIVATEUSE1_DISPATCH."});
    }
  }
  for (const std::string& state : dispatch::find_dangling_impls()) {
    if (state.find("\nPrivateUse1: ") != std::string::npos ||
        state.find("\nAutogradPrivateUse1: ") != std::string::npos) {
      const auto begin = state.find("name: ") + 6;
      traps.push_back(
          {state.substr(begin, state.find('\n', begin) - begin),
           "has a kernel for PrivateUse1 and no definition; check the spelling of its name, or define it."});
    }
  }
  return traps;
}

}  // namespace openreg::inspect
