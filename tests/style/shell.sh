# SPDX-License-Identifier: Apache-2.0
#
# The shell scripts pass shellcheck.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

command -v shellcheck >/dev/null || { echo "shellcheck is not here: not checked" && exit 77; }
while IFS= read -r file; do
    shellcheck -s bash -x -e SC1091 "$file" || problem "$file: see above"
done < <(files '*.sh' maeotis run | grep -v '^maeotis/')
finish "shell scripts with a complaint"
