#!/usr/bin/env bash
# Makes what the other packaging tests use: the moved package, and the programs built with it.
. "$(dirname "$0")/packaging.sh"

case_install() {
  rm -rf "$moved" "$OPENREG_PACKAGING/staged"
  for part in core dispatch dispatch_trace inspect; do
    attempt cmake --install "$OPENREG_BUILD" --prefix "$OPENREG_PACKAGING/staged" --component openreg_$part
    expect_status 0
  done
  mv "$OPENREG_PACKAGING/staged" "$moved"
  # Nothing in it may name where it was made, or where libtorch lay.
  for place in "$OPENREG_SOURCE" "$OPENREG_BUILD" "$OPENREG_PACKAGING/staged" "$(cd "$OPENREG_TORCH_DIR/../../.." && pwd)"; do
    attempt grep -rlF --include='*.cmake' -- "$place" "$moved"
    [ "$status" = 1 ] || fail "$place is named in $(cat "$work/out")"
  done
}
case_strangers() {
  configure "$here/stranger" "$strangers" "-DCMAKE_PREFIX_PATH=$moved"
  expect_status 0
  build "$strangers"
}
case_examples() {
  for name in embed train_mlp profile voice_activity; do
    configure "$OPENREG_SOURCE/examples/$name" "$examples/$name" "-DCMAKE_PREFIX_PATH=$moved"
    expect_status 0
    build "$examples/$name"
  done
}
run_case "$@"
