# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1200
"""devices.py with every scenario, also on two and three ranks."""

import cases
import emulated

for path in sorted(cases.SOURCE.glob("scenarios/verification/*.json")) + sorted(cases.SOURCE.glob("scenarios/*.json")):
    emulated.compare(str(path), 3, [(0, "emu"), (2, "emu"), (3, "emu")])
cases.finish()
