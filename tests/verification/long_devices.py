# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 2400
"""devices.py with every scenario, also on two and three ranks where the sea is wide enough for them."""

import cases
import emulated

for path in sorted(cases.SOURCE.glob("scenarios/verification/*.json")) + sorted(cases.SOURCE.glob("scenarios/*.json")):
    wide = [ranks for ranks in (2, 3) if cases.run(str(path), {"/output": []}, ranks, ["--steps", "1"], may_fail=True).code == 0]
    emulated.compare(str(path), 3, [(ranks, "emu") for ranks in (0, *wide)])
cases.finish()
