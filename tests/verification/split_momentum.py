# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2, ctest: thorough
"""Horizontal viscosity line by line: the same as all directions at once but for the splitting, whatever the ranks."""

import cases
import numpy as np

SPLIT = {"/physics/momentum/scheme": "split", "/physics/momentum/horizontal_viscosity_m2_s": 5000, "/grid/dx_m": 4000}
MATM = {**SPLIT, "/physics/momentum/scheme": "matm", "/solver/momentum/tolerance": 1e-11}
FIELDS = {"/output": [{"file": "end.nc", "every_s": 43200, "velocities": "faces", "variables": ["eta", "u"]}]}
WIND = {**FIELDS, "/time/duration_s": 43200, "/forcing/ramp_s": 3600}

difference = {"eta": [], "u": []}
for step in (1200, 600, 300) if cases.THOROUGH else (1200, 600):
    split, matm = (cases.run("azov_steady_wind", {**scheme, **WIND, "/time/step_s": step}).read("end.nc") for scheme in (SPLIT, MATM))
    for name in difference:
        difference[name].append(np.sqrt(np.nanmean((split[name][-1] - matm[name][-1]) ** 2)))
for name, errors in difference.items():
    cases.below(f"{name}: difference to matm at 1200 s [m, m/s]", errors[0], 2.5e-3)
    cases.between(f"{name}: order of the splitting", np.min(cases.orders(errors)), 0.85, 1.3)

# with flooding, where lines break and join, and steps at which explicit viscosity is lowered
STORM = {**SPLIT, "/time/start": "2014-09-24T10:00:00Z", "/time/step_s": 600, "/grid/levels": {"bottom_m": -14, "dz_m": 1},
         "/output": []}
digests = {}
STEPS = ["--steps", "24" if cases.THOROUGH else "12"]
for ranks in (0, 2, 6):
    run = cases.run("azov_storm_2014", STORM, ranks=ranks, options=STEPS)
    cases.conserves(run, 1e-13)
    digests[ranks] = (run.digest, run.log[5]["digest"])
cases.equal("digest on 2 and 6 ranks", set(digests.values()), {digests[0]})
emulated = cases.run("azov_storm_2014", STORM, options=["--steps", "6", "--device", "emu"])
cases.equal("digest on the emulated device", emulated.digest, digests[0][1])
longest = cases.run("azov_storm_2014", {**STORM, "/time/step_s": 1800}, options=["--steps", "24"])
cases.between("storm, 1800 s: fastest [m/s]", np.max(longest.column("max_speed_m_s")), 1, 3)
cases.finish()
