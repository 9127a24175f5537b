#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Feeds readers with what libFuzzer makes up, from the seeds on, until something breaks or the time is over:
#
#     tests/fuzz/run.sh TARGET|all [SECONDS for each, 60] [OPTION of libFuzzer ...]
#
# Targets are the .c files beside this one. Says how many inputs each got. What breaks one lies in build-fuzz;
# a test is to be made of it. Exit code 77 without clang and its fuzzer runtime.

set -euo pipefail

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
names=("${1:?a target or all}")
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
[[ ${names[0]} != all ]] || mapfile -t names < <(basename -s .c tests/fuzz/*.c)
if ! clang -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null <<<'int LLVMFuzzerTestOneInput(void) { return 0; }'; then
    echo "no clang with a fuzzer runtime (libclang-rt-dev)"
    exit 77
fi
cmake --preset fuzz >/dev/null
cmake --build build-fuzz --target "${names[@]/#/fuzz-}" | tail -n 1

# Memory is counted by the program itself; what MPI keeps is none of it.
export ASAN_OPTIONS=detect_leaks=0
feed() { # NAME OPTION...
    local name=$1 log=build-fuzz/fuzz-$1.log code=0
    shift
    mkdir -p "build-fuzz/corpus-$name"
    if ! "build-fuzz/fuzz-$name" "build-fuzz/corpus-$name" "tests/fuzz/seeds/$name" -max_total_time="$seconds" \
        -max_len=4096 -timeout=10 -artifact_prefix="build-fuzz/$name-" -print_final_stats=1 "$@" 2>"$log"; then
        tail -n 60 "$log"
        code=1
    fi
    printf '%s: %s executions\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    return $code
}

# As many at once as there are cores.
code=0
cores=$(nproc)
for ((n = 0; n < ${#names[@]}; n += cores)); do
    pids=()
    for name in "${names[@]:n:cores}"; do
        feed "$name" "$@" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || code=1; done
done
exit $code
