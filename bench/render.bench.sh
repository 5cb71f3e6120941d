#!/usr/bin/env bash
# What rendering costs: photographs at ten sizes in x, y and z, one worker, against a shell script
# around vipsthumbnail that makes the same files, and against the floor: encoding the same rasters from
# memory and nothing else. CPU time of whole processes with their children, medians over ROUNDS
# interleaved repetitions; ratios within this run alone.
#
#   bench/render.bench.sh GEARBOX [PHOTOGRAPHS [ROUNDS]]     24 and 3 if not given
set -euo pipefail
gearbox=$(realpath "$1")
count=${2:-24}
rounds=${3:-3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/thumbnails.sh"

cd "$here/.."
swift build -c release --product renderbench > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
renderbench=$(swift build -c release --show-bin-path 2> /dev/null)/renderbench
bash "$here/photos.sh" "$work" "$count" photos.example 2000 > /dev/null 2>&1
cd "$work"

sizes="30 60 90 120 180 256 315 512 720 1024"
find origin -type f | sort > files.txt
for file in $(cat files.txt); do
    echo "http://photos.example/${file#origin/}?imageView=1&thumbnail=30x30&quality=89"
done > urls.txt

# pipeline FORMAT: every photograph at every size in every mode.
pipeline() {
    cat > "$1.json5" <<PIPELINE
{
  manifests: ["urls.txt"],
  origins: [{ name: "photos", hosts: ["photos.example"], sources: [{ mirror: "origin" }] }],
  variants: { sizes: "ladder", qualities: [89], formats: ["$1"] },
  originals: { keep: false },
}
PIPELINE
}

# The floor's rasters; a raster that two variants share is one file.
pipeline png
"$gearbox" run png.json5 --cache pristine --quiet > /dev/null
find pristine/store -name '*.png' | sort > rasters.txt

script() {
    echo 'export VIPS_CONCURRENCY=1'
    echo 'out=$1'
    thumbnails ".$1$2" '$out' files.txt $sizes
}
pipeline webp
pipeline jpg
script webp '[Q=89,strip,effort=4]' > webp.sh
script jpg '[Q=89,strip]' > jpg.sh

# measured NAME COMMAND...: adds the seconds, CPU seconds and kilobytes of a command to NAME.measured.
measured() {
    local name=$1
    shift
    /usr/bin/python3 "$here/measure.py" out.txt "$@" >> "$name.measured"
}

# Every run writes into a folder of its own and nothing is removed between: making files is slow where
# others have just gone.
for round in $(seq "$rounds"); do
    for format in webp jpg; do
        made=$work/$format-$round
        mkdir -p "$made/script"
        measured "gearbox-$format" \
            "$gearbox" run "$format.json5" --cache "$made/one" --workers 1 --quiet
        measured "two-$format" \
            "$gearbox" run "$format.json5" --cache "$made/two" --workers 2 --quiet
        measured "script-$format" bash "$format.sh" "$made/script"
        echo "0 $("$renderbench" "$format" 89 < rasters.txt) 0" >> "floor-$format.measured"
    done
done

/usr/bin/python3 - "$count" <<'PYTHON'
import os, statistics, sys
count = int(sys.argv[1])
def median(name, column):
    with open(name + ".measured") as lines:
        return statistics.median(float(line.split()[column]) for line in lines)
print(f"{count} photographs, 10 sizes in x, y and z, {len(open('rasters.txt').readlines())} rasters")
for format, floor_goal, script_goal in (("webp", "at most 1.35", "1.7"), ("jpg", "", "3.5")):
    made = len(os.listdir(format + "-1/script"))
    ours, floor, script = (median(f"{who}-{format}", 1) for who in ("gearbox", "floor", "script"))
    one, two = median(f"gearbox-{format}", 0), median(f"two-{format}", 0)
    print(f"{format} (the script made {made} files)")
    for name, seconds in (("gearbox", ours), ("the floor", floor), ("the script", script)):
        print(f"  {name:10} {1000 * seconds / count:8.0f} ms of CPU time a photograph")
    print(f"  gearbox takes {ours / floor:.2f} times the floor" + (f"   goal {floor_goal}" * bool(floor_goal)))
    print(f"  the script takes {script / ours:.2f} times gearbox   goal {script_goal}")
    # JPEG is done in seconds, of which starting and publishing are a part.
    print(f"  two workers have {one / two:.2f} times the throughput of one"
          + "   goal 1.8" * (format == "webp"))
PYTHON
