# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
# ctest: thorough
"""A zoom, a part of the sea on a finer grid in the same run: still water, constants, budgets, ranks, the emulator, a restart."""

import json
import re
import subprocess
from pathlib import Path

import cases
import numpy as np

BAY = "zoomed_bay"
SHORT = {"/time/duration_s": 3600, "/output": [], "/zoom/output": []}


def closed(name, run):
    cases.conserves(run, 3e-16)
    for tracer in ("salinity", "dye"):
        account = run.log[-1]["tracers"][tracer]
        cases.below(f"{name}: account of {tracer}", abs(account["error"]) / account["content"], 1e-15)
    ones = [line["tracers"]["dye"] for line in run.log]
    cases.equal(f"{name}: a constant", (min(a["least"] for a in ones), max(a["most"] for a in ones)), (1, 1))


# still water over banks and an island that the seam's cells know in other layers than the finer ones
still = {**SHORT, "/boundaries": [], "/rivers": [], "/forcing/wind": {}, "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 0},
         "/bathymetry/bed_m": "-8 + 0.7*sin(x/900)*sin(y/700) + 16*exp(-((x-30000)^2 + (y-12000)^2)/2500^2)"}
for name, salinity, limit in (("one density", 25, 0), ("salinity by height", "25 - z/8", 3e-16)):
    run = cases.run(BAY, {**still, "/initial/salinity": salinity})
    cases.below(f"still water, {name}: speed [m/s]", np.max(run.column("max_speed_m_s")), limit)
    closed(f"still water, {name}", run)

# a current through a zoom, in the schemes in which neighbours feel each other at once: no step of the level at the seam
current = {**SHORT, "/bathymetry/bed_m": -10, "/zoom/bathymetry/bed_m": -10, "/rivers": [], "/forcing/wind": {}, "/physics/drag": {"law": "none"}, "/physics/coriolis": "none",
           "/initial/u_m_s": 0.5, "/initial/salinity": 25, "/physics/momentum/horizontal_viscosity_m2_s": 500,
           "/boundaries": [{"name": edge, "edge": edge, "kind": "flather", "eta_m": 0, "velocity_m_s": 0.5 if edge == "west" else -0.5, "salinity": 25, "tracers": {"dye": 1}} for edge in ("west", "east")],
           "/output": [{"file": "around.nc", "every_s": 3600, "variables": ["eta"]}], "/zoom/output": [{"file": "inside.nc", "every_s": 3600, "variables": ["eta"]}]}
for scheme in ("explicit-z", "matm"):
    run = cases.run(BAY, {**current, "/physics/momentum/scheme": scheme})
    closed(f"a current, {scheme}", run)
    steps = [run.read("inside.nc")["eta"][-1][:, inside].mean() - run.read("around.nc")["eta"][-1][4:12, outside].mean() for inside, outside in ((0, 13), (-1, 26))]
    cases.below(f"a current, {scheme}: step of the level at the seam [mm]", 1000 * max(map(abs, steps)), 1e-9)

# the same in balance with the rotation of the Earth: it stays so
balance = "-1e-4*0.5/9.81*(y - 12000)"
run = cases.run(BAY, {**current, "/physics/coriolis": {"f_s": 1e-4}, "/initial/eta_m": balance, "/boundaries": [{**edge, "eta_m": balance} for edge in current["/boundaries"]],
                      "/zoom/output": [{"file": "inside.nc", "every_s": 3600, "variables": ["u_east", "v_north"]}]})
inside = run.read("inside.nc")
cases.below("a current in balance: u, v [m/s]", max(np.nanmax(abs(inside["u_east"][-1] - 0.5)), np.nanmax(abs(inside["v_north"][-1]))), 6e-7)

# long steps in a strong tide: cells at the seam pass on twice the water that they hold
strong = {"/boundaries/0/eta_m": "1.5*sin(2*pi*(t - x/9.5)/20000)"}
long = {**SHORT, **strong, "/boundaries/0/relaxation_zone": {"cells": 8}, "/time/step_s": 1200, "/time/duration_s": 7200}
run = cases.run(BAY, long)
cases.between("long steps: Courant number", run.column("advective_courant").max(), 1.8, 2.5)
closed("long steps", run)
cases.equal("digest of long steps on the emulator", cases.run(BAY, long, options=["--device", "emu", "--steps", "3"]).digest, run.log[2]["digest"])

# of two steps in three pieces the sea outside notices little: each begins with what the finer grid gave back, not with what was carried under it
apart = {**current, "/initial/u_m_s": 2, "/boundaries": [{**edge, "velocity_m_s": 4 * edge["velocity_m_s"]} for edge in current["/boundaries"]],
         "/physics/density": {"equation": "constant"}, "/initial/salinity": "x < 21000 ? 25 + 5*sin(x/3000) : 10", "/zoom/output": [], "/time/duration_s": 2400,
         "/nudging": [{"variable": "salinity", "to": 10, "time_s": 1e-6, "box": [21000, 39000, 6000, 18000]}], "/output": [{"file": "around.nc", "every_s": 2400, "variables": ["salinity"]}]}
whole, thirds = (cases.run(BAY, {**apart, "/time/step_s": step}).read("around.nc")["salinity"][-1][..., :14] for step in (1200, 400))
cases.below("pieces: salinity outside [g/kg]", np.nanmax(abs(whole - thirds)), 0.01)

# the same bits on all ranks and devices, and across a restart; with all that may lie on both sides of the seam, and steps that
# follow the flow, too long for the seam at times
full = {**SHORT, **strong, "/zoom/finer": 5, "/physics/momentum/viscosity_law": "smagorinsky", "/physics/momentum/order": 2, "/physics/tracers/horizontal_diffusivity_m2_s": 10,
        "/initial/temperature_C": "12 + z/3", "/forcing/heat": {"net_W_m2": 100, "shortwave_W_m2": 300},
        "/time/step_s": "auto", "/time/step_bounds_s": [20, 1200], "/time/step_courant": 1.5, "/time/step_wave_courant": 0, "/time/duration_s": 7200, "/restart/every_s": 3600,
        "/tracers/1": {"name": "mud", "kind": "suspended", "initial": 0.05, "initial_bed_kg_m2": 5, "settling_m_s": 5e-4, "erosion_kg_m2_s": 1e-3, "critical_erosion_Pa": 0.02},
        "/kinetics": {"module": "oxygen", "budgets": True, "initial": {"oxygen": 250, "nutrient": "3 + x/9000", "phytoplankton": "1 + x/48000", "pom": 1, "dom": 5, "pom_bed": 50}},
        "/events": [{"name": "rich", "variable": "oxygen", "when": "above", "threshold": 250}],
        "/nudging": [{"variable": "temperature", "to": "14 + x/9000", "time_s": 20000}, {"variable": "salinity", "to": 20, "time_s": 40000, "box": [0, 19000, 0, 24000]},
                     {"variable": "oxygen", "to": 240, "time_s": 20000, "box": [22500, 30000, 7500, 15000]}, {"variable": "u", "to": 0, "time_s": 40000},
                     {"variable": "salinity", "to": 25, "time_s": 20000, "width_m": 30000}],
        "/output": [{"file": "budget.nc", "every_s": 7200, "variables": ["oxygen"]}], "/zoom/output": [{"file": "finer.nc", "every_s": 7200, "variables": ["oxygen"]}]}
one = cases.run(BAY, full)
closed("all", one)
for tracer in ("temperature", "mud", "pom", "oxygen"):
    account = one.log[-1]["tracers"][tracer]
    cases.below(f"{tracer}, with its bed", abs(account["error"]) / (account["content"] + account["bed"]), 1e-14)
budget, finer = one.read("budget.nc"), one.read("finer.nc")
cases.close("oxygen by process, of both grids", budget["oxygen_by_process"][-1].sum(), account["reactions"], 1e-12)
cases.below("part of it in the finer grid", abs(finer["oxygen_by_process"][-1].sum() / account["reactions"]), 0.5)
cases.equal("salt by zones outside, in the finer grid", finer["salinity_from_sources"][-1], 0)
rich, inside = one.log[-1]["events"]["rich"]["volume_m3"], finer["rich_volume"][-1]
cases.between("water rich in oxygen, part of it in the finer grid", inside / rich, 0.01, 0.99)
two = cases.run(BAY, full, ranks=2)
cases.equal("digest on 2 ranks", two.digest, one.digest)
restart = next(two.folder.glob("results/*/restart_*T010000Z.nc"))
few = next(line for line in one.log if line["elapsed_s"] > 3600)
ACROSS = ("3 ranks", 3, "cpu", {}) if cases.THOROUGH else ("2 ranks, cut across", 2, "cpu", {"/solver/processes": [2, 1]})
for name, ranks, device, cut in (ACROSS, ("the emulator", 0, "emu", {})):
    again = cases.run(BAY, {**full, **cut}, ranks, ["--restart", str(restart), "--device", device, "--steps", str(few["step"])])
    cases.equal(f"digest on {name}, after a restart", again.digest, few["digest"])

# what check and run say of the finer grid: its water, files, steps and costs
hour = {**SHORT, "/output": [{"file": "bay.nc", "every_s": 1800, "variables": ["eta", "salinity"]}], "/zoom/output": [{"file": "island.nc", "every_s": 360, "variables": ["eta"]}],
        "/restart/at_end": True, "/bathymetry/bed_m": "-15 + x/8000 + 18*exp(-((x-30000)^2 + (y-12000)^2)/2500^2)", "/tracers/0": {"name": "dye", "initial": 1}, "/boundaries/0/tracers": {"dye": 1}}
run = cases.run(BAY, hour)
changes = [word for key, value in hour.items() for word in ("--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}")]
told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios" / f"{BAY}.json"), *changes], capture_output=True, text=True, check=True).stdout
sizes = [sum(path.stat().st_size for path in run.folder.glob("results/**/*.nc") if ("restart" in path.name) == kind) / 1e6 for kind in (False, True)]
forecast = [float(number) for number in re.search(r"output     about ([\d.]+) MB of fields and series, ([\d.]+) MB", told).groups()]
cases.between("size of the files of both grids", forecast[0] / sizes[0], 1, 1.6)
cases.between("size of the restart files of both grids", forecast[1] / sizes[1], 0.9, 1.1)
cases.close("water of both grids [km3]", float(re.search(r"water      ([\d.]+) km3", told)[1]), run.log[0]["tracers"]["dye"]["content"] / 1e9, 1e-3)
for words in ("zoom       36 x 24 x 6 cells of 500 m", "3 steps of 60 s in each step", "file       zoom/island.nc: eta, every 360 s", "the ground in the zoom reaches down to", "flows into the zoom",
              "on one process of this machine"):
    cases.equal(f"check says: {words}", words in told, True)
Path("left/zoom").mkdir(parents=True, exist_ok=True)
Path("left/zoom/island.nc").touch()
told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios" / f"{BAY}.json"), "--set", "/output_folder=left"], capture_output=True, text=True).stdout
cases.equal("check sees results of the finer grid alone", '"left/zoom/island.nc" already exists' in told, True)
cases.equal("the last line of a run names the files of both", re.search(r"plot \S+bay.nc \S+zoom/island.nc", run.message) is not None, True)

# what the finer grid cannot pass on is refused: a seam that falls dry, land where the sea around has water
for name, settings, words in (
    ("a dry seam", {"/grid/flood_to_m": 2, "/initial/eta_m": "x > 30000 ? -8.5 : 0"}, "the sea runs dry where the zoom begins"),
    ("land", {"/zoom/bathymetry/bed_m": "x < 22000 && y < 9000 ? 5 : -9"}, "the zoom begins with land"),
    ("too near", {"/zoom/box": [3000, 39000, 6000, 18000]}, "less than 4 cells from an edge"),
    ("a line through the box", {"/boundaries/0/edge": "line", "/boundaries/0/line": [[36100, -1], [36100, 1e6]]}, "goes through /zoom/box"),
    ("outside", {"/zoom/box": [0, 39000, 6000, 18000]}, "the box [0, 39000, 6000, 18000] must lie inside the grid, which is [0, 48000, 0, 24000] (west, east, south, north in metres)"),
    ("a station of its own", {"/zoom/output/0": {"every_s": 360, "stations": {"a": [1, 2]}}}, "(zoom): /zoom/output/0/stations/a: the station"),
    ("a sponge", {"/boundaries/0/sponge": {"width_m": 30000}}, "reaches into the sponge")):
    run = cases.run(BAY, {**SHORT, **settings}, may_fail=True)
    cases.equal(f"{name} is refused", (run.code != 0, words in run.message), (True, True))
cases.finish()
