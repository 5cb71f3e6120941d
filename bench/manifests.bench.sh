#!/usr/bin/env bash
# Manifests: a million lines of each format into the state, and 4 GB that are 4 MB compressed. Needs 1 GB in
# TMPDIR for as long as it runs.
#
#   bench/manifests.bench.sh GEARBOX
set -euo pipefail
gearbox=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

/usr/bin/python3 "$here/manifests.py" 1000000
gzip -k urls.csv
zstd -q urls.csv
echo "{ manifests: [], cache: 'cache' }" > night.json5

# The seconds, CPU seconds and kilobytes of an ingest.
measured() {
    rm -rf cache
    /usr/bin/python3 "$here/measure.py" log "$gearbox" run night.json5 --manifest "$@" --until ingest --quiet
}

echo "gearbox run --until ingest, 1 million lines over 100000 sources"
for name in urls.txt urls.csv urls.csv.gz urls.csv.zst urls.tsv urls.jsonl urls.log; do
    options=()
    if [ $name = urls.log ]; then options=(--base https://p1.music.126.net); fi
    read -r wall cpu peak <<< "$(measured $name "${options[@]}")"
    awk -v name=$name -v wall="$wall" -v cpu="$cpu" -v peak="$peak" 'BEGIN {
        printf "  %-12s %9.0f lines a second, %9.0f of CPU time, peak %5.0f MB\n",
            name, 1e6 / wall, 1e6 / cpu, peak / 1024
    }'
done

head -c 4000000000 /dev/zero | gzip -1 > bomb.txt.gz
head -c 4000000000 /dev/zero | zstd -q > bomb.txt.zst
for name in bomb.txt.gz bomb.txt.zst; do
    # The bomb is one line that is too long: status 1.
    read -r wall cpu peak <<< "$(measured $name || true)"
    echo "  $name, 4 GB in one line: $wall s, peak $((peak / 1024)) MB"
done
