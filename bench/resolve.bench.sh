#!/usr/bin/env bash
# The relation index with a million variants: its size, and answers a second in process. Needs 1 GB in
# TMPDIR for as long as it runs.
#
#   bench/resolve.bench.sh GEARBOX
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$here/.."
swift build -c release --product indexbench > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$(swift build -c release --show-bin-path 2> /dev/null)/indexbench" "$work"
