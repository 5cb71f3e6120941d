#!/usr/bin/env bash
# Runs the tests with a sanitizer in them and in every program of ours that they start:
# run.sh thread|address [TARGET...]. Fails where a test does, and where any process has reported something.
set -euo pipefail
cd "$(dirname "$0")/../.."
kind=$1
shift
here=$PWD/Tests/Sanitizers
scratch=.build/${kind:0:1}san
reports=$(mktemp -d)
# Tests start programs as other users, too.
chmod 755 "$reports"
trap 'rm -rf "$reports"' EXIT

# The linker warns of names of the sanitizer's own, SwiftPM of libvips' flags; both are harmless.
swift build --build-tests --sanitize="$kind" --scratch-path "$scratch" -Xswiftc -DSANITIZED \
    2> >(grep -v -e 'prohibited flag' -e 'Cannot export local symbol' >&2) |
    { grep -v 'Cannot export local symbol' || true; }

# As elsewhere, what is too much to be allocated is an error; and Debian's symbolizer is older than
# what Swift writes.
common="log_path=$reports/report:allocator_may_return_null=1"
common+=":external_symbolizer_path=$(dirname "$(readlink -f "$(command -v swift)")")/llvm-symbolizer"
# Where a program is meant to crash, as tests have it, the sanitizer has nothing to say.
common+=":handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"
export TSAN_OPTIONS="$common"
export ASAN_OPTIONS="$common:detect_leaks=1"
export LSAN_OPTIONS="suppressions=$here/leaks.supp:print_suppressions=0"
# Swift's own backtraces start a program that looks into this one, which takes minutes here.
export SWIFT_BACKTRACE=enable=no

if [ "$kind" = thread ]; then
    clang -shared -fPIC -O2 -Wall -Werror -o "$reports/mutex.so" "$here/mutex.c"
    preload=$reports/mutex.so
fi

skip=()
while read -r which test _; do
    case $which in both | "$kind") skip+=(--skip "$test") ;; esac
done < "$here/left-out.txt"

# One target after the other: all of them at once wait for each other too long.
status=0
[ $# != 0 ] || set -- $(basename -a Tests/*Tests)
for target; do
    echo "$kind sanitizer: $target"
    timeout 2400 env ${preload:+LD_PRELOAD=$preload} "$scratch/debug/gearboxPackageTests.xctest" \
        --testing-library swift-testing --filter "^$target\." "${skip[@]}" \
        > "$reports/tests" 2>&1 || status=$?
    grep -v -E '(started|passed after .*)\.$' "$reports/tests" || true
    tail -n 1 "$reports/tests"
done

count=0
for report in "$reports"/report.*; do
    [ -e "$report" ] || continue
    count=$((count + 1))
    cat "$report"
done
echo "$kind sanitizer: $count processes with reports, status of the tests $status"
[ "$count" = 0 ] && [ "$status" = 0 ]
