#!/usr/bin/env bash
# commands_test.sh SOURCE BUILD: every command in a block marked sh of README.md, CONTRIBUTING.md and docs/ is run here, or
# stands in covered_commands.txt, because it builds or fetches: with the test that does what it does, or with a smaller
# command of the same kind, which is run. That list holds no command that no page has, and no test that does not exist.
set -eu
source=$1
export build=$2
list=$source/tests/docs/covered_commands.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"

for page in README.md CONTRIBUTING.md docs/*.md; do
  awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF && !/^ *#/' "$page"
done | sed 's/  *# .*//' | sort -u >"$work/commands"
grep -v '^#' "$list" | sed 's/ *[=~]> .*//' | sort -u >"$work/covered"
[ -s "$work/commands" ] || { echo "no page has a command"; exit 1; }

status=0
while read -r command; do
  echo "in $list, and in no page: $command"
  status=1
done < <(comm -13 "$work/commands" "$work/covered")

ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: //p' >"$work/tests"
while read -r test; do
  # With sanitizers the tests that build programs outside of the tree are left out.
  grep -q '^OPENREG_SANITIZE:STRING=.' "$build/CMakeCache.txt" && break
  grep -qxF -- "$test" "$work/tests" || { echo "in $list, and no test: $test"; status=1; }
done < <(grep -v '^#' "$list" | sed -n 's/.* => //p' | tr ',' '\n' | tr -d ' ' | sort -u)

run() { # run COMMAND: with a look at its output where it fails
  echo "+ $1"
  bash -euo pipefail -c "$1" >"$work/out" 2>&1 </dev/null && return
  echo "FAILED, status $?: $1"
  cat "$work/out"
  status=1
}
# What ./dev would look for: the libtorch of this tree.
Torch_DIR=$(sed -n 's/^Torch_DIR:PATH=//p' "$build/CMakeCache.txt")
export Torch_DIR
PATH=$build/bin:$PATH
while read -r command; do
  # The pages name the build tree that ./dev makes; here it is this one.
  run "${command//build\/dev\//$build/}"
done < <(comm -23 "$work/commands" "$work/covered")
while read -r command; do
  # shellcheck disable=SC2016
  case $command in
    *clang-tidy* | *'dev tidy'*) command -v run-clang-tidy >/dev/null || { echo "no clang-tidy, not run: $command"; continue; } ;;
    *'dev format'*) command -v clang-format >/dev/null || { echo "no clang-format, not run: $command"; continue; } ;;
  esac
  run "$command"
done < <(grep -v '^#' "$list" | sed -n 's/.* ~> //p')
exit $status
