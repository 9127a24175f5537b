# SPDX-License-Identifier: Apache-2.0
#
# Includes run one way: base <- gpu <- numerics <- kinetics <- settings <- bathymetry <- model <- output <-
# program <- bmi <- tests, bench stands beside program, and name a header by its path from the repository root.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

declare -A height=([base]=0 [gpu]=1 [numerics]=2 [kinetics]=3 [settings]=4 [bathymetry]=5 [model]=6 [output]=7
                   [program]=8 [bench]=8 [bmi]=9 [tests]=10)

name='(["<])([^">]*)'
while IFS=: read -r file line text; do
    layer=${file%%/*}
    [[ ${height[$layer]:-} && $text =~ $name ]] || continue
    header=${BASH_REMATCH[2]}
    other=${header%%/*}
    if [[ $header == */* && ${height[$other]:-} ]]; then
        ((height[$other] <= height[$layer])) ||
            problem "$file:$line: $layer includes $header, which is above it"
    elif [[ ${BASH_REMATCH[1]} == '"' ]]; then
        problem "$file:$line: \"$header\" is to be named by its path from the root"
    fi
done < <(files '*.c' '*.h' | xargs grep -HnE '^[[:space:]]*#[[:space:]]*include' || true)
finish "includes that go up or name no layer"
