#!/usr/bin/env bash
# bring_up_test.sh SOURCE: docs/bring_up.md names files that are there, and each smoke test of the tiny driver.
set -eu
cd "$1"
page=docs/bring_up.md status=0
for path in $(grep -oE '`(src|include|tests)/[A-Za-z0-9_./]+`' $page | tr -d '`' | sort -u); do
  [ -e "$path" ] || { echo "$page names $path, which is not there"; status=1; }
done
grep -oE 'BringUp\.[A-Z][A-Za-z]+' $page | sort -u >"${TMPDIR:-/tmp}/openreg_named.$$"
sed -n 's/^TEST(BringUp, \([A-Za-z]*\)).*/BringUp.\1/p' tests/tiny_driver/smoke_test.cpp | sort -u |
  diff "${TMPDIR:-/tmp}/openreg_named.$$" - || { echo "< is named in $page, > is a test"; status=1; }
rm -f "${TMPDIR:-/tmp}/openreg_named.$$"
# The contract is all there is to write: each of its functions is in one of the tiny driver's files.
for function in $(sed -n 's/^\(Status\|bool\) \([a-z_]*\)(.*/\2/p' src/device/driver/driver.h); do
  grep -qE "^(Status|bool) $function\(" tests/tiny_driver/*.cpp || { echo "the tiny driver lacks $function"; status=1; }
done
exit $status
