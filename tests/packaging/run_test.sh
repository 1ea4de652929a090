#!/usr/bin/env bash
# Runs the programs of stranger/.
. "$(dirname "$0")/packaging.sh"

lines() { # lines err|out N: so many lines that are not empty
  [ "$(grep -c . "$work/$1")" = "$2" ] || fail "not $2 lines in std$1"
}
case_find_package() {
  attempt "$strangers/app"
  expect_status 0; expect out "openreg:1 agrees with the CPU"
}
case_chain() {
  attempt "$strangers/chain_app"
  expect_status 0; expect out "openreg:0 agrees with the CPU"
}
case_hidden_plugin() {
  attempt "$strangers/loader" "$strangers/plugin.so" init run keep use
  expect_status 0; expect out "plugin: init is done"; expect out "openreg:1 agrees with the CPU"; expect out "kept sum 0"
  # Of openreg's own code nothing is visible from outside.
  attempt nm -DC --defined-only "$strangers/plugin.so"
  expect_status 0; expect out plugin_run
  expect_not out " T openreg::"
}
case_exceptions() {
  attempt "$strangers/loader" "$strangers/plugin.so" throw
  expect_status 0
  expect out "c10::Error: 'openreg:99' is no device"; expect out std::exception
}
# The dispatcher keeps pointers into the plugin: closing it must not take the code away.
case_unload() {
  attempt "$strangers/loader" "$strangers/plugin.so" run keep close use
  expect_status 0; expect out "dlclose: 0"; expect out "kept sum 0"
  attempt "$strangers/loader" "$strangers/plugin.so" close
  expect_status 0; expect out "dlclose: 0"
}
case_two_copies() {
  attempt "$strangers/loader_with_openreg" "$strangers/plugin.so" run keep close use
  expect_status 0; expect out "openreg:1 agrees with the CPU"; expect out "kept sum 0"
  lines err 1
  expect err "openreg is not registered: the PrivateUse1 key is in use"; expect err "link openreg once"
  attempt "$strangers/loader_with_openreg" "$strangers/plugin.so" init
  expect_status 2; expect out "plugin: openreg is not registered: the PrivateUse1 key is in use"
}
case_plain_archive() {
  # Including openreg/openreg.h is enough ...
  attempt "$strangers/plain_init"
  expect_status 0; expect out "openreg:1 agrees with the CPU"
  # ... but a program that names nothing of openreg gets nothing of it, and libtorch says that it knows no such device.
  attempt "$strangers/plain_silent"
  expect_status 2; expect out "device type at start of device string: openreg"
}
seven_lines() { # of at::ones, on stderr
  grep -qxF ' [call] op=[aten::ones], key=[BackendSelect]' "$work/err" || fail "no call of ones"
  lines err 7
  [ "$(tail -n 1 "$work/err")" = '     [redispatch] op=[aten::fill_.Scalar], key=[CPU]' ] || fail "another last line"
}
case_dispatch_alone() {
  attempt "$strangers/asks"
  expect_status 0
  expect out "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)"; expect out "AutogradPrivateUse1"
  expect out "kernel of abs for the device: 0, fallback: 0"; expect out "aten::add.Tensor"
  lines err 0
}
case_trace_alone() {
  attempt "$strangers/ones_traced"
  expect_status 0; expect out "4 elements"
  lines err 0
  attempt env TORCH_SHOW_DISPATCH_TRACE=1 "$strangers/ones_traced"
  expect_status 0; expect out "4 elements"
  seven_lines
}
case_trace_preloaded() {
  preload=$(find "$moved" -name libopenreg_dispatch_trace.so)
  attempt env "LD_PRELOAD=$preload" TORCH_SHOW_DISPATCH_TRACE=1 "$strangers/ones_plain"
  expect_status 0; expect out "4 elements"
  seven_lines
}
case_inspect() {
  attempt "$strangers/inspects"
  expect_status 0
  expect_not out FAILS; expect out "ok copies: one copy, registered"; expect out "abs.out: stub"
  expect out " [redispatch] op=[aten::abs], key=[PrivateUse1]"
  expect out "[call] op=[aten::abs.out], key=[PrivateUse1]"
}
case_disabled() {
  attempt env OPENREG_DISABLE=1 "$strangers/app"
  expect_status 2; expect out "device type at start of device string: openreg"
  lines err 0
  attempt env OPENREG_DISABLE=1 "$strangers/plain_init"
  [ "$status" != 0 ] || fail "init() went through"
  expect err "openreg is switched off by OPENREG_DISABLE"
}
case_other_libtorch() {
  attempt "$strangers/other_libtorch"
  expect_status 2
  lines err 1
  expect err "it was built with libtorch $OPENREG_TORCH_VERSION, and libtorch 9.8.7 is loaded"
  expect out "exception: openreg is not registered: it was built with libtorch $OPENREG_TORCH_VERSION"
}
# What openreg adds to the start of a program: the median difference of 15 pairs of runs of an empty main. Processor time,
# since a clock on the wall would also measure what else the machine does.
case_start_up() {
  microseconds_of() {
    local TIMEFORMAT='%3U %3S'
    { time "$1"; } 2>&1 | awk 'NF == 2 { print ($1 + $2) * 1000000 }'
  }
  # Up to three rounds: what the library adds is there in each, what a busy machine adds is not.
  for round in 1 2 3; do
    for _ in $(seq 15); do
      without=$(microseconds_of "$strangers/starts_without") with=$(microseconds_of "$strangers/starts_with")
      echo $((with - without)) "$without"
    done | sort -n | tee "$work/out" | awk 'NR == 8 { print $1, $2 }' >"$work/median"
    read -r difference without <"$work/median"
    echo "round $round: openreg adds $difference microseconds to a start of $without"
    [ "$difference" -ge 20000 ] || return 0
  done
  fail "more than 20 ms"
}
run_case "$@"
