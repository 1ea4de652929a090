#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The catalogue of DispatchStubs: where a kernel for a built-in operator can be put with
// REGISTER_PRIVATEUSE1_DISPATCH, and where one is.
//
//   for (const auto& stub : openreg::stub_catalogue()) {
//     if (stub.slot == openreg::StubSlot::filled) std::cout << stub.name << " " << stub.signature << "\n";
//   }
//
// All functions may be called from any thread. They do not start the devices.
namespace openreg {

// A stub's slot for PrivateUse1.
enum class StubSlot : std::uint8_t {
  empty,        // calling the stub with an openreg tensor throws "missing kernel for openreg"
  filled,       // has a kernel
  not_visible,  // the header declares it, but the library has no such symbol: no program can fill it
};

// "empty", "filled", "not visible". Never null.
const char* slot_name(StubSlot slot) noexcept;

// One DECLARE_DISPATCH of libtorch.
struct Stub {
  std::string name;       // "abs_stub"
  std::string header;     // "ATen/native/UnaryOps.h"
  std::string signature;  // "void(*)(TensorIteratorBase&)", as the header spells it

  // The operators that end in it, as far as the name tells: "aten::abs", "aten::abs.out", "aten::abs_". Empty when
  // it does not tell.
  std::vector<std::string> operators;

  // Those of `operators` with a kernel of their own for PrivateUse1. A stub is reached through one of these alone:
  // the fallback answers for the others before the stub is asked.
  std::vector<std::string> native_operators;

  StubSlot slot = StubSlot::empty;
};

// What a stub and its operators add up to, in words: "kernel present, stub empty" for a kernel that will throw when it
// ends in the stub, "stub filled, no operator ends there" for a slot that is never asked; "" otherwise.
std::string stub_remark(const Stub& stub);

// Every stub that the headers of libtorch_version() declare, by header, then as declared. A name that two headers
// declare (clamp_stub in 2.6) is there twice; the slot is one.
std::vector<Stub> stub_catalogue();

// The headers that declare stubs, sorted: what
//   find ATen -type f -a -name "*.h" | xargs -I {} grep -wl "^DECLARE_DISPATCH" {}
// prints in libtorch's include folder.
std::vector<std::string> stub_headers();

}  // namespace openreg
