#!/usr/bin/env bash
# Canonicalisation: through the library and the way with URLComponents, the filter from file to file,
# and the gears of ten million entries. Needs 6 GB in TMPDIR for as long as it runs.
#
#   bench/canonicalize.bench.sh GEARBOX
set -euo pipefail
gearbox=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$here/.."
swift build -c release --product urlbench > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
urlbench=$(swift build -c release --show-bin-path 2> /dev/null)/urlbench

"$urlbench" library

# The seconds, CPU seconds and kilobytes of a run; the best of several in CPU time.
measured() {
    local runs=$1 output=$2
    shift 2
    for _ in $(seq "$runs"); do
        /usr/bin/python3 "$here/measure.py" "$output" "$@"
    done | sort -n -k 2 | head -n 1
}

"$urlbench" write 20000000 > "$work/20m.txt"
head -n 1000000 "$work/20m.txt" > "$work/1m.txt"

read -r _ _ small <<< "$(measured 3 "$work/1m.out" "$gearbox" canonicalize "$work/1m.txt")"
read -r wall cpu large <<< "$(measured 1 "$work/20m.out" "$gearbox" canonicalize "$work/20m.txt")"
[ "$(wc -l < "$work/20m.out")" = 20000000 ] || { echo "lines are missing"; exit 1; }
rm "$work/20m.out"
awk -v wall="$wall" -v cpu="$cpu" -v small="$small" -v large="$large" 'BEGIN {
    print "gearbox canonicalize, 20 million lines from file to file"
    printf "  lines a second                 %12.0f   goal 1000000\n", 20e6 / wall
    printf "  lines a second of CPU time     %12.0f\n", 20e6 / cpu
    printf "  peak memory                    %9.1f MB   goal 64\n", large / 1024
    printf "  more than for 1 million lines  %9.1f MB   goal 4\n", (large - small) / 1024
}'

head -n 10000000 "$work/20m.txt" > "$work/10m.txt"
rm "$work/20m.txt"
read -r _ _ small <<< "$(measured 1 "$work/gears.out" "$gearbox" gears "$work/1m.txt")"
read -r wall cpu large <<< "$(measured 1 "$work/gears.out" "$gearbox" gears "$work/10m.txt")"
awk -v wall="$wall" -v cpu="$cpu" -v small="$small" -v large="$large" 'BEGIN {
    print "gearbox gears, 10 million entries"
    printf "  seconds                        %12.1f\n", wall
    printf "  seconds of CPU time            %12.1f\n", cpu
    printf "  peak memory                    %9.1f MB\n", large / 1024
    printf "  more than for 1 million        %9.1f MB\n", (large - small) / 1024
}'
