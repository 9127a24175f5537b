#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `completion` completes commands and options as the program has them; `list` names every scenario, and says how long it takes;
# a command that does not exist is refused with the one that was probably meant and all that there are.

set -euo pipefail

launcher=$MAEOTIS_SOURCE_DIR/maeotis
export MAEOTIS_PRESET=release
preset=$(basename "$MAEOTIS_BUILD_DIR")
[[ $preset == build-* ]] && MAEOTIS_PRESET=${preset#build-}

fail() {
    printf 'FAIL  %s\n' "$*"
    exit 1
}

# completes WORD...: what the Tab key would offer after these words
completes() {
    COMP_WORDS=(maeotis "$@")
    COMP_CWORD=$#
    _maeotis
    printf '%s ' "${COMPREPLY[@]}"
}

"$launcher" completion bash >completion.bash || fail "completion bash"
# shellcheck source=/dev/null
source completion.bash
"$launcher" help run | grep -q -- "--steps" || fail "help run is not the help of run"
[[ $(completes ru) == "run " ]] || fail "ru completes to: $(completes ru)"
[[ $(completes run --st) == "--steps " ]] || fail "run --st completes to: $(completes run --st)"
[[ $(completes report --l) == *"--live "* ]] || fail "report --l completes to: $(completes report --l)"
touch here.json
[[ $(completes run her) == "here.json " ]] || fail "a file completes to: $(completes run her)"
for shell in zsh fish; do
    command -v $shell >/dev/null || continue
    "$launcher" completion $shell >"completion.$shell" || fail "completion $shell"
    $shell -n "completion.$shell" || fail "$shell refuses the script"
done

"$launcher" list >scenarios.list || fail "list"
count=0
while IFS= read -r file; do
    grep -qE "^${file%.json} +[0-9]+ (s|min) " scenarios.list || fail "list lacks $file, or its time"
    count=$((count + 1))
done < <(cd "$MAEOTIS_SOURCE_DIR/scenarios" && find . -name '*.json' -not -path './verification/*' -not -path './boxes/*' -printf '%P\n')
[[ $(grep -cE '^[a-z0-9_/]+ +[0-9]+ ' scenarios.list) == "$count" ]] || fail "list names scenarios that are not there"
"$launcher" list --all >list_all || fail "list --all"
grep -q '^thacker' list_all || fail "list --all lacks the verification cases"

for pair in repot:report check-it: compre:compare ens:ensemble; do
    code=0
    "$launcher" "${pair%%:*}" 2>refused || code=$?
    ((code == 2)) || fail "${pair%%:*} ends with $code"
    grep -q "did you mean ${pair##*:}?" refused || [[ ! ${pair##*:} ]] || fail "${pair%%:*}: $(cat refused)"
    for command in run ensemble reproduce list bathymetry digest; do
        grep -qE "the commands are:.* $command( |$)" refused || fail "${pair%%:*} is refused without $command"
    done
done
code=0
"$launcher" mine.json 2>refused || code=$?
((code == 2)) || fail "mine.json ends with $code"
grep -q "did you mean ./maeotis run mine.json?" refused || fail "mine.json: $(cat refused)"
echo "ok    completion, list of $count scenarios"
