#pragma once

#include <gtest/gtest.h>

#include <string>

#include "openreg/fallback.h"

namespace openreg::test {

// Since the scope began, `op` ran by `way` at least once and by no other way.
testing::AssertionResult ran_by(const LedgerScope& scope, const std::string& op, Way way);

// Since the scope began, `op` was not run on the device by any way.
testing::AssertionResult never_ran(const LedgerScope& scope, const std::string& op);

// Whether anything but CPU kernels computed: results are then equal to the CPU's only within rounding.
bool only_cpu_kernels_computed(const LedgerScope& scope);

}  // namespace openreg::test
