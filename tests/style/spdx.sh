# SPDX-License-Identifier: Apache-2.0
#
# Every source names its licence in its first three lines.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

while IFS= read -r file; do
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
        problem "$file: no 'SPDX-License-Identifier: Apache-2.0' in its first three lines"
done < <(files '*.c' '*.h' '*.cu' '*.py' '*.sh' '*.cmake' '*.h.in' CMakeLists.txt maeotis run)
finish "sources without a licence line"
