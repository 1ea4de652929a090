#!/usr/bin/env bash
# variables_test.sh SOURCE: docs/environment.md has a row for each OPENREG_ variable that is read, and no other.
set -eu
cd "$1"
# In C++ the name is a string by itself; in scripts it is expanded.
{
  grep -rhoE '"OPENREG_[A-Z_]+"' src apps tests bench examples --include='*.cpp' --include='*.h' | tr -d '"'
  grep -hoE '\$\{?OPENREG_[A-Z_]+' dev .ci/run tools/* | tr -d '${'
} | sort -u >"${TMPDIR:-/tmp}/openreg_read.$$"
sed -n 's/^| `\(OPENREG_[A-Z_]*\)` |.*/\1/p' docs/environment.md | sort >"${TMPDIR:-/tmp}/openreg_told.$$"
trap 'rm -f "${TMPDIR:-/tmp}/openreg_read.$$" "${TMPDIR:-/tmp}/openreg_told.$$"' EXIT
[ "$(wc -l <"${TMPDIR:-/tmp}/openreg_read.$$")" -ge 14 ] || { echo "too few were found"; exit 1; }
if ! diff "${TMPDIR:-/tmp}/openreg_read.$$" "${TMPDIR:-/tmp}/openreg_told.$$"; then
  echo "< is read and has no row in docs/environment.md; > has a row (or two) and is not read"
  exit 1
fi
