#!/usr/bin/env bash
# ./dev in a copy of its folder with a small project, and tools/check_tools with tools hidden or faked.
. "$(dirname "$0")/common.sh"
tree="$work/a tree"
mkdir -p "$tree/tools"
cp "$OPENREG_SOURCE/dev" "$OPENREG_SOURCE/CMakePresets.json" "$(dirname "$0")/dev_project/CMakeLists.txt" "$tree"
cp "$OPENREG_SOURCE/tools/check_tools" "$tree/tools"
fake_libtorch "$work/one" 2.6.0
fake_libtorch "$work/two" 2.9.0
cat >"$tree/tools/get_libtorch" <<END
#!/bin/sh
echo "$work/one"
END
chmod +x "$tree/tools/get_libtorch"
dev() { attempt "$tree/dev" "$@"; }
check_tools() { attempt "$tree/tools/check_tools"; }
not_root() { echo 'echo 1000' | fake id; }

case_demo_runs() {
  dev demo run "a file"; expect_status 0
  expect out "demo with libtorch 2.6.0: run a file"; expect err "libtorch 2.6.0 in"; expect err "Debian's packages"
}
case_libtorch_is_remembered() {
  cd "$work" || exit 1
  dev demo --libtorch two run; expect_status 0; expect out "libtorch 2.9.0: run"; expect err "(your --libtorch)"
  dev demo; expect out "libtorch 2.9.0:"
  OPENREG_LIBTORCH=2.6 dev demo; expect out "libtorch 2.6.0:"
  dev demo --libtorch auto; expect out "libtorch 2.6.0:"
  dev demo --libtorch="$work/two"; rm -r "$work/two"
  dev demo; expect_status 1; expect err "holds no libtorch any more"
}
case_libtorch_change_reconfigures() {
  dev demo; expect out "Generating done"
  dev demo; expect_not out "Generating done"
  dev demo --libtorch "$work/two"; expect out "Generating done"; expect out "libtorch 2.9.0:"
}
case_environment_wins() {
  CMAKE_PREFIX_PATH=/nowhere:$work/two dev demo; expect out "libtorch 2.9.0:"; expect err "CMAKE_PREFIX_PATH in"
  Torch_DIR=$work/two/share/cmake/Torch dev demo; expect out "libtorch 2.9.0:"; expect err "Torch_DIR in"
  CMAKE_PREFIX_PATH=/nowhere dev demo; expect out "libtorch 2.6.0:"
  Torch_DIR=/nowhere dev demo; expect_status 1; expect err "Torch_DIR is /nowhere"
}
case_wrong_folder() { dev demo --libtorch /nowhere; expect_status 1; expect err "/nowhere holds no libtorch"; }
case_other_version() {
  cat >"$tree/tools/get_libtorch" <<END
#!/bin/sh
case \$1 in 2.6) echo "$work/one" ;; 2.14) echo "$work/two" ;; esac
END
  OPENREG_LIBTORCH=2.14 dev test -R pass; expect_status 0; expect err "1 passed, 0 failed"; expect err "libtorch 2.9.0 in"
  [ -f "$tree/build/dev-2.14/build.ninja" ] || fail "no build tree of its own"
  dev test -R pass; expect_status 0; expect err "libtorch 2.6.0 in"
}
case_builds() {
  dev build; expect_status 0; [ -x "$tree/build/dev/bin/openreg_demo" ] || fail "nothing was built"
  dev build no_such_target; [ "$status" != 0 ] || fail "built what is not there"
}
case_wrong_version() { OPENREG_LIBTORCH=2.5 dev demo; expect_status 1; expect err "OPENREG_LIBTORCH is 2.5"; }
case_unknown_command() {
  dev nonsense; expect_status 1; expect err "no command 'nonsense'"
  dev help; expect_status 0; expect out "./dev test"
}
case_tests_pass() {
  dev test -R pass; expect_status 0; expect err "1 passed, 0 failed, 0 skipped"
  CI=true dev test -R pass; expect_status 0; expect_not err passed
}
case_tests_skip() { dev test -R 'pass|skip'; expect_status 1; expect err "1 passed, 0 failed, 1 skipped"; }
case_tests_skip_inside() { CI=true dev test -R 'pass|inside'; expect_status 1; expect err "2 passed, 0 failed, 2 skipped"; }
case_tests_fail() { dev test -R 'pass|fail'; expect_status 1; expect err "1 passed, 1 failed, 0 skipped"; }
case_tests_none() { dev test -R nothing; expect_status 1; }

case_tools_missing_apt() {
  not_root; hide ninja; true | fake apt-get
  check_tools; expect_status 1; expect err "sudo apt-get install ninja-build"
}
case_tools_missing_dnf() {
  unset CXX
  hide ninja g++ clang++ apt-get; true | fake dnf
  check_tools; expect_status 1
  expect err "sudo dnf install ninja-build gcc-c++ cli11-devel spdlog-devel gtest-devel google-benchmark-devel libsndfile-devel"
}
case_tools_installed_as_root() {
  hide ninja; echo 'echo 0' | fake id
  fake apt-get <<END
echo "\$*" >>"$work/calls"
case \$* in *install*) ln -s /usr/bin/true "$work/farm/ninja" ;; esac
END
  check_tools; expect_status 0; expect err "installing what is missing: ninja-build"
  grep -q 'install -y .*ninja-build' "$work/calls" || fail "apt-get was not asked"
}
case_cmake_old() { not_root; echo 'echo cmake version 3.22.1' | fake cmake; check_tools; expect_status 1; expect err "cmake"; }
case_compiler_old() {
  # shellcheck disable=SC2016
  echo 'case $1 in -dumpversion) echo 11 ;; --version) echo g++ 11 ;; *) exec c++ "$@" ;; esac' | fake old-g++
  CXX=old-g++ check_tools; expect_status 1; expect err "old-g++ is version 11"
}
run_case "$@"
