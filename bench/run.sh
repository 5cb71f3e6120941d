#!/usr/bin/env bash
# Every benchmark, one after the other: run.sh GEARBOX. Prints ratios measured in this run; absolute
# times on a shared machine say little.
set -euo pipefail
gearbox=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
for benchmark in "$here"/*.bench.sh; do
    echo
    echo "== $(basename "$benchmark" .bench.sh)"
    bash "$benchmark" "$gearbox"
done
