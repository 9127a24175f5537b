# SPDX-License-Identifier: Apache-2.0
#
# Includes run one way: base <- gpu <- numerics <- bathymetry <- model <- tests, and name a header by its path from
# the repository root.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

declare -A height=([base]=0 [gpu]=1 [numerics]=2 [bathymetry]=3 [model]=4 [tests]=5)

while IFS= read -r file; do
    layer=${file%%/*}
    [[ ${height[$layer]:-} ]] || continue
    while IFS=: read -r line text; do
        header=$(sed -E 's/^[^"<]*["<]([^">]*)[">].*/\1/' <<<"$text")
        other=${header%%/*}
        if [[ $header == */* && ${height[$other]:-} ]]; then
            ((height[$other] <= height[$layer])) ||
                problem "$file:$line: $layer includes $header, which is above it"
        elif [[ $text == *'"'* ]]; then
            problem "$file:$line: \"$header\" is to be named by its path from the root"
        fi
    done < <(grep -nE '^[[:space:]]*#[[:space:]]*include' "$file" || true)
done < <(files '*.c' '*.h')
finish "includes that go up or name no layer"
