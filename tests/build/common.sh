# shellcheck shell=bash
# Shared by the tests of the build: sourced, then `run_case "$@"` calls the function named by the first argument.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset CMAKE_PREFIX_PATH Torch_DIR OPENREG_LIBTORCH CI

fail() {
  echo "FAILED: $*"
  [ ! -f "$work/out" ] || sed 's/^/out: /' "$work/out"
  [ ! -f "$work/err" ] || sed 's/^/err: /' "$work/err"
  exit 1
}
attempt() { # runs a command, keeps status, out and err
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}
expect_status() { [ "$status" = "$1" ] || fail "status $status instead of $1"; }
expect() { # expect out|err TEXT; line breaks count as spaces, for CMake wraps its messages
  tr -s '\n ' '  ' <"$work/$1" | grep -qF -- "$2" || fail "not in std$1: $2"
}
expect_not() { ! grep -qF -- "$2" "$work/$1" || fail "in std$1: $2"; }

fake() { # fake NAME: a program in front of the real one, its text from stdin
  mkdir -p "$work/bin"
  { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
hide() { # a PATH on which the named programs are missing
  mkdir -p "$work/farm" "$work/bin"
  ln -s -t "$work/farm" /usr/bin/* /usr/sbin/* 2>/dev/null
  for name; do rm -f "$work/farm/$name"; done
  PATH=$work/bin:$work/farm
}
fake_libtorch() { # fake_libtorch DIR VERSION [ABI]: all that a configure looks at
  mkdir -p "$1/share/cmake/Torch"
  cat >"$1/share/cmake/Torch/TorchConfigVersion.cmake" <<END
set(PACKAGE_VERSION "$2")
if(NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
END
  cat >"$1/share/cmake/Torch/TorchConfig.cmake" <<END
add_library(torch INTERFACE IMPORTED)
set_property(TARGET torch PROPERTY INTERFACE_COMPILE_OPTIONS "-D_GLIBCXX_USE_CXX11_ABI=${3-1}")
END
}
run_case() {
  declare -F "case_$1" >/dev/null || fail "there is no case $1"
  PATH=$work/bin:$PATH
  "case_$1"
  echo "passed: $1"
}
