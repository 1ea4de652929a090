#!/usr/bin/env bash
# commands_test.sh SOURCE BUILD: every command in a block marked sh of README.md, CONTRIBUTING.md and docs/ is run here, or
# stands in covered_commands.txt with the test that does what it does, because it builds or fetches. That list holds no
# command that no page has, and no test that does not exist.
set -eu
source=$1 build=$2
list=$source/tests/docs/covered_commands.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"

for page in README.md CONTRIBUTING.md docs/*.md; do
  awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF && !/^ *#/' "$page"
done | sed 's/  *# .*//' | sort -u >"$work/commands"
grep -v '^#' "$list" | sed 's/ *=> .*//' | sort -u >"$work/covered"
[ -s "$work/commands" ] || { echo "no page has a command"; exit 1; }

status=0
while read -r command; do
  echo "in $list, and in no page: $command"
  status=1
done < <(comm -13 "$work/commands" "$work/covered")

ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: //p' >"$work/tests"
while read -r test; do
  grep -qxF -- "$test" "$work/tests" || { echo "in $list, and no test: $test"; status=1; }
done < <(grep -v '^#' "$list" | sed -n 's/.* => //p' | tr ',' '\n' | tr -d ' ' | sort -u)

PATH=$build/bin:$PATH
while read -r command; do
  # The pages name the build tree that ./dev makes; here it is this one.
  run=${command//build\/dev\//$build/}
  echo "+ $run"
  bash -c "$run" >"$work/out" 2>&1 </dev/null || { cat "$work/out"; echo "FAILED, status $?: $command"; status=1; }
done < <(comm -23 "$work/commands" "$work/covered")
exit $status
