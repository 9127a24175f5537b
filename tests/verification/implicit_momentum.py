# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2, ctest: long
# ctest: timeout 600
"""The implicit scheme of momentum in the cases of the other one, with the same tolerances; and with long steps.
With `--all` in more cases."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cases
import numpy as np

MATM = {"/physics/momentum/scheme": "matm", "/solver/momentum/tolerance": 1e-11}
HERE = Path(__file__).resolve().parent

known = ["seiche", "ranks"]
if "--all" in sys.argv:
    known += ["wind_setup", "inertial_circle", "ekman_layer", "kelvin_wave", "balzano", "open_boundaries", "thacker", "bump", "dam_break", "lake_at_rest"]
for name in known:
    words = ["storm", "open all round"] if "--all" in sys.argv else ["open all round"]
    words = words if name == "ranks" else []
    folder = Path.cwd() / name
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "MAEOTIS_SETTINGS": json.dumps(MATM)}
    done = subprocess.run([sys.executable, str(HERE / f"{name}.py"), *words], cwd=folder, env=environment, capture_output=True, text=True)
    if not cases.equal(f"{name}: exit code", done.returncode, 0):
        print(done.stdout, done.stderr)

for step in (120, 600, 1800) if "--all" in sys.argv else (600, 1800):
    storm = {**MATM, "/time/start": "2014-09-24T10:00:00Z", "/time/step_s": step, "/output": [], "/grid/dx_m": 4000,
             "/grid/levels/dz_m": 1, "/physics/momentum/horizontal_viscosity_m2_s": 2000}
    run = cases.run("azov_storm_2014", storm, options=["--steps", str(14400 // step)])
    cases.conserves(run, 1e-13)
    cases.below(f"storm, {step} s: residual", max(np.max(run.column("residual_u")), np.max(run.column("residual_v"))), 1e-10)
    cases.between(f"storm, {step} s: most iterations", max(np.max(run.column("iterations_u")), np.max(run.column("iterations_v"))), 2, 200)
    cases.between(f"storm, {step} s: fastest [m/s]", np.max(run.column("max_speed_m_s")), 1, 3)

# explicit along the levels, viscosity acts in stages where the step is too long for it: about the flow of the implicit scheme
LONG = {"/time/step_s": 1800, "/output": [], "/grid/dx_m": 4000, "/grid/levels/dz_m": 2, "/physics/momentum/horizontal_viscosity_m2_s": 5000}
stages, matrix = (cases.run("azov_storm_2014", {**LONG, "/physics/momentum/scheme": scheme}, options=["--steps", "96"], label=f"long_{scheme}")
                  for scheme in ("explicit-z", "matm"))
cases.close("storm, viscosity in stages, much longer steps: fastest [m/s]", np.max(stages.column("max_speed_m_s")),
            exact=np.max(matrix.column("max_speed_m_s")), tolerance=0.1)

marsh = cases.run("verification/stormy_marsh", {**MATM, "/time/step_s": 3600})
cases.conserves(marsh, 1e-13)
cases.below("marsh: most negative depth [m]", -np.nanmin(marsh.fields()["depth"]), 0.0)
cases.below("marsh: fastest [m/s]", np.max(marsh.column("max_speed_m_s")), 30)

stopped = cases.run("verification/stormy_marsh", {**MATM, "/solver/momentum/max_iterations": 1}, options=["--steps", "200"])
cases.equal("a solver that stops early is told of", "the solver of u stopped at a residual of" in stopped.message, True)
cases.finish()
