# SPDX-License-Identifier: Apache-2.0
#
# clang-format decides the layout. Versions differ in details; 14 (Debian 12) is the one that counts.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

clang_format=''
for candidate in clang-format-14 clang-format; do
    [[ $("$candidate" --version 2>/dev/null) == *"version 14."* ]] && clang_format=$candidate && break
done
if [[ ! $clang_format ]]; then
    echo "clang-format 14 is not here: not checked"
    exit 77
fi
mapfile -t sources < <(files '*.c' '*.h')
for file in "${sources[@]}"; do
    "$clang_format" --dry-run -Werror "$file" >/dev/null 2>&1 ||
        problem "$file: not laid out as clang-format would; repair: $clang_format -i $file"
done
finish "files with another layout"
