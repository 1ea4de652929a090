#pragma once

#include <cstddef>

namespace openreg::stubs {

// One DECLARE_DISPATCH of the libtorch that openreg is built with. The table is written by the generator.
struct DeclaredStub {
  const char* name;
  const char* header;
  const char* signature;
  const char* symbol;
};

extern const DeclaredStub* const declared_stubs;
extern const std::size_t declared_stub_count;

}  // namespace openreg::stubs
