#!/usr/bin/env bash
# docs_test.sh PAGE: each code block that follows a line `[`FILE`](LINK):` is that file, word for word.
set -eu
page=$1
folder=$(dirname "$page")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v work="$work" '
  match($0, /\]\([^)]*\):$/) { link = substr($0, RSTART + 2, RLENGTH - 4); next }
  /^```/ { if (inside) { inside = 0; link = "" } else { inside = 1; if (link != "") { count++; print link > (work "/" count ".link") } } next }
  inside && link != "" { print > (work "/" count ".code") }
  !inside && NF { link = "" }
' "$page"
count=0
for link in "$work"/*.link; do
  file=$folder/$(cat "$link")
  echo "$file"
  diff "$file" "${link%.link}.code"
  count=$((count + 1))
done
[ "$count" -ge 7 ] || { echo "only $count files are shown"; exit 1; }
