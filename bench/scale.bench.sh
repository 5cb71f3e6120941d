#!/usr/bin/env bash
# Long manifests: how many lines a second are ingested, canonicalised and planned, in how much memory,
# and what a later night costs that reads the same lines from another file.
#
#   bench/scale.bench.sh GEARBOX [LINES]     200000 if not given, of a tenth as many sources
#
# The goals: 100,000 lines a second and 300 MB at 10,000,000 lines, and at 1,000,000 lines at most 20 %
# more memory than at 10,000.
set -euo pipefail
gearbox=$(realpath "$1")
lines=${2:-200000}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# measured NAME LINES: plans so many lines in a new cache directory and again as a later night does.
measured() {
    /usr/bin/python3 "$here/scale.py" "$2" $(($2 / 10)) "$1.txt"
    cat > "$1.json5" <<PIPELINE
{ manifests: ["$1.txt"], cache: "$1",
  origins: [{ name: "app", hosts: ["p1.example.com", "p2.example.com", "p3.example.com", "p4.example.com"],
              dialect: "nos" }] }
PIPELINE
    for night in first later; do
        # As if it was written anew.
        touch "$1.txt"
        /usr/bin/python3 "$here/measure.py" out.txt "$gearbox" run "$1.json5" --until plan --quiet \
            > "$1.$night"
    done
    du -sk "$1" | cut -f1 > "$1.size"
    rm -r "$1" "$1.txt"
}

measured small 10000
measured long "$lines"

/usr/bin/python3 - "$lines" <<'PYTHON'
import sys

lines = int(sys.argv[1])
def read(name): return [float(number) for number in open(name).read().split()]
small, first, later = read("small.first"), read("long.first"), read("long.later")
print(f"{lines} lines of {lines // 10} sources, to the end of the plan:")
print(f"  first night   {lines / first[0]:9.0f} lines/s, {first[1] / lines * 1e6:5.1f} us of CPU a line")
print(f"  later night   {lines / later[0]:9.0f} lines/s, {later[1] / lines * 1e6:5.1f} us of CPU a line")
print(f"  peak memory   {max(first[2], later[2]) / 1024:.0f} MB; at 10000 lines {small[2] / 1024:.0f} MB:"
      f" {(max(first[2], later[2]) / small[2] - 1) * 100:+.0f} %")
print(f"  state         {read('long.size')[0] * 1024 / lines:.0f} bytes a line")
PYTHON
