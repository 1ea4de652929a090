#include "stubs/catalogue/slots.h"

#include <ATen/native/DispatchStub.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>

#include <array>
#include <cstring>

// Note [Reading a stub's slot]
// DispatchStub can be asked through is_device_supported() only by a program that is compiled with libtorch's own
// HAVE_..._CPU_DEFINITION macros: its arguments depend on them. The slot itself does not. So it is read as memory; its
// offset is that at which set_privateuse1_dispatch_ptr(), which REGISTER_PRIVATEUSE1_DISPATCH calls, writes into a stub
// of our own.
namespace openreg::stubs {
namespace {

struct Probe : at::native::DispatchStub<void (*)(), Probe> {};

void marker() {}

std::size_t find_offset() {
  Probe probe;
  probe.set_privateuse1_dispatch_ptr(&marker);
  const auto wanted = &marker;
  std::array<unsigned char, sizeof(Probe)> bytes{};
  std::memcpy(bytes.data(), &probe, sizeof(Probe));
  for (std::size_t i = 0; i + sizeof(wanted) <= bytes.size(); i += alignof(void*)) {
    if (std::memcmp(bytes.data() + i, &wanted, sizeof(wanted)) == 0) {
      return i;
    }
  }
  TORCH_CHECK(false, "A DispatchStub does not hold what was put into it.");
}

}  // namespace

StubSlot slot_of(const char* symbol) {
  static const auto offset = find_offset();
  const auto* const object = static_cast<const char*>(dlsym(RTLD_DEFAULT, symbol));
  if (object == nullptr) {
    return StubSlot::not_visible;
  }
  const void* kernel = nullptr;
  std::memcpy(&kernel, object + offset, sizeof(kernel));
  return kernel == nullptr ? StubSlot::empty : StubSlot::filled;
}

}  // namespace openreg::stubs
