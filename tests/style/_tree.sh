# SPDX-License-Identifier: Apache-2.0
#
# Shared by the style checks: which tree they look at and which files are in it. Sourced, not run.

# shellcheck shell=bash
set -euo pipefail

TREE=${MAEOTIS_SOURCE_DIR:-$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..}
cd "$TREE"
problems=0

# files NAME-PATTERN...: the tree's own files of these names: those that git tracks, or, in a copy without git, all but what
# builds and runs leave
files() {
    local pattern file names=()
    if [[ -e .git ]]; then
        for pattern in "$@"; do
            names+=(":(glob)**/$pattern")
        done
        git ls-files -- "${names[@]}" | while read -r file; do [[ ! -f $file ]] || printf "%s\n" "$file"; done | LC_ALL=C sort
        return
    fi
    for pattern in "$@"; do
        names+=(-o -name "$pattern")
    done
    find . \( -name '.git' -o -path './build*' -o -path './results' -o -path './docs/site/reference' \) -prune -o \
        -type f \( "${names[@]:1}" \) -print | sed 's|^\./||' | LC_ALL=C sort
}

problem() {
    printf '%s\n' "$*"
    problems=$((problems + 1))
}

finish() { # finish RULE
    if ((problems)); then
        printf '%s: %d\n' "$1" "$problems"
        exit 1
    fi
    exit 0
}
