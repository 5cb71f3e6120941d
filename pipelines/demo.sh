#!/usr/bin/env bash
# Runs the demo and shows what it made: demo.sh GEARBOX CACHE
set -euo pipefail
gearbox=$1
cache=$2

status=0
"$gearbox" run "$(dirname "$0")/demo.json5" --cache "$cache" || status=$?
# The demo's manifest holds broken files and bad lines to show how they are reported: status 1.
if [ "$status" -gt 1 ]; then exit "$status"; fi

host=https://p1.music.126.net
ask() {
    echo
    echo "$1"
    echo "  \$ gearbox resolve --cache $cache '$2'"
    "$gearbox" resolve --cache "$cache" "$2" | sed 's/^/  /'
}

echo
echo "made: $(find "$cache/store" -type f | wc -l) files, $(du -sh "$cache/store" | cut -f1), in $cache/store"
echo "index: $cache/index.sqlite"
ask "a size that was made, asked for in another way:" \
    "$host/covers/2024/album-01.jpg?type=webp&thumbnail=95x95&imageView"
ask "a size that was not made, cut from a larger one:" \
    "$host/covers/2024/album-01.jpg?imageView=1&thumbnail=250y125&type=webp"
ask "a picture that the night did not see:" \
    "$host/covers/2024/unknown.jpg?param=200y200"
