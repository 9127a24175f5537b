# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1200
"""one_lane.py with every scenario."""

import cases
import lanes

for path in sorted(cases.SOURCE.glob("scenarios/verification/*.json")) + sorted(cases.SOURCE.glob("scenarios/*.json")):
    lanes.compare(str(path), 3)
cases.finish()
