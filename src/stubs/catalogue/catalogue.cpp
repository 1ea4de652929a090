#include <algorithm>
#include <set>

#include "fallback/native_kernels.h"
#include "openreg/stubs.h"
#include "stubs/catalogue/declared_stubs.h"
#include "stubs/catalogue/operators_of_stub.h"
#include "stubs/catalogue/slots.h"

namespace openreg {

const char* slot_name(StubSlot slot) noexcept {
  switch (slot) {
    case StubSlot::empty:
      return "empty";
    case StubSlot::filled:
      return "filled";
    case StubSlot::not_visible:
      return "not visible";
  }
  return "unknown";
}

std::string stub_remark(const Stub& stub) {
  if (stub.slot == StubSlot::filled && stub.native_operators.empty()) return "stub filled, no operator ends there";
  if (stub.slot == StubSlot::empty && !stub.native_operators.empty()) return "kernel present, stub empty";
  return "";
}

std::vector<Stub> stub_catalogue() {
  const stubs::OperatorsOfStub operators;
  std::vector<Stub> result;
  result.reserve(stubs::declared_stub_count);
  for (std::size_t i = 0; i < stubs::declared_stub_count; ++i) {
    const auto& declared = stubs::declared_stubs[i];
    Stub stub{declared.name,
              declared.header,
              declared.signature,
              operators.find(declared.name),
              {},
              stubs::slot_of(declared.symbol)};
    std::copy_if(stub.operators.begin(), stub.operators.end(), std::back_inserter(stub.native_operators),
                 &fallback::has_native_kernel);
    result.push_back(std::move(stub));
  }
  return result;
}

std::vector<std::string> stub_headers() {
  std::set<std::string> headers;
  for (std::size_t i = 0; i < stubs::declared_stub_count; ++i) {
    headers.insert(stubs::declared_stubs[i].header);
  }
  return {headers.begin(), headers.end()};
}

}  // namespace openreg
