#include "registration.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/Allocator.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>

#include "device/allocator.h"
#include "device/environment.h"
#include "device/guard.h"
#include "device/hooks.h"
#include "device/metadata.h"
#include "device/pinned_allocator.h"
#include "device/profiler.h"
#include "device/runtime.h"
#include "fallback/boxed.h"
#include "fallback/explicit_set.h"
#include "fallback/host_allocator.h"
#include "fallback/policy.h"
#include "library.h"
#include "libtorch_version.h"
#include "log.h"
#include "ops/attention.h"
#include "ops/autocast.h"
#include "ops/cpu_composites.h"
#include "ops/custom.h"
#include "ops/dropout.h"
#include "ops/forwarded.h"
#include "ops/minimal_table.h"
#include "ops/quantized.h"
#include "ops/recurrent.h"
#include "stubs/stub_table.h"

// Note [One registration]
// Everything that openreg registers with libtorch is registered here, before main, in this order. TORCH_LIBRARY_IMPL
// would do the same from each table's file, but three things need one place:
//  * a second fallback or hooks registration ends the program before main, while guard, allocator and stubs are
//    overwritten without a word. So it is first asked whether the PrivateUse1 key is free, and then everything is
//    registered or nothing;
//  * torch::Library takes its registrations back when it is destroyed, which at exit may be before the last tensor:
//    the libraries here are leaked;
//  * a shared object that holds this code must not be unloaded, or the dispatcher would call into nothing.
namespace openreg {
namespace {

using c10::DispatchKey;

struct Outcome {
  RegistrationState state = RegistrationState::done;
  std::string problem;
};

std::string key_holder() {
  if (c10::is_privateuse1_backend_registered()) {
    return "the backend '" + c10::get_privateuse1_backend() + "' has taken its name";
  }
  if (c10::impl::hasDeviceGuardImpl(device::kDeviceType)) return "a device guard is registered";
  if (at::isPrivateUse1HooksRegistered()) return "hooks are registered";
  if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(DispatchKey::PrivateUse1)) {
    return "a fallback is registered";
  }
  return "";
}

void register_device() {
  c10::register_privateuse1_backend(device::kBackendName);
  c10::impl::DeviceGuardImplRegistrar(device::kDeviceType, &device::guard());
  c10::SetAllocator(device::kDeviceType, &device::allocator());
  at::RegisterPrivateUse1HooksInterface(&device::hooks());
  device::register_pinned_allocator();
  device::register_profiler();
  device::register_metadata();
}

void register_operators() {
  ops::register_minimal_operators();
  ops::register_selective_fallback();
  ops::register_cpu_composites();
  ops::register_recurrent_operators();
  ops::register_attention_operators();
  ops::register_autocast_operators();
  ops::register_dropout();
  ops::register_quantized_operators();
  stubs::register_stub_operators();
  stubs::fill_stub_slots();
  ops::register_custom_operators();

  ops::register_copy_fallthrough(DispatchKey::Conjugate);
  ops::register_copy_fallthrough(DispatchKey::Negative);
  ops::register_copy_fallthrough(DispatchKey::ZeroTensor);
}

// libtorch has some of these itself, more with each version, and a second one ends the program.
void register_fallback(DispatchKey key, torch::CppFunction function) {
  if (!c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(key)) {
    library("_", key).fallback(std::move(function));
  }
}

void register_fallbacks() {
  register_fallback(DispatchKey::PrivateUse1, torch::CppFunction::makeFromBoxedFunction<&fallback::global_fallback>());
  // Needed by 2.6, where Module::to asks at this key; newer versions never look here.
  ops::register_shallow_copy_type(DispatchKey::AutogradPrivateUse1);
}

// Programs written for older versions of libtorch register these two themselves, when they start. As a second one ends
// the process, openreg's wait until then.
void register_fallbacks_of_wrapper_keys() {
  register_fallback(DispatchKey::AutogradPrivateUse1, torch::autograd::basicAutogradNotImplementedFallback());
  register_fallback(DispatchKey::AutocastPrivateUse1, torch::CppFunction::makeFallthrough());
}

void refuse_other_layouts() {
  for (const auto key : {DispatchKey::SparsePrivateUse1, DispatchKey::SparseCsrPrivateUse1,
                         DispatchKey::QuantizedPrivateUse1, DispatchKey::NestedTensorPrivateUse1}) {
    register_fallback(key, torch::CppFunction::makeFromBoxedFunction<&fallback::refuse_layout>());
  }
  library("aten", DispatchKey::PrivateUse1)
      .impl("_nested_tensor_from_tensor_list",
            torch::CppFunction::makeFromBoxedFunction<&fallback::refuse_nested_result>());
}

// At first use of the device. See Note [Which operators need the fallback by name]; and a fallback for a whole key
// walks through all operators, which takes milliseconds: those that only refuse can wait.
void finish_registration() {
  register_fallbacks_of_wrapper_keys();
  fallback::install_host_allocator();
  ops::register_forwarded_operators();
  fallback::register_explicit_set();
  fallback::read_policy_from_environment();  // asks which operators the set above can force
  refuse_other_layouts();
  if (log::enabled(log::Level::info)) {
    const auto& environment = device::environment();
    log::write(log::Level::info, c10::str("devices are ready: ", environment.device_count, ", host access ",
                                          environment.host_access, ", fallback ", environment.fallback));
  }
}

void stay_loaded() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&stay_loaded), &info) != 0 && info.dli_fname != nullptr) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

Outcome refuse(std::string problem) {
  TORCH_WARN(problem);
  return {RegistrationState::refused, std::move(problem)};
}

Outcome register_all() {
  if (device::disabled_by_environment()) {
    return {RegistrationState::disabled, ""};
  }
  if (auto problem = libtorch_mismatch(); !problem.empty()) {
    return refuse(std::move(problem));
  }
  if (const auto holder = key_holder(); !holder.empty()) {
    return refuse("openreg is not registered: the PrivateUse1 key is in use (" + holder +
                  "). One process holds one PrivateUse1 backend: link openreg once, or set OPENREG_DISABLE=1.");
  }
  stay_loaded();
  register_device();
  register_operators();
  register_fallbacks();
  device::set_first_use_action(&finish_registration);
  return {};
}

// Leaked: asked by init(), which a static destructor may call.
const Outcome& outcome() {
  static const auto* const result = new Outcome(register_all());
  return *result;
}

[[maybe_unused]] const auto& registered_before_main = outcome();

}  // namespace

RegistrationState registration_state() noexcept { return outcome().state; }

const std::string& registration_problem() noexcept { return outcome().problem; }

}  // namespace openreg
