#!/usr/bin/env bash
# Fetching: against curl --parallel with the same limits, from nginx on loopback; the pace where each
# answer takes 50 ms; the cap on bytes a second; memory; a second run. Needs 3 GB in TMPDIR, or
# 1 GB there and 2 in /dev/shm.
#
#   bench/fetch.bench.sh GEARBOX [ROUNDS]      5 rounds if not given
#
# The first three are measured through fetchbench, the library that a run fetches with and nothing
# around it: what a run does beside (manifests, state, planning) would be measured with it.
set -euo pipefail
gearbox=$(realpath "$1")
rounds=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
data=$(mktemp -d)
work=$(mktemp -d -p /dev/shm 2> /dev/null || mktemp -d)
servers=()
finish() {
    for server in "${servers[@]}"; do bash "$here/nginx.sh" stop "$server"; done
    rm -rf "$data" "$work"
}
trap finish EXIT

cd "$here/.."
swift build -c release --product fetchbench > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fetchbench=$(swift build -c release --show-bin-path 2> /dev/null)/fetchbench

/usr/bin/python3 "$here/objects.py" "$data/origin/small" 10000 20000
/usr/bin/python3 "$here/objects.py" "$data/origin/large" 500 1000000
mkdir "$data/http1" "$data/http2" "$data/made"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout "$data/http2/key.pem" \
    -out "$data/http2/certificate.pem" 2> /dev/null
cat > "$data/made/server.conf" <<'CONF'
location /slow/ { echo_sleep 0.05; echo "GIF89a $request_uri ;"; }
location /made/ { echo "GIF89a $request_uri ;"; }
CONF
# Starts the server of a name, and says where it is.
serve() {
    servers+=("$data/$1")
    port=$(bash "$here/nginx.sh" start "$data/origin" "$data/$1")
}
serve http1 && http1=http://127.0.0.1:$port
serve http2 && http2=https://localhost:$port
serve made && made=http://127.0.0.1:$port

# Seconds, CPU seconds and kilobytes of a command, appended to a file.
measured() {
    local file=$1
    shift
    /usr/bin/python3 "$here/measure.py" "$work/output" "$@" >> "$file" 2> "$work/errors" \
        || { cat "$work/output" "$work/errors"; exit 1; }
}

# Fetches a list of URLs into a new folder.
ours() {
    local file=$1 list=$2
    shift 2
    rm -rf "$work/cache"
    measured "$file" "$fetchbench" "$work/cache" "$list" "$@"
}

# The same by curl, each object into a file of its own.
curls() {
    local file=$1 list=$2
    shift 2
    rm -rf "$work/curl"
    mkdir "$work/curl"
    sed "s|.*/\(.*\)|url = \"&\"\noutput = \"$work/curl/\1\"|" "$list" > "$work/config"
    measured "$file" curl --silent --show-error --no-progress-meter --fail --parallel "$@" --config "$work/config"
}

digests=$(openssl speed -seconds 1 -bytes 16384 -mr -evp sha256 2> /dev/null | awk -F: '/^\+F/ { print $NF }')
against_curl() {
    local name=$1 base=$2 kind=$3 flight=$4 certificate=$data/http2/certificate.pem list=$work/urls bytes
    (cd "$data/origin" && find "$kind" -type f) | sed "s|^|$base/|" > "$list"
    bytes=$(du -sb "$data/origin/$kind" | cut -f 1)
    rm -f "$work/ours" "$work/curls" "$work/sums"
    for _ in $(seq "$rounds"); do
        ours "$work/ours" "$list" connectionsPerHost="$flight" caFile="$certificate"
        curls "$work/curls" "$list" --parallel-max "$flight" --cacert "$certificate"
        # What a script would do to know its bytes as we know ours.
        measured "$work/sums" find "$work/curl" -type f -exec sha256sum {} +
    done
    /usr/bin/python3 - "$name" "$work/ours" "$work/curls" "$work/sums" "$bytes" "$digests" <<'PYTHON'
import statistics, sys
name, ours, curls, sums, size, rate = sys.argv[1:]
ours, curls, sums = ([[float(word) for word in line.split()] for line in open(file)] for file in (ours, curls, sums))
digests = float(size) / float(rate)
speed = statistics.median(theirs[0] / mine[0] for mine, theirs in zip(ours, curls))
cpu = statistics.median((mine[1] - digests) / theirs[1] for mine, theirs in zip(ours, curls))
best = min(line[1] for line in ours), min(line[1] for line in curls)
both = statistics.median((theirs[0] + sum[0]) / mine[0] for mine, theirs, sum in zip(ours, curls, sums))
print(f"{name:32} throughput {speed:5.2f} of curl's, goal 1 ({both:.2f} of curl's and sha256sum's); CPU without digests {cpu:5.2f} of curl's, goal 1.25"
      f"  (best {best[0]:.2f} s with {digests:.2f} s of digests, curl {best[1]:.2f} s)")
PYTHON
}
for flight in 8 64; do
    against_curl "HTTP/2, 20 KB, $flight in flight" "$http2" small $flight
    against_curl "HTTP/2, 1 MB, $flight in flight" "$http2" large $flight
    against_curl "HTTP/1.1, 20 KB, $flight in flight" "$http1" small $flight
    against_curl "HTTP/1.1, 1 MB, $flight in flight" "$http1" large $flight
done

# The seconds that a list took, over the seconds that it should have.
pace() {
    local name=$1 list=$2 expected=$3
    shift 3
    rm -f "$work/pace"
    ours "$work/pace" "$list" "$@"
    awk -v name="$name" -v expected="$expected" '{ printf "%-34s %.2f of the time it should take\n", name, $1 / expected }' "$work/pace"
}
seq -f "$made/slow/%.0f" 2000 > "$work/slow"
pace "2000 answers of 50 ms, 8 in flight" "$work/slow" 12.5 connectionsPerHost=8
pace "the same, 64 in flight" "$work/slow" 1.5625 connectionsPerHost=64
rm -f "$work/pace"
curls "$work/pace" "$work/slow" --parallel-max 8
awk '{ printf "%-34s %.2f of the time it should take\n", "8 in flight by curl", $1 / 12.5 }' "$work/pace"
seq -f "$http1/large/%.0f.gif" 0 49 > "$work/capped"
pace "50 MB at 5 MB a second, 1 MB each" "$work/capped" 10 bytesPerSecond=5000000
seq -f "$http1/small/%.0f.gif" 0 2499 > "$work/capped"
pace "the same, 20 KB each" "$work/capped" 10 bytesPerSecond=5000000

# A whole run as far as fetch.
run() {
    local name=$1 list=$2
    mkdir -p "$work/$name"
    echo "{ manifests: ['$list'], cache: '$work/$name/cache', network: { allowPrivateAddresses: true } }" \
        > "$work/$name/night.json5"
    measured "$work/$name/measured" "$gearbox" run "$work/$name/night.json5" --until fetch --quiet
}
for count in 10000 100000; do
    seq -f "$made/made/%.0f" $count > "$work/made"
    run $count "$work/made"
done
awk '{ print $3 }' "$work"/1*0/measured | paste -s | awk '{
    printf "%-34s %.1f MB at 10,000 URLs, %.1f MB at 100,000\n", "memory of a run", $1 / 1024, $2 / 1024 }'

find "$data/origin/small" -type f -printf "$http1/small/%f\n" > "$work/again"
run second "$work/again"
asked=$(wc -l < "$data/http1/access.log")
run second "$work/again"
tail -n "+$((asked + 1))" "$data/http1/access.log" | awk '
    { requests++; bytes += $2; if ($1 == 304) unchanged++ }
    END { printf "%-34s %d requests, %d answers of 304, %d bytes of bodies\n", "a second run over 10,000", requests, unchanged, bytes }'
