# SPDX-License-Identifier: Apache-2.0
"""A run that fails says where, and names the largest term of the momentum equation there: here wind over water that
nothing brakes, 5 Pa on the upper of two layers of 10 m each."""

import json
import re

import cases
import python_command

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
cases.equal("the two largest terms are named, the larger first",
            re.search(r"term there is (compact advection|the surface slope) \(\S+ m/s2\), before (?!\1)(compact advection|the surface slope) \(", run.message) is not None,
            True)
step = re.search(r"shorten time.step_s to ([0-9.]+) s", run.message)
if cases.equal("a shorter step is proposed", step is not None, True):
    helped = cases.run("verification/vortex_pair", {**long, "/time/step_s": float(step[1]) // 10 * 10}, may_fail=True)
    cases.equal("it helps", helped.code, 0)

# A discharge that jumps: no term of the flow itself makes such a leap.
small = {"/grid/length_x_m": 2000, "/grid/length_y_m": 1500, "/grid/dx_m": 100, "/time/step_s": 0.2, "/time/duration_s": 8}
run = cases.run("verification/strait_discharge", {**small, "/boundaries/0/discharge_m3_s": "(t<4)?10:1e7", "/output": []}, may_fail=True,
                label="jump")
cases.equal("a boundary that jumps: exit code", run.code, 1)
cases.equal("no term is blamed", "too small to explain the jump in this step" in run.message, True)
cases.equal("the boundary is what to look at first",
            re.search(r"What to try: (\(1\) )?check the levels and currents that boundary", run.message) is not None, True)

# What came before, cell by cell: the run is repeated from its restart file, and ends with the same velocities.
try:
    from maeotis_plot import broken  # noqa: F401
    from maeotis_runs import autopsy
except ImportError as missing:
    print(f"{missing}: ./maeotis autopsy is not checked")
    cases.finish()
run = cases.run("verification/vortex_pair", {**long, "/output_folder": "broken", "/restart/every_s": 640}, options=["--steps", "300"],
                label="again", may_fail=True)
last = int(re.search(r"unstable at step (\d+)", run.message)[1])
folder = run.folder / "broken"
code, words = python_command.call(autopsy.main, folder, "--steps", "4")
cases.equal("autopsy: the repetition fails in the same way", code, 0)
rows = [json.loads(line) for line in (folder / "autopsy.json").read_text().splitlines()]
cases.equal("autopsy: the last steps", [row["step"] for row in rows], list(range(last - 3, last + 1)))
cases.equal("autopsy: from a restart file", "restart_" in words, True)
worst = re.search(r"([uv]) = ([-0-9.e+]+) m/s at cell i (\d+), j (\d+), level (\d+)", run.message)
first = rows[-1]["watched"][0]
cases.equal("autopsy: of the face that the run named", first["face"], ",".join(worst[n] for n in (1, 3, 4, 5)))
cases.close("autopsy: as fast as it was there", first["velocity_m_s"], float(worst[2]), 1e-4)

# Faces at and beside the borders between processes are watched as by one process.
watched = [word for face in ("u,8,3,0", "u,7,4,0", "v,5,11,0", "v,5,12,0") for word in ("--watch", face)]
logs = []
for ranks in (1, 2, 3):
    run = cases.run("verification/vortex_pair", {"/grid/dx_m": 200, "/output": []}, options=["--steps", "3", "--log-json", "watched.json", *watched],
                    label=f"watched{ranks}", ranks=ranks)
    logs.append([line for line in (run.folder / "watched.json").read_text().splitlines() if '"watched"' in line])
cases.equal("watched by 2 and 3 processes as by one", [len(log) for log in logs] + [logs[1] == logs[0], logs[2] == logs[0]], [3, 3, 3, True, True])
cases.equal("and they move", all(face["velocity_m_s"] for face in json.loads(logs[0][-1])["watched"]), True)
slope = max(abs(row["watched"][0]["terms_m_s2"]["the surface slope"]) for row in rows)
cases.between("autopsy: the terms are there", slope, 1e-12, 1e3)
cases.equal("autopsy: a picture", (folder / "autopsy.png").stat().st_size > 20000, True)
cases.finish()
