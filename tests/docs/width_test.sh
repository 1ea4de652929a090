#!/usr/bin/env bash
# width_test.sh SOURCE: no line of a page is longer than 120 characters, tables and code blocks left out.
set -eu
cd "$1"
awk 'FNR == 1 { code = 0 } /^ *```/ { code = !code }
  !code && !/^\|/ && length > 120 { print FILENAME ":" FNR " has " length " characters, 120 are allowed"; found = 1 }
  END { exit found }' README.md CONTRIBUTING.md docs/*.md
