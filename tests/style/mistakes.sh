# SPDX-License-Identifier: Apache-2.0
#
# Every planted mistake fits: its file holds the right text once, and its tests are there. Planting them takes hours.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

PYTHONDONTWRITEBYTECODE=1 python3 tests/mutation/mutate.py --fit || problem "tests/mutation/mistakes.py: rows that do not fit"
finish "planted mistakes"
