#!/usr/bin/env bash
# tools/get_libtorch against an apt that answers as told and hands out tiny packages.
. "$(dirname "$0")/common.sh"
export XDG_CACHE_HOME="$work/a cache" FAKE=$work/fake
cache=$XDG_CACHE_HOME/openreg
mkdir -p "$FAKE/debs"

make_deb() { # make_deb NAME VERSION FILE
  local root=$work/deb.$1
  mkdir -p "$root/DEBIAN" "$root/$(dirname "$3")" "$root/usr/share/doc/$1"
  echo "$1" >"$root/$3"
  printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nMaintainer: x <x@example.org>\nDescription: x\n' "$1" "$2" \
    >"$root/DEBIAN/control"
  dpkg-deb -b "$root" "$FAKE/debs/$1.deb" >/dev/null || fail "cannot make a package"
}
make_deb libtorch2.6 2.6.0+dfsg-7 usr/lib/x86_64-linux-gnu/libtorch.so
make_deb libtorch-dev 2.6.0+dfsg-7 usr/include/torch/header.h
make_deb libc6 2.1 usr/lib/x86_64-linux-gnu/libc.so.6

fake apt-get <<'END'
case $* in
  indextargets*) echo "fake:/archive/"; exit ;;
esac
conf=$2; shift 2
folder() { sed -n "s/^$1 \"\(.*\)\";/\1/p" "$conf"; }
mode=$(cat "$FAKE/mode" 2>/dev/null)
echo "$*" >>"$FAKE/calls"
case "$mode/$*" in
  suite_missing/*update) echo "E: The repository 'fake trixie Release' does not have a Release file."; exit 100 ;;
  unreachable/*update) echo "E: Failed to fetch fake:/archive/ Could not connect"; exit 100 ;;
  expired/*update)
    grep -q 'Check-Valid-Until "false"' "$conf" && exit 0
    echo "E: Release file for fake is expired (invalid since 3d)."; exit 100 ;;
  *update) ;;
  hang/*install*) touch "$FAKE/hanging"; exec sleep 60 ;;
  *install*) [ "$mode" != slow ] || sleep 1; cp "$FAKE"/debs/lib[tc]*[0-9].deb "$(folder Dir::Cache)/archives" ;;
  *download*) cp "$FAKE/debs/libtorch-dev.deb" . ;;
esac
END
fake apt-cache <<'END'
case "$(cat "$FAKE/mode" 2>/dev/null)/$*" in
  moved_on/*libtorch-dev) echo "Version: 2.7.1+dfsg-1" ;;
  moved_on/*) exit 100 ;;
esac
END
get() { attempt "$OPENREG_SOURCE/tools/get_libtorch" "${1-2.6}"; }
mode() { echo "$1" >"$FAKE/mode"; }
expect_failure() { # one message that names the remedy, and nothing left
  expect_status 1
  expect err "$1"
  expect err "--libtorch DIR"
  [ ! -s "$work/out" ] || fail "something on stdout"
  expect_clean
}
expect_clean() { [ -z "$(find "$work" -name '.partial*')" ] || fail "a partial folder is left"; }
expect_whole() {
  expect_status 0
  [ "$(tail -n 1 "$work/out")" = "$cache/libtorch-2.6.0" ] || fail "the prefix is not the last line"
  [ -s "$cache/libtorch-2.6.0/usr/lib/x86_64-linux-gnu/libtorch.so" ] || fail "no library"
  [ -s "$cache/libtorch-2.6.0/usr/include/torch/header.h" ] || fail "no header"
  cmp -s "$cache/libtorch-2.6.0/share/cmake/Torch/TorchConfig.cmake" "$OPENREG_SOURCE/cmake/libtorch_prefix_config.cmake.in" ||
    fail "TorchConfig.cmake is not ours"
  expect_clean
}

case_whole() {
  get; expect_whole
  mode unreachable; get; expect_whole # no second download
  echo old >"$cache/libtorch-2.6.0/share/cmake/Torch/TorchConfig.cmake"
  get; expect_whole
  expect_not err "downloading"
  get 2.5; expect_status 1; expect err "usage"
}
case_moved_on() { mode moved_on; get; expect_failure "carries libtorch 2.7.1+dfsg-1 now, not 2.6"; }
case_suite_missing() { mode suite_missing; get; expect_failure "does not carry Debian's suite trixie"; }
case_unreachable() { mode unreachable; get; expect_failure "cannot be used"; expect err "Could not connect"; }
case_expired() { mode expired; get; expect_whole; expect err "expired; taking it all the same"; }
case_disk_full() {
  printf 'echo header; echo "disk 1000000 900000 102400 90%% /"\n' | fake df
  get; expect_failure "has 100 MB free, and 1500 MB are needed"
}
case_unpack_fails() {
  # shellcheck disable=SC2016
  echo '[ "$1" != -x ] || exit 2; exec /usr/bin/dpkg-deb "$@"' | fake dpkg-deb
  get; expect_failure "unpacking"
  [ ! -e "$cache/libtorch-2.6.0" ] || fail "a half prefix is there"
}
case_not_writable() { : >"$XDG_CACHE_HOME"; get; expect_failure "cannot write to"; }
case_no_apt() { rm "$work/bin/apt-get"; hide apt-get; get; expect_failure "no apt-get"; }
case_no_home() { attempt env -u XDG_CACHE_HOME -u HOME "$OPENREG_SOURCE/tools/get_libtorch" 2.6; expect_failure "nor HOME"; }
case_old_host_library() { # a C library older than the host's must not be in the prefix
  echo 'echo 2.36-9' | fake dpkg-query
  get; expect_whole
  [ ! -e "$cache/libtorch-2.6.0/usr/lib/x86_64-linux-gnu/libc.so.6" ] || fail "an old C library is in the prefix"
}
start_hanging() {
  mode hang
  "$OPENREG_SOURCE/tools/get_libtorch" 2.6 >"$work/out" 2>"$work/err" & pid=$!
  for _ in $(seq 200); do [ ! -e "$FAKE/hanging" ] || return; sleep 0.05; done
  fail "the run never came to the download"
}
case_interrupted() {
  start_hanging
  kill -TERM $pid; wait $pid; status=$?
  expect_status 1; expect err "interrupted"; expect_clean
  [ ! -e "$cache/libtorch-2.6.0" ] || fail "a half prefix is there"
  mode ok; get; expect_whole
}
case_killed() { # what a killed run leaves is removed by the next one
  start_hanging
  child=$(pgrep -P $pid | head -n 1)
  kill -KILL $pid; wait $pid 2>/dev/null
  [ -z "$child" ] || kill -KILL "$child"
  [ -n "$(find "$cache" -name '.partial*')" ] || fail "the test itself: nothing was left"
  mode ok; get; expect_whole
}
case_two_at_once() {
  mode slow
  "$OPENREG_SOURCE/tools/get_libtorch" 2.6 >"$work/first" 2>/dev/null & pid=$!
  get; expect_whole
  wait $pid || fail "the other run failed"
  cmp -s "$work/first" "$work/out" || fail "the two runs name different prefixes"
  [ "$(grep -c install "$FAKE/calls")" = 1 ] || fail "downloaded twice"
}
run_case "$@"
