#!/usr/bin/env bash
# Makes photograph-sized files to measure a run with, a manifest that asks for each at three sizes, the
# facts of each and a pipeline.
#
#   bench/photos.sh OUT [COUNT [HOST [LEAST]]]
#
# COUNT: 1000; HOST: 127.0.0.1:8080; LEAST: the longer side has 1000 pixels or more.
#
# Writes OUT/origin/photos/..., OUT/photos.txt, OUT/photos-facts.jsonl, OUT/photos.json5. The pictures
# are regions of Debian's wallpapers (mate-backgrounds, gnome-backgrounds, plasma-workspace-wallpapers)
# with some grain, each region another one; without those packages, drawn ones. The same arguments
# make the same files. About two minutes and 700 MB for 1000 files on two cores.
set -euo pipefail

[ $# -ge 1 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
count=${2:-1000}
host=${3:-127.0.0.1:8080}
least=${4:-1000}
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
export VIPS_CONCURRENCY=1 VIPS_WARNING=0
work=$(mktemp -d -p "$out")
trap 'rm -rf "$work"' EXIT
export work
. "$here/../fixtures/drawing/photo.sh"

# Regions are cut from bases of 4400 x 2900, every second one upright; a base costs 38 MB of disk.
bases=$(((count + 1) / 2))
[ "$bases" -le 24 ] || bases=24

base() {
    local number=$1 file=$2 v=$work/raw-$1
    if [ -n "$file" ]; then
        vips thumbnail "$file" "$v.v" 4400 --height 2900 --size both --crop centre
        vips extract_band "$v.v" "$v-rgb.v" 0 --n 3
        vips gaussnoise "$v-noise.v" 4400 2900 --mean 0 --sigma 2 --seed "$number"
        vips add "$v-rgb.v" "$v-noise.v" "$v-sum.v"
        vips cast "$v-sum.v" "$v-cast.v" uchar
        vips copy "$v-cast.v" "$v-base.v" --interpretation srgb
    else
        photo "raw-$number-base" 4400 2900 "$number"
    fi
    if [ $((number % 2)) = 1 ]; then
        vips rot "$v-base.v" "$work/base-$number.v" d90
    else
        mv "$v-base.v" "$work/base-$number.v"
    fi
    rm -f "$v"*.v
}
export -f base photo

# Photographs first; every wallpaper once, though it may have several names, in colour and of at least
# 1000 pixels a side.
"$python" - "$bases" <<'EOF_PYTHON' >"$work/bases.txt"
import glob, os, sys
from PIL import Image
found = []
for folder in ("/usr/share/backgrounds", "/usr/share/wallpapers"):
    for path in sorted(glob.glob(folder + "/**/*", recursive=True)):
        if path.endswith((".jpg", ".png", ".webp")) and "screenshot" not in path:
            path = os.path.realpath(path)
            with Image.open(path) as image:
                if min(image.size) >= 1000 and image.mode in ("RGB", "RGBA"):
                    found.append(("/nature/" not in path, not path.endswith(".jpg"), path))
found = [path for _, _, path in sorted(set(found))]
for number in range(int(sys.argv[1])):
    print(number, found[number % len(found)] if found else "", sep="\t")
EOF_PYTHON
xargs -P 2 -d '\n' -I LINE bash -c 'IFS=$'"'\t'"' read -r number file <<<"$1"; base "$number" "$file"' _ LINE \
    <"$work/bases.txt"

rm -rf "$out/origin"
mkdir -p "$out/origin/photos"
"$python" "$here/photos.py" "$out" "$count" "$host" "$least" "$bases" >"$work/regions.txt"
# A line: base, file with its saver's options, left, top, width, height.
(cd "$out/origin/photos" && xargs -P 2 -L 1 vips extract_area <"$work/regions.txt")
du -sh "$out/origin" >&2
