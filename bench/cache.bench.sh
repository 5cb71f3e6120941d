#!/usr/bin/env bash
# Decoded pictures in memory: the hit rates of the client's cache against a plain LRU of the same cost.
#
#   bench/cache.bench.sh GEARBOX
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$here/.."
swift build -c release --product cachebench > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$(swift build -c release --show-bin-path 2> /dev/null)/cachebench"
