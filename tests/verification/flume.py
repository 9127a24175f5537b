# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""A laboratory flume, 2 cm of water for 12.5 s: times with fractions of a second are exact, also across restarts; thresholds of
thin water follow the depth of the levels."""

import json
import subprocess
from pathlib import Path

import cases
import netCDF4
import numpy as np


def check(settings=None, *options, scenario="flume"):
    path = Path(scenario) if str(scenario).endswith(".json") else cases.SOURCE / f"scenarios/verification/{scenario}.json"
    words = [word for key, value in (settings or {}).items() for word in ("--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}")]
    return subprocess.run([cases.PROGRAM, "check", str(path), *words, *options], capture_output=True, text=True)


# ---- the clock ----

run = cases.run("verification/flume", {"/restart": {"every_s": 2.5, "keep": 9}})
fields = run.fields("flume.nc")
cases.equal("steps", (len(run.log), run.log[-1]["elapsed_s"]), (2500, 12.5))
cases.equal("times of the output", fields["time"].tolist(), [0.5 * n for n in range(26)])
cases.equal("date of the end", run.log[-1]["time"], "2000-01-01T00:00:12.5Z")
with netCDF4.Dataset(next(run.folder.glob("**/flume.nc"))) as data:
    cases.equal("coverage", (data.time_coverage_end, data.time_coverage_duration), ("2000-01-01T00:00:12.500000Z", "PT0000000012.500000S"))
restarts = sorted(run.folder.glob("**/restart_*.nc"))
cases.equal("restart files", [path.name for path in restarts],
            [f"restart_20000101T0000{second}Z.nc" for second in ("02_500000", "05", "07_500000", "10", "12_500000")])
again = cases.run("verification/flume", options=["--restart", str(restarts[2])])
cases.equal("restart at 7.5 s: digests", again.column("digest").tolist() == run.column("digest")[1500:].tolist(), True)
cases.equal("restart at 7.5 s: times", again.fields("flume.nc")["time"].tolist(), [0.5 * n for n in range(16, 26)])
cases.equal("two ranks", cases.run("verification/flume", ranks=2).digest, run.digest)

# a duration that no binary number is, means over intervals that none is, and a step that follows the flow
odd = {"/time/duration_s": 1.23, "/time/step_s": 0.003, "/output": [
    {"every_s": 0.03, "variables": ["eta"]}, {"file": "means.nc", "every_s": 0.3, "mean": True, "variables": ["eta"]}]}
run_odd = cases.run("verification/flume", odd)
cases.equal("odd: steps", (len(run_odd.log), round(run_odd.log[-1]["elapsed_s"], 12)), (410, 1.23))
cases.below("odd: times", np.max(np.abs(run_odd.fields("flume.nc")["time"] - 0.03 * np.arange(42))), 1e-14)
cases.below("odd: means", np.max(np.abs(run_odd.read("means.nc")["time_bnds"][:5] - 0.3 * np.array([[n, n + 1] for n in range(5)]).clip(0, 4.1))), 1e-14)
automatic = cases.run("verification/flume", {**odd, "/time/step_s": "auto", "/time/step_bounds_s": [1e-4, 0.05]})
cases.equal("automatic: the end", automatic.log[-1]["elapsed_s"], 1.23)
cases.below("automatic: times", np.max(np.abs(automatic.fields("flume.nc")["time"] - 0.03 * np.arange(42))), 1e-14)
automatic = cases.run("verification/flume", {**odd, "/time/step_s": "auto", "/time/step_bounds_s": [1e-4, 0.05], "/output": []})
cases.equal("automatic, without output: the end", automatic.log[-1]["elapsed_s"], 1.23)
short = cases.run("verification/flume", options=["--until", "2000-01-01T00:00:01.235Z"])
cases.equal("until: steps", len(short.log), 247)

# the effective scenario says the same
effective = check(None, "--print-effective").stdout
times = json.loads(effective)["time"]
cases.equal("effective: duration", (times.get("duration_s"), "end" in times), (12.5, False))
Path("effective.json").write_text(effective)
cases.equal("effective: read again", check(None, "--print-effective", scenario=Path.cwd() / "effective.json").stdout == effective, True)
whole = json.loads(check({"/time/duration_s": 12}, "--print-effective").stdout)["time"]
cases.equal("effective: whole seconds have an end", (whole.get("end"), "duration_s" in whole), ("2000-01-01T00:00:12Z", False))
refused = check({"/time/duration_s": 12.502})
cases.equal("no whole number of steps", (refused.returncode, "a duration of 12.5 s or 12.505 s fits" in refused.stderr), (2, True))

# ---- thin water ----

middle = fields["eta"][:, 2, :]
cases.between("the pulse has left the middle", np.max(np.abs(middle[9])) / 1e-4, 0.4, 0.6)
cases.below("what comes back from the ends", np.max(np.abs(middle[18])) / 1e-4, 0.01)
cases.conserves(run)

# a stream that comes in at 0.1 m/s keeps its velocity; an inlet that is dry at first lets it in
stream = {"/boundaries": [{"name": "inlet", "edge": "west", "kind": "discharge", "discharge_m3_s": 0.1 * 0.2 * 0.02},
                          {"name": "outlet", "edge": "east", "kind": "elevation", "eta_m": 0}],
          "/initial": {"eta_m": 0, "u_m_s": 0.1}, "/time/duration_s": 0.5, "/output/0/variables": ["eta", "u", "depth"]}
found = cases.run("verification/flume", stream).fields("flume.nc")
cases.below("inlet: velocity", np.max(np.abs(found["u"][-1, 0] - 0.1)), 1e-6)
cases.below("inlet: level", np.max(np.abs(found["eta"][-1])), 1e-7)
dry = {**stream, "/initial": {"eta_m": -0.02, "u_m_s": 0}, "/boundaries": stream["/boundaries"][:1], "/time/duration_s": 2,
       "/physics/drag": {"law": "manning", "n": 0.01}}
filled = cases.run("verification/flume", dry)
volume = 0.1 * 0.2 * 0.02 * 2
cases.conserves(filled)
cases.close("dry inlet: volume", filled.log[-1]["boundaries_m3"], volume, 1e-9)
depth = filled.fields("flume.nc")["depth"][-1, 2]
cases.between("dry inlet: depth there", depth[0], 0.003, 0.03)

# a laboratory's own numbers: a bed and a drag by named constants, with linear drag, a threshold, part of a second
own = {"/constants": {"rise": 0.004, "smooth": 0.009}, "/bathymetry/bed_m": "-0.02 + rise*x/4", "/physics/drag": {"law": "manning", "n": "x < 2 ? smooth : 2*smooth"},
       "/physics/momentum/rayleigh_1_s": 0.05, "/output_dry_depth_m": 0.001, "/time/duration_s": 1.235, "/boundaries": [], "/output/0/every_s": 1.235}
laboratory = cases.run("verification/flume", own)
ground = laboratory.fields("flume.nc")["bed"]
cases.below("own numbers: bed", np.max(np.abs(ground - (-0.02 + 0.001 * (0.05 * np.arange(80) + 0.025)))), 1e-8)
cases.equal("own numbers: time", (len(laboratory.log), laboratory.log[-1]["elapsed_s"]), (247, 1.235))
for key, other in (("/constants", {"rise": 0.004, "smooth": 0.01}), ("/physics/momentum/rayleigh_1_s", 0.06)):
    cases.equal(f"own numbers: {key} tells", cases.run("verification/flume", {**own, key: other}).digest != laboratory.digest, True)

told = check().stdout
cases.equal("check: words of a flume", [word in told for word in ("0.016", " m3 at the start", "00:00:12.5Z", "2500 steps of 0.005 s", "cells of 0.05 m")], [True] * 5)
told = check({"/grid/levels": {"bottom_m": -2, "dz_m": 2}}).stdout
cases.equal("check: levels of a sea in a flume", "at most 0.0201 m deep, but the levels reach down to -2 m" in told, True)
sea = json.loads(check({"/grid/levels": {"bottom_m": -2, "dz_m": 1}}, "--print-effective").stdout)
flume = json.loads(effective)
for name, of in (("output_dry_depth_m", lambda s: s["output_dry_depth_m"]), ("nonhydrostatic_depth_m", lambda s: s["physics"]["nonhydrostatic_depth_m"]),
                 ("full_stress_depth_m", lambda s: s["physics"]["free_surface"]["full_stress_depth_m"])):
    cases.equal(f"{name}: of the flume and of a sea", (round(of(flume), 12), of(sea)), (0.01, 0.1) if name.startswith("full") else (0.002, 0.01))
cases.finish()
