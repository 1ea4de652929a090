#!/usr/bin/env bash
# Each thing that cannot work is refused at configure time, by name and with the remedy.
. "$(dirname "$0")/common.sh"
project=$(cd "$(dirname "$0")" && pwd)/checks_project
configure() {
  attempt cmake -G Ninja -S "$project" -B "$work/build" "-DOPENREG_SOURCE=$OPENREG_SOURCE" "$@"
}
names_remedy() { expect err "CMAKE_PREFIX_PATH"; expect err "Torch_DIR"; expect err "./dev demo --libtorch DIR"; expect err "tools/get_libtorch"; }

case_not_found() { # the real project
  attempt cmake -G Ninja -S "$OPENREG_SOURCE" -B "$work/build" -DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON
  expect_status 1; expect err "libtorch was not found"; names_remedy
}
case_too_old() {
  fake_libtorch "$work/old" 2.5.1
  configure "-DCMAKE_PREFIX_PATH=$work/old"
  expect_status 1; expect err "openreg needs libtorch 2.6 or newer"; expect err "is version 2.5.1"; names_remedy
}
case_old_abi() {
  fake_libtorch "$work/old_abi" 2.6.0 0
  configure "-DCMAKE_PREFIX_PATH=$work/old_abi"
  expect_status 1; expect err "_GLIBCXX_USE_CXX11_ABI=0"; expect err "cxx11-abi"; names_remedy
}
case_untried() {
  fake_libtorch "$work/new" 2.99.0
  configure "-DCMAKE_PREFIX_PATH=$work/new"
  expect_status 0; expect out "libtorch 2.99.0 is untried"
}
case_compiler_old() {
  fake_libtorch "$work/one" 2.6.0
  configure "-DCMAKE_PREFIX_PATH=$work/one" -DCOMPILER_VERSION=11.4.0
  expect_status 1; expect err "needs g++ 12 or newer, or clang 14"; expect err "GNU 11.4.0"
}
case_sanitizers_clash() {
  configure "-DOPENREG_SANITIZE=address;thread"; expect_status 1; expect err "exclude each other"
}
case_answers_are_asked_again() { # after a change of libtorch, also without a fresh build tree
  fake_libtorch "$work/one" 2.6.0; fake_libtorch "$work/two" 2.14.1
  configure "-DTorch_DIR=$work/one/share/cmake/Torch"; expect_status 0; expect out "the answer is ''"
  configure; expect out "the answer is 'of 2.6.0'"
  configure "-DTorch_DIR=$work/two/share/cmake/Torch"; expect_status 0; expect out "the answer is ''"
}
run_case "$@"
