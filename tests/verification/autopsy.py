# SPDX-License-Identifier: Apache-2.0
"""A run that fails says where, and names the largest term of the momentum equation there: here wind over water that
nothing brakes, 5 Pa on the upper of two layers of 10 m each."""

import re

import cases

run = cases.run("verification/inertial_circle", {
    "/physics/coriolis/f_s": 0, "/physics/water_density_kg_m3": 1000, "/output": [],
    "/forcing": {"wind": {"stress_x_Pa": 5, "stress_y_Pa": 0}},
    "/time/step_s": 86400, "/time/duration_s": 864000000}, may_fail=True)
cases.equal("exit code", run.code, 1)
largest = re.search(r"u = ([0-9.]+) m/s at .* level 1 .* the largest term there is the wind stress \(([0-9.e-]+) m/s2\)",
                    run.message)
cases.equal("the message names the wind stress", largest is not None, True)
if largest:
    limit = 5 * (9.81 * 20) ** 0.5 # of a sea of 20 m (model/scales.h); a step adds 43.2 m/s
    cases.between("speed", float(largest[1]), limit, limit + 43.2)
    cases.close("acceleration", float(largest[2]), 5 / 1000 / 10, 1e-3)
cases.equal("autopsy.nc is written", len(list(run.folder.glob("**/autopsy.nc"))), 1)
cases.equal("a shorter step, which would not help, is not proposed", "shorten" in run.message, False)

# A step that is too long for compact advection: the flow grows by leaps. What is proposed helps.
long = {"/time/step_s": 160, "/output": []}
run = cases.run("verification/vortex_pair", long, options=["--steps", "300"], may_fail=True)
cases.equal("too long a step: exit code", run.code, 1)
cases.equal("the next largest term is named", "compact advection (" in run.message and ", before the surface slope (" in run.message, True)
step = re.search(r"shorten time.step_s to ([0-9.]+) s", run.message)
if cases.equal("a shorter step is proposed", step is not None, True):
    helped = cases.run("verification/vortex_pair", {**long, "/time/step_s": float(step[1]) // 10 * 10}, may_fail=True)
    cases.equal("it helps", helped.code, 0)
cases.finish()
