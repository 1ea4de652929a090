#include "support/ledger.h"

#include <set>

namespace openreg::test {
namespace {

// Kernels of openreg's own that move or label bytes and compute nothing.
const std::set<std::string> kPlumbing{
    "aten::empty.memory_format",
    "aten::empty_strided",
    "aten::as_strided",
    "aten::resize_",
    "aten::_reshape_alias",
    "aten::_copy_from",
    "aten::view",
    "aten::_local_scalar_dense",
    "aten::_copy_from_and_resize",
    "aten::set_.source_Tensor",
    "aten::set_.source_Storage",
    "aten::set_.source_Storage_storage_offset",
    "aten::_has_compatible_shallow_copy_type",
};

}  // namespace

testing::AssertionResult ran_by(const LedgerScope& scope, const std::string& op, Way way) {
  if (scope.calls(op, way) > 0 && scope.calls(op, way) == scope.calls(op)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << op << " did not run as " << way_name(way) << " alone:\n"
                                     << ledger_table(scope.entries());
}

testing::AssertionResult never_ran(const LedgerScope& scope, const std::string& op) {
  if (scope.calls(op) == 0) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << op << " ran:\n" << ledger_table(scope.entries());
}

bool only_cpu_kernels_computed(const LedgerScope& scope) {
  for (const auto& entry : scope.entries()) {
    // The stub hands its iterator's tensors to the CPU's kernel of the same name.
    if (entry.way == Way::native && kPlumbing.count(entry.op) == 0) {
      return false;
    }
  }
  return true;
}

}  // namespace openreg::test
