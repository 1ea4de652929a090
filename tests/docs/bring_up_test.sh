#!/usr/bin/env bash
# bring_up_test.sh SOURCE BUILD: docs/bring_up.md names files that are there, each smoke test of the tiny driver, and
# what the demo prints.
set -eu
cd "$1"
page=docs/bring_up.md status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for path in $(grep -oE '`(src|include|tests)/[A-Za-z0-9_./]+`' $page | tr -d '`' | sort -u); do
  [ -e "$path" ] || { echo "$page names $path, which is not there"; status=1; }
done
grep -oE 'BringUp\.[A-Z][A-Za-z]+' $page | sort -u >"$work/named"
sed -n 's/^TEST(BringUp, \([A-Za-z]*\)).*/BringUp.\1/p' tests/tiny_driver/smoke_test.cpp | sort -u |
  diff "$work/named" - || { echo "< is named in $page, > is a test"; status=1; }
# The contract is all there is to write: each of its functions is in one of the tiny driver's files.
for function in $(sed -n 's/^\(Status\|bool\) \([a-z_]*\)(.*/\2/p' src/device/driver/driver.h); do
  grep -qE "^(Status|bool) $function\(" tests/tiny_driver/*.cpp || { echo "the tiny driver lacks $function"; status=1; }
done

# Where the page shows what a command prints, it prints that.
if [ -x "$2/bin/openreg_demo" ]; then
  export UCX_HANDLE_ERRORS=none
  awk '/^```/ { inside = !inside; next } inside && (/^\$ openreg_demo / || shown) { shown = 1; print } !inside { shown = 0 }' \
    $page >"$work/shown"
  grep '^\$ openreg_demo ' "$work/shown" | while read -r _ command; do
    echo "\$ $command"
    "$2/bin/${command%% *}" ${command#* } 2>&1 # words without quotes
  done >"$work/printed"
  [ "$(wc -l <"$work/printed")" -gt 10 ] || { echo "$page shows no trace"; status=1; }
  diff "$work/shown" "$work/printed" || { echo "< is shown in $page, > is printed"; status=1; }
fi
exit $status
