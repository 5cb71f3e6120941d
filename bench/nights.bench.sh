#!/usr/bin/env bash
# A night that finds nothing new: what it costs beside the first one, what it writes into the store, and
# whether the memory of whole nights grows with them.
#
#   bench/nights.bench.sh GEARBOX [SOURCES]     2000 if not given, with ten URLs and nine variants each
#
# The pictures are as small as avatars, so that the first night costs next to nothing: the harsh case. The
# goals, at 100000 sources (1000000 URLs, 15 minutes on two cores): at most 2 % of the first night's CPU,
# no write to the store, and at most 20 % more memory than at 10000 URLs.
set -euo pipefail
gearbox=$(realpath "$1")
sources=${2:-2000}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Every file and folder that a night without news may not touch.
identities() {
    find "$1/cache/store" "$1/cache/originals" "$1/cache/index.sqlite" \
        -printf '%p %m %s %i %n %T@ %C@\n' | sort
}

# measured NAME SOURCES: three nights; the manifest of the last one is another file with the same lines.
measured() {
    mkdir "$1"
    /usr/bin/python3 "$here/nights.py" "$2" "$1"
    cat > "$1/night.json5" <<'PIPELINE'
{ manifests: ["urls.txt"], cache: "cache",
  origins: [{ name: "img", hosts: ["img.example.com"], sources: [{ mirror: "mirror" }] }] }
PIPELINE
    # What was written just now may change without being seen to.
    sleep 3
    for night in first later reread; do
        [ $night != reread ] || { cp "$1/urls.txt" "$1/copy" && mv "$1/copy" "$1/urls.txt"; }
        /usr/bin/python3 "$here/measure.py" --with-children out.txt \
            "$gearbox" run "$1/night.json5" --quiet > "$1.$night"
        identities "$1" > "$1.$night.files"
    done
    sqlite3 "$1/cache/index.sqlite" 'SELECT count(*) FROM variant' > "$1.variants"
    rm -r "$1"
}

measured small 1000
measured large "$sources"

/usr/bin/python3 - "$sources" <<'PYTHON'
import sys

sources = int(sys.argv[1])
def read(name): return [float(number) for number in open(name).read().split()]
def files(night): return set(open(f"large.{night}.files"))
small = max(read(f"small.{night}")[2] for night in ("first", "later", "reread"))
nights = {night: read(f"large.{night}") for night in ("first", "later", "reread")}
first = nights["first"]
print(f"{sources} sources, {10 * sources} URLs, {open('large.variants').read().strip()} variants:")
for night, name in (("first", "first night"), ("later", "nothing new"), ("reread", "manifest anew")):
    seconds, cpu, memory = nights[night]
    changed = "" if night == "first" else f", {len(files('first') ^ files(night))} files touched"
    print(f"  {name:14} {seconds:8.1f} s, {cpu / sources * 1e6:7.0f} us of CPU a source"
          f" ({cpu / first[1] * 100:.2f} %), {memory / 1024:.0f} MB{changed}")
large = max(night[2] for night in nights.values())
print(f"  peak memory    {large / 1024:.0f} MB with the workers; at 10000 URLs {small / 1024:.0f} MB:"
      f" {(large / small - 1) * 100:+.0f} %")
PYTHON
