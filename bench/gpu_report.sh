#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a machine with a GPU says about this program, as one Markdown file: tests, the sanitizers of CUDA, digests of
# processor and GPU, benches. Called by `./maeotis gpu-report`, which has built what it runs.
#
#     gpu_report.sh ROOT BUILD DEVICE FILE
#
# DEVICE emu is a dry run on the emulator, on small grids: it proves that the report can be made, and measures nothing.
# Exit code 0: everything passed; 1: something did not, the report says what; 2: there is no GPU to report on.

set -uo pipefail

readonly ROOT=$1 BUILD=$2 DEVICE=$3 FILE=$4
readonly PROGRAM=$BUILD/maeotis
export MAEOTIS=$PROGRAM MAEOTIS_SOURCE_DIR=$ROOT
WORK=$(mktemp -d)
readonly WORK
trap 'rm -rf "$WORK"' EXIT
passed=0
failed=0

put() { printf '%s\n' "$@" >>"$FILE"; }

progress() { printf 'gpu-report: %s\n' "$*" >&2; }

# judge CODE: the word of a table, and the count
judge() {
    if (($1 == 0)); then
        passed=$((passed + 1))
        VERDICT=passed
    else
        failed=$((failed + 1))
        VERDICT="**failed** (code $1)"
    fi
}

# fenced COMMAND...: the command and all that it prints, in a block of its own
fenced() {
    local code=0 words
    local shown=${*/#$PROGRAM-bench/./maeotis bench}
    shown=${shown/#$PROGRAM/./maeotis}
    shown=${shown//"$ROOT/"/}
    progress "$shown"
    put '' '```' "\$ $shown"
    "$@" >"$WORK/words" 2>&1 </dev/null || code=$?
    words=$(sed 's/\x1b\[[0-9;]*m//g' "$WORK/words")
    put "${words//"$ROOT/"/}"
    put '```'
    judge $code
    put '' "$VERDICT"
}

asked() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }

# Speaks of the commit and not of the machine's name or paths: the file is made to be published.
head_of_report() {
    : >"$FILE"
    put "# GPU report" ''
    [[ $DEVICE == gpu ]] || put "**Dry run on the emulator: nothing here was measured, and no GPU was used.**" ''
    put "| | |" "| --- | --- |"
    put "| date | $(date -u +%Y-%m-%dT%H:%MZ) |"
    put "| program | $(git -C "$ROOT" describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || echo unknown) |"
    if [[ $DEVICE == gpu ]]; then
        put "| card | $(asked name), compute capability $(asked compute_cap), $(asked memory.total) |"
        put "| clocks, at most | memory $(asked clocks.max.memory), processors $(asked clocks.max.sm) |"
        put "| driver | $(asked driver_version) |"
        put "| CUDA | $(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p') |"
        put "| built for | $(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' "$BUILD/CMakeCache.txt") |"
    fi
    put "| processor | $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) threads |"
}

tests_of() {
    local test name tool code
    put '' "## Tests" '' "| test | alone | memcheck | racecheck | synccheck |" "| --- | --- | --- | --- | --- |"
    local tests=("$BUILD"/tests/gpu-*)
    [[ $DEVICE == gpu ]] || tests=("$BUILD/tests/unit-block" "$BUILD/tests/unit-kernel")
    for test in "${tests[@]}"; do
        name=${test##*/}
        progress "$name"
        code=0
        timeout 1800 "$test" >"$WORK/words" 2>&1 </dev/null || code=$?
        judge $code
        local row="| $name | $VERDICT |"
        for tool in memcheck racecheck synccheck; do
            if [[ $DEVICE != gpu ]]; then
                row+=" - |"
                continue
            fi
            progress "$name, $tool"
            code=0
            timeout 3600 compute-sanitizer --tool "$tool" --error-exitcode 9 "$test" >"$WORK/words" 2>&1 </dev/null ||
                code=$?
            judge $code
            row+=" $VERDICT |"
            ((code == 0)) || tail -n 40 "$WORK/words" >>"$WORK/sanitized"
        done
        put "$row"
    done
    [[ -s $WORK/sanitized ]] || return 0
    put '' '```'
    cat "$WORK/sanitized" >>"$FILE"
    put '```'
}

# digest SCENARIO DEVICE STEPS: what the run's last line says, or the reason why there is none
digest() {
    local code=0 found
    rm -rf "$WORK/run"
    timeout 1800 "$PROGRAM" run "$1" --device "$2" --steps "$3" --set '/output=[]' --set "/output_folder=\"$WORK/run\"" \
        >"$WORK/words" 2>&1 </dev/null || code=$?
    found=$(grep -oE 'digest [0-9a-f]{16}' "$WORK/words" | tail -n 1)
    if ((code == 0)) && [[ $found ]]; then
        printf '%s' "${found#digest }"
    else
        printf 'code %d: %s' "$code" "$(grep -m 1 error "$WORK/words" | cut -c 1-90 | tr '|' '/')"
    fi
}

digests() {
    local scenario steps=5 first second
    local scenarios=("$ROOT"/scenarios/verification/*.json "$ROOT"/scenarios/azov_storm_2014.json)
    if [[ $DEVICE != gpu ]]; then
        steps=1
        scenarios=("$ROOT"/scenarios/verification/{seiche,vortex_pair,still_box}.json)
    fi
    put '' "## Digests" '' "The state after $steps step(s), on a processor and on the device." ''
    put "| scenario | processor | $DEVICE | |" "| --- | --- | --- | --- |"
    for scenario in "${scenarios[@]}"; do
        progress "digests of ${scenario##*/}"
        first=$(digest "$scenario" cpu "$steps")
        second=$(digest "$scenario" "$DEVICE" "$steps")
        [[ $first == "$second" && $first =~ ^[0-9a-f]{16}$ ]]
        judge $?
        put "| $(basename "$scenario" .json) | $first | $second | $VERDICT |"
    done
}

benches() {
    put '' "## Speed"
    if [[ $DEVICE == gpu ]]; then
        fenced "$PROGRAM-bench" step --device gpu
        put '' "What its kernels must move, counted on the emulator:"
        fenced "$PROGRAM-bench" bytes
        put '' "The storm on 250 m:"
        fenced "$PROGRAM-bench" step "$ROOT/scenarios/azov_storm_2014.json" --set /grid/dx_m=250 --set /time/step_s=30 \
            --spin-up 30 --steps 30 --device gpu
        fenced "$PROGRAM-bench" sweeps --device gpu
    else
        fenced "$PROGRAM-bench" step "$ROOT/scenarios/verification/seiche.json" --spin-up 0 --steps 3 --device emu
    fi
    fenced "$PROGRAM-bench" lines --device "$DEVICE"
}

case $DEVICE in
emu) ;;
gpu)
    for tool in nvidia-smi nvcc compute-sanitizer; do
        command -v "$tool" >/dev/null || {
            progress "$tool is missing (it comes with NVIDIA's driver or CUDA's toolkit); nothing was measured"
            exit 2
        }
    done
    [[ $(asked name) ]] || {
        progress "nvidia-smi finds no GPU; nothing was measured"
        exit 2
    }
    ;;
*)
    progress "--device is gpu, or emu for a dry run, not '$DEVICE'"
    exit 2
    ;;
esac
head_of_report
tests_of
digests
benches
put '' "$passed passed, $failed failed"
progress "$passed passed, $failed failed; the report is in $FILE"
((failed == 0))
