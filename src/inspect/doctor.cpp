#include <openreg/inspect.h>

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/ops/_has_compatible_shallow_copy_type.h>
#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

#include <cstdlib>

#include <openreg/dispatch.h>
#include <openreg/openreg.h>

#include "device/allocator.h"
#include "device/generator.h"
#include "device/guard.h"
#include "device/hooks.h"
#include "device/runtime.h"
#include "libtorch_version.h"
#include "registration.h"

namespace openreg::inspect {
namespace {

using c10::DispatchKey;
constexpr auto kDevice = c10::DeviceType::PrivateUse1;

/// What was found; a problem is thrown as c10::Error.
using Check = std::string (*)();

std::string one_copy() {
  switch (registration_state()) {
    case RegistrationState::done:
      return "one copy, registered";
    case RegistrationState::disabled:
      TORCH_CHECK(false, "switched off by OPENREG_DISABLE=", std::getenv("OPENREG_DISABLE"),
                  ": nothing is registered and there is no device; unset it");
    case RegistrationState::refused:
      break;
  }
  TORCH_CHECK(false, registration_problem());
}

std::string same_libtorch() {
  const std::string problem = libtorch_mismatch();
  TORCH_CHECK(problem.empty(), problem);
  return std::string(libtorch_version()) + ", built with it and loaded";
}

std::string name() {
  TORCH_CHECK(c10::is_privateuse1_backend_registered(),
              "the backend has no name; link openreg::openreg, not its archive");
  const std::string its = c10::get_privateuse1_backend();
  TORCH_CHECK(its == device::kBackendName, "PrivateUse1 is called '", its, "': another backend was there first");
  return its;
}

std::string guard() {
  TORCH_CHECK(c10::impl::getDeviceGuardImpl(kDevice) == &device::guard(),
              "the guard is not openreg's: another took its place");
  const auto count = device_count();
  TORCH_CHECK(count > 0, "no device; set OPENREG_DEVICE_COUNT to a number above 0");
  return std::to_string(count) + " device" + (count == 1 ? "" : "s");
}

std::string hooks() {
  TORCH_CHECK(at::isPrivateUse1HooksRegistered(), "no hooks; link openreg::openreg, not its archive");
  TORCH_CHECK(&at::detail::getPrivateUse1Hooks() == &device::hooks(),
              "the hooks are not openreg's: another took their place");
  return "registered";
}

std::string allocator() {
  TORCH_CHECK(c10::GetAllocator(kDevice) == &device::allocator(),
              "the allocator is not openreg's: another took its place");
  const auto block = device::allocate(64, 0);
  TORCH_CHECK(block.get() != nullptr && block.device().type() == kDevice, "a block of 64 bytes is not on the device");
  return "gives and takes back a block";
}

std::string generator() {
  const auto& its = device::default_generator(0);
  TORCH_CHECK(its.defined() && its.device().type() == kDevice, "the default generator is not on the device");
  return "seed " + std::to_string(its.current_seed());
}

std::string operators() {
  for (const char* const op : {"empty.memory_format", "empty_strided", "as_strided", "resize_", "_reshape_alias",
                               "_copy_from", "_copy_from_and_resize", "_local_scalar_dense", "set_.source_Tensor",
                               "set_.source_Storage", "set_.source_Storage_storage_offset", "view"}) {
    TORCH_CHECK(dispatch::has_kernel_for_dispatch_key(op, DispatchKey::PrivateUse1), "aten::", op,
                " has no kernel for ", device::kBackendName, "; a backend cannot do without it");
  }
  auto traps = find_traps();
  std::erase_if(traps, [](const Trap& trap) { return !trap.sure; });
  if (!traps.empty()) {
    TORCH_CHECK(false, traps.size(), " trap(s), the first: ", traps.front().op, " ", traps.front().what);
  }
  return std::to_string(dispatch::get_registrations_for_dispatch_key(DispatchKey::PrivateUse1).size()) +
         " registered, no traps";
}

std::string fallback() {
  for (const auto key : {DispatchKey::PrivateUse1, DispatchKey::AutogradPrivateUse1}) {
    TORCH_CHECK(dispatch::has_backend_fallback(key), "no fallback at ", key,
                "; link openreg::openreg, not its archive");
  }
  return "at PrivateUse1 and AutogradPrivateUse1";
}

std::string autocast() {
  TORCH_CHECK(dispatch::has_backend_fallback(DispatchKey::AutocastPrivateUse1),
              "no fallback at AutocastPrivateUse1: under autocast every operator would fail");
  return "fallback at AutocastPrivateUse1";
}

std::string views() {
  for (const auto key : {DispatchKey::Conjugate, DispatchKey::Negative, DispatchKey::ZeroTensor}) {
    for (const char* const op : {"_copy_from", "_copy_from_and_resize"}) {
      TORCH_CHECK(
          dispatch::has_kernel_for_dispatch_key(op, key) && dispatch::kernel_for_dispatch_key_is_fallthrough(op, key),
          "aten::", op, " does not fall through at ", key, ": copies of such views would never end");
    }
  }
  return "copies fall through at Conjugate, Negative and ZeroTensor";
}

std::string shallow_copies() {
  // Asked as Module::to asks, since versions of libtorch differ in the keys that need a kernel.
  const auto on_device = at::empty({1}, at::TensorOptions().device(kDevice));
  const auto on_cpu = at::empty({1}, at::TensorOptions());
  TORCH_CHECK(at::_has_compatible_shallow_copy_type(on_cpu, on_device) &&
                  at::_has_compatible_shallow_copy_type(on_device, on_cpu),
              "aten::_has_compatible_shallow_copy_type says no: Module::to would throw");
  return "Module::to keeps its parameters";
}

Finding look(const char* what, Check check) {
  try {
    return {what, true, check()};
  } catch (const c10::Error& error) {
    return {what, false, error.what_without_backtrace()};
  } catch (const std::exception& error) {
    return {what, false, error.what()};
  }
}

}  // namespace

std::vector<Finding> examine() {
  if (switched_off()) {
    return {look("device", &one_copy), look("libtorch", &same_libtorch)};
  }
  return {look("copies", &one_copy),     look("libtorch", &same_libtorch),
          look("name", &name),           look("guard", &guard),
          look("hooks", &hooks),         look("allocator", &allocator),
          look("generator", &generator), look("operators", &operators),
          look("fallback", &fallback),   look("autocast", &autocast),
          look("views", &views),         look("shallow copies", &shallow_copies)};
}

}  // namespace openreg::inspect
