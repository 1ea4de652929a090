#!/usr/bin/env bash
# second_device_test.sh SOURCE BUILD: the commands of docs/bring_up.md that make a device of another name, as they stand
# there but for the folder /tmp/acme. Libtorch is BUILD's; ccache, where there is one, has what the name does not change.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
torch_dir=$(sed -n 's/^Torch_DIR:PATH=//p' "$2/CMakeCache.txt")
export Torch_DIR=$torch_dir UCX_HANDLE_ERRORS=none
unset CMAKE_PREFIX_PATH OPENREG_LIBTORCH CI

awk '/^## The whole way, once/ { here = 1; next } /^## / { here = 0 }
  here && /^```sh$/ { inside = 1; next } /^```/ { inside = 0 } here && inside && NF' docs/bring_up.md >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 7 ] || { echo "docs/bring_up.md has too few commands"; exit 1; }
mkdir "$work/tree"
sed -i "s|/tmp/acme|$work/tree/acme|g" "$work/commands"
while read -r command; do
  echo "+ $command"
  bash -c "$command" </dev/null >"$work/out" 2>&1 || { tail -n 60 "$work/out"; echo "FAILED: $command"; exit 1; }
done <"$work/commands"
cat "$work/out"
grep -qF 'runs on acme:0' "$work/out" || { echo "the model did not say where it ran"; exit 1; }
# The old name is no device any more.
! "$work/tree/acme/build/dev/bin/bring_up_model" openreg:0 >"$work/out" 2>&1 || { echo "openreg:0 is there too"; exit 1; }
grep -qF 'openreg' "$work/out"
