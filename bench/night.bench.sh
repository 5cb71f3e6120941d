#!/usr/bin/env bash
# A night over HTTP against a shell script that does the same work: curl --parallel, then vipsthumbnail.
# Every photograph at 3 sizes in x, y and z, WebP. Prints ratios within this run. Then what fetch and
# render take together against each alone, with the link capped so that both take about as long.
#
#   bench/night.bench.sh GEARBOX [PHOTOGRAPHS]     40 if not given
set -euo pipefail
gearbox=$(realpath "$1")
count=${2:-40}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'bash "$here/nginx.sh" stop "$work/nginx"; rm -rf "$work"' EXIT

mkdir -p "$work/origin"
port=$(bash "$here/nginx.sh" start "$work/origin" "$work/nginx")
bash "$here/photos.sh" "$work" "$count" "127.0.0.1:$port" >/dev/null 2>&1
cd "$work"

sizes="120 315 720"
(cd origin && find . -type f | sed 's|^\./||' | sort) > files.txt
while read -r file; do
    for size in $sizes; do
        echo "http://127.0.0.1:$port/$file?imageView=1&thumbnail=${size}x$size&quality=89&type=webp"
    done
done < files.txt > urls.txt
head -$((count / 4 * 3)) urls.txt > quarter.txt
cat > night.json5 <<PIPELINE
{ manifests: ["urls.txt"], cache: "cache", network: { allowPrivateAddresses: true } }
PIPELINE

# measured NAME COMMAND...: the seconds, CPU seconds and kilobytes of a command, into NAME.measured.
measured() {
    local name=$1
    shift
    /usr/bin/python3 "$here/measure.py" out.txt "$@" 2> /dev/null > "$name.measured"
}

script() {
    cat <<'SCRIPT'
set -euo pipefail
mkdir -p script/originals script/out
sed "s|.*|url = \"http://127.0.0.1:$PORT/&\"\noutput = \"script/originals/&\"|" files.txt > script/curl
curl --silent --fail --parallel --parallel-max 8 --create-dirs --config script/curl
export VIPS_CONCURRENCY=1
. "$BENCH/thumbnails.sh"
find script/originals -type f > script/files
thumbnails '.webp[Q=89,strip,effort=4]' "$PWD/script/out" script/files 120 315 720 |
    xargs -P "$(nproc)" -d '\n' -I{} bash -c '{} || true'
SCRIPT
}

measured first "$gearbox" run night.json5 --quiet
measured second "$gearbox" run night.json5 --quiet
measured quarter "$gearbox" run night.json5 --quiet --manifest quarter.txt --cache quarter
script > script.sh
PORT=$port BENCH=$here measured script bash script.sh

/usr/bin/python3 - "$count" <<'PYTHON'
import os, sys
measured = {name: [float(n) for n in open(name + ".measured").read().split()]
            for name in ("first", "second", "quarter", "script")}
made = sum(len(files) for _, _, files in os.walk("script/out"))
print(f"{sys.argv[1]} photographs, {9 * int(sys.argv[1])} variants (the script made {made})")
for name, (wall, cpu, peak) in measured.items():
    print(f"  {name:8} {wall:7.2f} s wall {cpu:7.2f} s CPU {peak / 1024:6.0f} MB peak (largest process)")
first, second, quarter, script = (measured[n] for n in ("first", "second", "quarter", "script"))
print(f"  the script takes {script[0] / first[0]:.2f} times the wall time and {script[1] / first[1]:.2f} times the CPU")
print(f"  a second run takes {100 * second[0] / first[0]:.1f} % of the first's wall time")
print(f"  memory with four times the photographs: {first[2] / quarter[2]:.2f} times")
PYTHON

# Each round's rendering says what link takes as long.
capped() {
    echo "{ name: 'night', manifests: ['urls.txt'],
            network: { allowPrivateAddresses: true, bytesPerSecond: $1 } }" > capped.json5
}
for round in 1 2 3; do
    "$gearbox" run night.json5 --until fetch --quiet --cache "alone$round"
    measured "render$round" "$gearbox" run night.json5 --only render --quiet --cache "alone$round"
    bytes=$(find "alone$round/originals" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
    capped "$(awk -v bytes="$bytes" '{ printf "%.0f", bytes / $1 }' "render$round.measured")"
    measured "fetch$round" "$gearbox" run capped.json5 --until fetch --quiet --cache "fetched$round"
    measured "both$round" "$gearbox" run capped.json5 --quiet --cache "both$round"
done
/usr/bin/python3 - <<'PYTHON'
import statistics
wall = {name: [float(open(f"{name}{n}.measured").read().split()[0]) for n in (1, 2, 3)]
        for name in ("fetch", "render", "both")}
ratios = [both / max(fetch, render) for fetch, render, both in zip(*wall.values())]
times = ", ".join(f"{name} {statistics.median(times):.2f} s" for name, times in wall.items())
print(f"  over a capped link: {times}; together {statistics.median(ratios):.2f} times the longer one"
      f" ({min(ratios):.2f} to {max(ratios):.2f}), goal 1.15")
PYTHON
