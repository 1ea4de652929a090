#!/usr/bin/env bash
# Runs the programs of examples/.
. "$(dirname "$0")/packaging.sh"

case_embed() {
  attempt "$examples/embed/embed"
  expect_status 0; expect out "on openreg:0:"; expect out "aten::relu"
}
case_train_mlp() {
  program=$examples/train_mlp/train_mlp
  outputs() { grep '^output' "$work/out"; }
  attempt "$program" train "$work/net.pt" --device openreg:1
  expect_status 0
  trained=$(outputs)
  awk '/^step +0:/ { first = $NF } /^step 200:/ { last = $NF } END { exit !(last < first / 2) }' "$work/out" ||
    fail "the loss did not fall by half"
  for device in openreg openreg:1 cpu; do
    attempt "$program" use "$work/net.pt" --device $device
    expect_status 0
    [ "$(outputs)" = "$trained" ] || fail "other outputs on $device, instead of: $trained"
  done
  attempt "$program" use "$work/net.pt" --device openreg:7
  expect_status 1; expect err "'openreg:7' is no device: use 'openreg' or 'openreg:0' to 'openreg:1'"
  attempt "$program" use
  expect_status 2; expect err "usage: train_mlp"
}
case_profile() {
  attempt "$examples/profile/profile" "$work/trace.json"
  expect_status 0
  # name, calls, host time, device time: five steps, and the device has worked in each
  awk '$1 == "step" && $2 == 5 && $4 > 0 { steps = 1 } $1 == "aten::addmm" && $2 == 10 && $4 > 0 { products = 1 }
    END { exit !(steps && products) }' "$work/out" || fail "not what was run: $(cat "$work/out")"
  grep -q '"traceEvents"' "$work/trace.json" || fail "no trace"
  grep -q '"name": "aten::addmm"' "$work/trace.json" || fail "no operator in the trace"
}
case_voice_activity() {
  program=$examples/voice_activity/voice_activity model=$OPENREG_TEST_MODELS/silero_vad.jit
  sound=$OPENREG_TEST_MODELS/speech.wav
  for device in cpu openreg openreg:1; do
    attempt "$program" "$model" "$sound" --device $device --probabilities
    expect_status 0
    grep '^speech' "$work/out" >"$work/speech.$device"
    grep '^chunk' "$work/out" >"$work/chunks.$device"
    if [ $device != cpu ]; then
      grep -E '^operators on openreg:[01]: [1-9][0-9]*, called [1-9][0-9]* times$' "$work/out" || fail "no operators"
    fi
  done
  cat "$work/speech.cpu"
  [ "$(wc -l <"$work/speech.cpu")" -ge 3 ] || fail "fewer than 3 segments"
  for device in openreg openreg:1; do
    cmp "$work/speech.cpu" "$work/speech.$device" || fail "other segments on $device"
    paste "$work/chunks.cpu" "$work/chunks.$device" | awk '
      { d = $3 - $6; if (d < 0) d = -d; if (d > most) most = d; count++ }
      END { printf "%d chunks, largest difference %g\n", count, most; exit !(count > 0 && most <= 1e-5) }' ||
      fail "probabilities differ on $device"
  done
  attempt "$program" "$model" "$work/none.wav"
  expect_status 1; expect err "cannot read $work/none.wav"
}
run_case "$@"
