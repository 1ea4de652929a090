# shellcheck shell=bash
# Shared by the packaging tests: sourced.
. "$(dirname "$0")/../build/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
moved=$OPENREG_PACKAGING/moved         # the package, moved after its installation
strangers=$OPENREG_PACKAGING/strangers # build tree of stranger/
examples=$OPENREG_PACKAGING/examples   # build trees of examples/

configure() { # configure SOURCE BUILD [ARGS]: as a stranger does, knowing the package's place and libtorch's
  local source=$1 build=$2
  shift 2
  attempt cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE= "-DCMAKE_CXX_COMPILER=$CXX" \
    "-DCMAKE_CXX_COMPILER_LAUNCHER=$OPENREG_LAUNCHER" "-DTorch_DIR=$OPENREG_TORCH_DIR" "$@"
}
build() {
  attempt cmake --build "$1" --parallel 2
  expect_status 0
}
