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
while IFS= read -r file; do
    problem "$file: not laid out as clang-format would; repair: $clang_format -i $file"
done < <("$clang_format" --dry-run "${sources[@]}" 2>&1 | sed -nE 's/^([^: ]+):[0-9]+:.*/\1/p' | sort -u)
finish "files with another layout"
