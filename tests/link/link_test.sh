#!/bin/sh
# Each program must run, print the same number of PrivateUse1 registrations, and need no libopenreg.
set -eu

expected=
for program in "$@"; do
  if ldd "$program" | grep 'libopenreg'; then
    echo "FAILED: $program needs a shared openreg" >&2
    exit 1
  fi
  count=$("$program")
  echo "$(basename "$program"): $count registrations"
  : "${expected:=$count}"
  # The thirteen minimal operators alone are more than ten; the operators with a fallback by name are hundreds.
  if [ "$count" != "$expected" ] || [ "$count" -lt 100 ]; then
    echo "FAILED: expected $expected registrations, and at least 100" >&2
    exit 1
  fi
done
