#include <openreg/inspect.h>

#include <openreg/dispatch.h>
#include <openreg/openreg.h>
#include <openreg/stubs.h>

namespace openreg::inspect {
namespace {

using c10::DispatchKey;

// A backend kernel takes the place of the composite kernel, and with it of the gradients of what the composite calls.
bool cuts_off_gradient(const std::string& op) {
  return dispatch::has_kernel_for_dispatch_key(op, DispatchKey::CompositeImplicitAutograd) &&
         !dispatch::has_kernel_for_dispatch_key(op, DispatchKey::Autograd) &&
         !dispatch::has_kernel_for_dispatch_key(op, DispatchKey::AutogradPrivateUse1);
}

// The stubs that kernels of openreg's own end in. Of others it is known only that libtorch's kernel ends there.
bool is_ours(const std::string& stub) {
  return stub == "abs_stub" || stub == "quantize_tensor_per_tensor_affine_stub" || stub == "_fused_sdp_choice_stub";
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
  for (const auto& stub : stub_catalogue()) {
    for (const std::string& op : stub.slot == StubSlot::empty ? stub.native_operators : std::vector<std::string>{}) {
      const bool sure = is_ours(stub.name);
      traps.push_back({op,
                       "is registered for PrivateUse1, and " + std::string(sure ? "it" : "libtorch's kernel for it") +
                           " ends in " + stub.name + ", whose PrivateUse1 slot is empty; " +
                           (sure ? "" : "if yours does too, ") + "fill it with REGISTER_PRIVATEUSE1_DISPATCH.",
                       sure});
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
