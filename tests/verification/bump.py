# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""Flow over a bump: head before and behind the jump, critical depth at the crest, place of the jump."""

import os

import cases
import numpy as np

GRAVITY = 9.81


def check(dx, tolerance, settings=None):
    run = cases.run("verification/bump", {"/grid/dx_m": dx, "/grid/dy_m": 0.1, "/time/step_s": 0.2 * dx, **(settings or {})})
    cases.conserves(run)
    fields = run.fields()
    x, eta, bed = fields["x"], fields["eta"][-1, 1], fields["bed"][1]
    faces = fields["u"][-1, 0, 1]
    speed = 0.5 * (faces[1:] + faces[:-1])
    depth, head = eta - bed, eta + speed**2 / (2 * GRAVITY) + 0.33
    q = np.mean((speed * depth)[x < 7])
    critical = (q * q / GRAVITY) ** (1 / 3)
    cases.close(f"dx {dx}: discharge", q, 0.18, 0.01)
    cases.below(f"dx {dx}: discharge differs by", np.std((speed * depth)[(x < 11) | (x > 14)]) / q, tolerance)
    cases.close(f"dx {dx}: head over the crest, where the flow is critical", np.mean(head[x < 7]), 1.5 * critical + 0.2, tolerance)
    cases.below(f"dx {dx}: head lost before the jump", np.ptp(head[x < 11]) / np.mean(head[x < 7]), tolerance)
    cases.close(f"dx {dx}: depth at the crest", np.interp(10, x, depth), critical, 10 * tolerance)
    jump = np.argmax(np.diff(eta[x < 14]))
    cases.close(f"dx {dx}: place of the jump", 0.5 * (x[jump] + x[jump + 1]), 11.665, 0.01)
    smooth = (x < 11) | (x > 13)
    change = (fields["eta"][-1] - fields["eta"][-2])[:, smooth]
    cases.below(f"dx {dx}: change in 100 s beside the jump [m]", np.max(np.abs(change)), 1e-3)


check(0.1, 0.005)
if "matm" not in os.environ.get("MAEOTIS_SETTINGS", ""):  # which has no order
    check(0.1, 0.005, {"/physics/momentum/order": 2})
check(0.05, 0.0025)
cases.finish()
