#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a machine with a GPU says about this program, as one Markdown file: a probe, tests, speed, digests of processor and
# GPU, the sanitizers of CUDA. Called by `./maeotis gpu-report`, and in a bundle (gpu_bundle.sh) by what unpacks it.
#
#     gpu_report.sh ROOT BUILD DEVICE FILE [MINUTES]
#
# DEVICE emu is a dry run on the emulator, on small grids: it proves that the report can be made, and measures nothing.
# With MINUTES it ends in time; what decides most comes first, and the report says what it had no time for.
# Exit code 0: all that was tried passed; 1: something did not, the report says what; 2: there is no GPU to report on.

set -uo pipefail

readonly ROOT=$1 BUILD=$2 DEVICE=$3 FILE=$4 MINUTES=${5:-}
readonly PROGRAM=$BUILD/maeotis
export MAEOTIS=$PROGRAM MAEOTIS_SOURCE_DIR=$ROOT MAEOTIS_DATA=$ROOT
readonly LEAST=5 # seconds with which something is begun
END=$((SECONDS + ${MINUTES:-100000} * 60))
readonly END
WORK=$(mktemp -d)
readonly WORK
trap 'rm -rf "$WORK"' EXIT
passed=0
failed=0
left_out=()

put() { printf '%s\n' "$@" >>"$FILE"; }

progress() { printf 'gpu-report: %s\n' "$*" >&2; }

# within SECONDS COMMAND...: CODE is the command's code (124: it took longer), or "late" where the report's time is over,
# before it or during it; what it prints is in words
within() {
    local most=$1 left=$((END - SECONDS - 2))
    shift
    CODE=0
    : >"$WORK/words"
    if ((left < LEAST)); then
        CODE=late
        return
    fi
    timeout -k 2 $((most < left ? most : left)) "$@" >"$WORK/words" 2>&1 </dev/null || CODE=$?
    if (((CODE == 124 || CODE == 137) && left <= most && END - SECONDS < LEAST)); then CODE=late; fi
}

# judge CODE NAME: the word of a table, and the count
judge() {
    case $1 in
    0)
        passed=$((passed + 1))
        VERDICT=passed
        ;;
    late)
        left_out+=("$2")
        VERDICT="no time"
        ;;
    *)
        failed=$((failed + 1))
        VERDICT="**failed** (code $1)"
        ;;
    esac
}

# fenced SECONDS COMMAND...: the command and all that it prints, in a block of its own
fenced() {
    local most=$1 words shown
    shift
    shown=${*/#$PROGRAM-bench/./maeotis bench}
    shown=${shown/#$PROGRAM/./maeotis}
    shown=${shown//"$ROOT/"/}
    progress "$shown"
    within "$most" "$@"
    judge "$CODE" "\`$shown\`"
    words=$(sed 's/\x1b\[[0-9;]*m//g' "$WORK/words")
    put '' '```' "\$ $shown" "${words//"$ROOT/"/}" '```' '' "$VERDICT"
}

asked() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }

# of_build NAME: what the build, or the bundle's maker, notes of itself
of_build() { sed -n "s/^$1:[A-Z]*=//p" "$BUILD/CMakeCache.txt" 2>/dev/null | head -n 1; }

commit() { git -C "$ROOT" describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || of_build BUNDLE_COMMIT; }

# Speaks of the commit and not of the machine's name or paths: the file is made to be published.
head_of_report() {
    : >"$FILE"
    put "# GPU report" ''
    [[ $DEVICE == gpu ]] || put "**Dry run on the emulator: nothing here was measured, and no GPU was used.**" ''
    put "| | |" "| --- | --- |"
    put "| date | $(date -u +%Y-%m-%dT%H:%MZ) |"
    put "| program | $(commit) |"
    [[ ! $MINUTES ]] || put "| time for this report | $MINUTES minutes |"
    if [[ $DEVICE == gpu ]]; then
        put "| card | $(asked name), compute capability $(asked compute_cap), $(asked memory.total) |"
        put "| clocks, at most | memory $(asked clocks.max.memory), processors $(asked clocks.max.sm) |"
        put "| driver | $(asked driver_version) |"
        put "| CUDA's compiler | $(of_build BUNDLE_CUDA | grep . || nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p') |"
        put "| built for | $(of_build CMAKE_CUDA_ARCHITECTURES) |"
    fi
    put "| processor | $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(nproc) threads |"
}

probe() {
    put '' "## Probe"
    fenced 120 "$PROGRAM-bench" probe --device "$DEVICE"
}

tests_of() {
    local test name
    put '' "## Tests" '' "| test | |" "| --- | --- |"
    for test in "${tests[@]}"; do
        name=${test##*/}
        progress "$name"
        within 1800 "$test"
        judge "$CODE" "$name"
        put "| $name | $VERDICT |"
        [[ $CODE == 0 || $CODE == late ]] || tail -n 40 "$WORK/words" >>"$WORK/complaints"
    done
    complaints
}

# What failing tests have said, below their table.
complaints() {
    [[ -s $WORK/complaints ]] || return 0
    put '' '```' "$(cat "$WORK/complaints")" '```'
    rm "$WORK/complaints"
}

# digest SCENARIO DEVICE STEPS: FOUND is what the run's last line says, or the reason why there is none
digest() {
    rm -rf "$WORK/run"
    within 1800 "$PROGRAM" run "$1" --device "$2" --steps "$3" --set '/output=[]' --set "/output_folder=\"$WORK/run\""
    FOUND=$(grep -oE 'digest [0-9a-f]{16}' "$WORK/words" | tail -n 1)
    FOUND=${FOUND#digest }
    [[ $CODE == 0 && $FOUND ]] || FOUND="code $CODE: $(grep -m 1 error "$WORK/words" | cut -c 1-90 | tr '|' '/')"
}

digests() {
    local scenario steps=5 first code
    local scenarios=("$ROOT"/scenarios/verification/*.json "$ROOT"/scenarios/azov_storm_2014.json)
    if [[ $DEVICE != gpu ]]; then
        steps=1
        scenarios=("$ROOT"/scenarios/verification/{seiche,vortex_pair,still_box}.json)
    fi
    put '' "## Digests" '' "The state after $steps step(s), on a processor and on the device." ''
    put "| scenario | processor | $DEVICE | |" "| --- | --- | --- | --- |"
    for scenario in "${scenarios[@]}"; do
        progress "digests of ${scenario##*/}"
        digest "$scenario" cpu "$steps"
        first=$FOUND
        [[ $CODE == late ]] || digest "$scenario" "$DEVICE" "$steps"
        code=0
        [[ $first == "$FOUND" && $first =~ ^[0-9a-f]{16}$ ]] || code=1
        [[ $CODE != late ]] || code=late
        judge $code "digests of $(basename "$scenario" .json)"
        if [[ $code == late ]]; then first=- FOUND=-; fi
        put "| $(basename "$scenario" .json) | $first | $FOUND | $VERDICT |"
    done
}

benches() {
    put '' "## Speed"
    if [[ $DEVICE == gpu ]]; then
        fenced 300 "$PROGRAM-bench" step --device gpu
        put '' "The storm on 250 m:"
        fenced 600 "$PROGRAM-bench" step "$ROOT/scenarios/azov_storm_2014.json" --set /grid/dx_m=250 \
            --set /time/step_s=30 --set "/rivers=[]" --spin-up 30 --steps 30 --device gpu
        fenced 300 "$PROGRAM-bench" sweeps --device gpu
    else
        fenced 300 "$PROGRAM-bench" step "$ROOT/scenarios/verification/seiche.json" --spin-up 0 --steps 3 --device emu
    fi
    fenced 300 "$PROGRAM-bench" lines --device "$DEVICE"
}

# The rows of docs/papers.md that need a GPU, as they stand in the page of this tree from now on (of a bundle: in none).
papers() {
    local page=$ROOT/docs/papers.md
    [[ -w $page && $DEVICE == gpu ]] || page=$WORK/papers.md
    put '' "## Papers"
    fenced 300 "$PROGRAM-bench" papers --device "$DEVICE" -o "$page"
    [[ $DEVICE != gpu ]] || put '' "$(grep -F "$(asked name)" "$page" 2>/dev/null)"
}

sanitizers() {
    local test name tool row
    put '' "## Sanitizers"
    if ! command -v compute-sanitizer >/dev/null; then
        put '' "There is no compute-sanitizer on this machine."
        return
    fi
    put '' "| test | memcheck | racecheck | synccheck |" "| --- | --- | --- | --- |"
    for test in "${tests[@]}"; do
        name=${test##*/}
        row="| $name |"
        for tool in memcheck racecheck synccheck; do
            progress "$name, $tool"
            within 3600 compute-sanitizer --tool "$tool" --error-exitcode 9 "$test"
            judge "$CODE" "$name with $tool"
            row+=" $VERDICT |"
            [[ $CODE == 0 || $CODE == late ]] || tail -n 40 "$WORK/words" >>"$WORK/complaints"
        done
        put "$row"
    done
    complaints
}

# What its kernels must move, counted on the emulator: last, as any machine can tell it.
counts() {
    put '' "## Bytes, counted on the emulator"
    fenced 600 "$PROGRAM-bench" bytes
}

case $DEVICE in
emu) tests=("$BUILD/tests/unit-block" "$BUILD/tests/unit-reduce") ;;
gpu)
    command -v nvidia-smi >/dev/null || {
        progress "nvidia-smi is missing (it comes with NVIDIA's driver); nothing was measured"
        exit 2
    }
    [[ $(asked name) ]] || {
        progress "nvidia-smi finds no GPU; nothing was measured"
        exit 2
    }
    tests=("$BUILD"/tests/gpu-*)
    ;;
*)
    progress "--device is gpu, or emu for a dry run, not '$DEVICE'"
    exit 2
    ;;
esac
head_of_report
probe
tests_of
benches
papers
digests
if [[ $DEVICE == gpu ]]; then
    sanitizers
    counts
fi
if ((${#left_out[@]})); then put '' "## No time was left for" '' "${left_out[@]/#/- }"; fi
summary="$passed passed, $failed failed${left_out[*]:+, no time for ${#left_out[@]}}"
put '' "$summary"
progress "$summary; the report is in $FILE"
((failed == 0))
