# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""Steps that choose their own length: accuracy, bounds, moments that are hit exactly, the same bits on any number of ranks and
across a restart at any step."""

import subprocess

import cases
import numpy as np

AUTO = {"/time/step_s": "auto"}

# a seiche: as accurate as with a given step of that length, and written at the very moments
run = cases.run("verification/seiche", {
    **AUTO, "/time/step_bounds_s": [0.5, 60], "/time/step_wave_courant": 2, "/time/duration_s": 20160,
    "/output": [{"stations": {"west": [50, 200]}, "every_s": 37, "variables": ["eta"]}, {"variables": ["eta"], "every_s": 1001}]})
cases.conserves(run, 1e-12)
series = run.stations()
cases.equal("records of the station", series["time"].tolist() == [37.0 * n for n in range(20160 // 37 + 1)], True)
cases.equal("records of the fields", run.fields()["time"].tolist(), [1001.0 * n for n in range(21)])
cases.equal("the end", run.log[-1]["elapsed_s"], 20160)
cases.below("wave Courant number", np.max(run.column("wave_courant")), 2.02)
omega, amplitude, _ = cases.fit_wave(series["time"], series["eta"][:, 0], np.pi / 10e3 * np.sqrt(98.1))
cases.close("period", 2 * np.pi / omega, 20e3 / np.sqrt(98.1), 0.005)
cases.close("amplitude", amplitude, 0.01, 5e-3)
cases.below("sum of the steps", abs(np.sum(run.column("step_s")) - 20160) / 20160, 1e-12)

# Coriolis by steps of changing length, from 11 s to 689 s in turn: of second order all the same
def inertial(settings):
    run = cases.run("verification/inertial_circle", settings)
    series = run.stations()
    exact = 0.3 * np.exp(-1e-4j * series["time"])
    return run, np.max(np.abs(series["u"][:, 0, -1] + 1j * series["v"][:, 0, -1] - exact)) / 0.3


uneven = [{"stations": {"here": [3500, 1500]}, "every_s": 1111, "variables": ["u", "v"]}, {"variables": ["eta"], "every_s": 700}]
_, given = inertial({"/time/step_s": 600})
run, found = inertial({**AUTO, "/time/step_bounds_s": [1, 700], "/time/step_wave_courant": 0, "/time/step_courant": 9, "/output": uneven})
steps = run.column("step_s")
cases.between("uneven steps: longest over shortest", np.max(steps) / np.min(steps), 10, 1000)
cases.below("uneven steps: error, of that with 600 s", found / given, 1.0)

# a storm
STORM = {**AUTO, "/time/start": "2014-09-24T10:00:00Z", "/time/end": "2014-09-24T22:00:00Z", "/grid/dx_m": 4000, "/grid/levels/dz_m": 2,
         "/time/step_bounds_s": [5, 900], "/time/step_courant": 0.06, "/time/step_wave_courant": 0, "/output": [{"variables": ["eta"], "every_s": 3600, "mean": True}]}
storm = cases.run("azov_storm_2014", STORM)
cases.conserves(storm, 1e-12)
steps, courant = storm.column("step_s"), storm.column("advective_courant")
cases.between("storm: steps vary", np.max(steps) / np.min(steps), 1.2, 200)
cases.between("storm: longest step", np.max(steps), 5, 900)
cases.below("storm: Courant number, but for the first steps from rest", np.max(courant[8:]), 0.075)
cases.below("storm: growth of a step", np.max(steps[1:] / steps[:-1]), 2.5)

# steps for which the pressure is not found are followed by shorter ones
run = cases.run("verification/standing_wave", {**AUTO, "/time/step_bounds_s": [0.02, 0.3], "/time/duration_s": 1, "/output": [],
                                               "/solver/pressure/tolerance": 1e-14, "/solver/pressure/max_iterations": 1}, 0, ["--steps", "6"])
steps = run.column("step_s")
cases.between("pressure not found: second step over first", steps[1] / steps[0], 0.4, 0.6)
cases.between("pressure not found: last step", steps[-1], 0.01, 0.02)

# bits: ranks, emulated GPU, restarts at any step, on other ranks
SEA = {**STORM, "/time/end": "2014-09-24T11:30:00Z", "/restart/at_end": True, "/output": []}
whole = cases.run("azov_storm_2014", SEA)
digests, lengths = whole.column("digest").tolist(), whole.column("step_s").tolist()
for ranks in (2, 3, 4, 6):
    run = cases.run("azov_storm_2014", SEA, ranks)
    cases.equal(f"{ranks} ranks", (run.column("digest").tolist(), run.column("step_s").tolist()) == (digests, lengths), True)
emulated = cases.run("azov_storm_2014", SEA, 0, ["--device", "emu", "--steps", "8"])
cases.equal("emulated GPU", emulated.column("digest").tolist() == digests[:8], True)
for steps_done, then in ((1, 0), (7, 3), (len(digests) - 1, 2)):
    first = cases.run("azov_storm_2014", SEA, 0, ["--steps", str(steps_done)])
    restart = str(sorted(first.folder.glob("**/restart_*.nc"))[-1])
    again = cases.run("azov_storm_2014", SEA, then, ["--restart", restart])
    cases.equal(f"restart after {steps_done} steps on {then or 1} ranks",
                (again.column("digest").tolist(), again.column("step_s").tolist()) == (digests[steps_done:], lengths[steps_done:]), True)
every = cases.run("azov_storm_2014", {**SEA, "/restart": {"every_s": 1700, "keep": 9}})
names = [path.name for path in sorted(every.folder.glob("**/restart_*.nc"))]
cases.equal("restart files at their moments", names, [f"restart_20140924T{time}Z.nc" for time in ("102820", "105640", "112500")])
until = cases.run("azov_storm_2014", SEA, 0, ["--until", "2014-09-24T10:20:07Z"])
cases.equal("until", until.log[-1]["elapsed_s"], 1207)

# what is refused, and what `check` tells
for name, settings, message in (("word", {"/time/step_s": "automatic"}, 'a number of seconds or "auto"'),
                                ("bounds", {**AUTO, "/time/step_bounds_s": [5, 1]}, "in this order"),
                                ("bounds of a given step", {"/time/step_bounds_s": [1, 5]}, 'depends on the step_s "auto"')):
    run = cases.run("verification/seiche", settings, may_fail=True)
    cases.equal(f"refused: {name}", (run.code, message in run.message), (2, True))
told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/seiche.json"), "--set", "/time/step_s=auto"],
                      capture_output=True, text=True, check=True).stdout
cases.equal("check tells the bounds", "steps of 1 to 300 s" in told, True)
cases.finish()
