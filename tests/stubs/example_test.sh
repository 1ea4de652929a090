#!/usr/bin/env bash
# Builds examples/custom_operator with the installed and moved package, and runs it.
. "$(dirname "$0")/../packaging/packaging.sh"

case_custom_operator() {
  local tree=$examples/custom_operator
  configure "$OPENREG_SOURCE/examples/custom_operator" "$tree" "-DCMAKE_PREFIX_PATH=$moved"
  expect_status 0
  build "$tree"
  attempt "$tree/custom_operator"
  expect_status 0
  for name in bucket swish soft_abs ranks reversed; do expect out "example::$name: as on the CPU"; done
  expect out "aten::relu: as on the CPU"
  expect out "aten::angle: as on the CPU"
  expect out "gradient of example::swish: as on the CPU"
  expect out "gradient of example::soft_abs: as on the CPU"
  expect out "example::ranks by explicit_fallback"
  expect out "example::reversed by global_fallback"
  expect_not out "example::swish by"
  expect_not out "aten::relu by"
}
run_case custom_operator
