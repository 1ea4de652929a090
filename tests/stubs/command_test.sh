#!/usr/bin/env bash
# command_test.sh OPENREG_DEMO INCLUDE_FOLDER: what `openreg_demo stubs` prints.
set -eu
demo=$1 include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$demo" stubs --headers >"$work/headers"
(cd "$include" && find ATen -type f -a -name "*.h" | xargs -I {} grep -wl "^DECLARE_DISPATCH" {} | LC_ALL=C sort) |
  diff - "$work/headers"

"$demo" stubs >"$work/all"
declared=$(cd "$include" && grep -rh '^DECLARE_DISPATCH' ATen | wc -l)
grep -q "^$declared stubs in 61 headers, 3 filled" "$work/all"

"$demo" stubs --filled >"$work/filled"
for stub in abs_stub quantize_tensor_per_tensor_affine_stub _fused_sdp_choice_stub; do
  grep -q "^$stub  *filled" "$work/filled"
done
[ "$(grep -cE '^[a-z_]+ +filled ' "$work/filled")" = 3 ]

"$demo" stubs abs_stub >"$work/abs"
grep -qF 'void(*)(TensorIteratorBase&)' "$work/abs"
grep -qF 'aten::abs, aten::abs.out, aten::abs_' "$work/abs"

if "$demo" stubs no_stub 2>"$work/error"; then exit 1; fi
grep -q "no_stub" "$work/error"
