# SPDX-License-Identifier: Apache-2.0
"""What waves leave of a step of the level does not depend on the time step; rotation turns the increment of the level with the same bits on
any number of ranks, and makes no energy by it."""

import cases
import left_alone
import numpy as np

SPEED, RADIUS = 0.01 * np.sqrt(9.81 / 20), np.sqrt(9.81 * 20) / 1e-4  # of the current at the step [m/s], how far it reaches [m]

for step, most in ((4200, 0.018), (2100, 2e-3), (1050, 6e-3)):
    fields = cases.run("verification/geostrophic_step", {"/time/step_s": step}).fields()
    near = np.abs(fields["x"]) < 3e5
    found = np.mean(fields["v"][-8:, 0, 1], axis=0)  # of a week: some waves are left
    error = np.max(np.abs(found + SPEED * np.exp(-np.abs(fields["x"]) / RADIUS))[near]) / SPEED
    cases.below(f"f dt {step * 1e-4:g}: error of the current beside the step", error, most)

LONG = {"/bathymetry/bed_m": left_alone.ROUGH, **left_alone.LAYERS, "/time/step_s": 4200}
left_alone.check("rough, in layers, f dt 0.42", LONG, 100)
few = {**LONG, "/time/duration_s": 42000}
digest = cases.run("verification/sea_left_alone", few).digest
for ranks in (2, 3):
    cases.equal(f"bits on {ranks} ranks", cases.run("verification/sea_left_alone", few, ranks=ranks).digest, digest)
cases.equal("bits on the emulator", cases.run("verification/sea_left_alone", few, options=("--device", "emu")).digest, digest)
cases.finish()
