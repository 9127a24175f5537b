# SPDX-License-Identifier: Apache-2.0
"""Seas of random ground that pumps empty in long steps, without drag: no water is faster than its fall allows, and the account of salt closes. A steady stream that
passes two cells in a step keeps Manning's speed."""

import itertools
import json
import random
from pathlib import Path

import cases
import numpy as np

G, DX, LOW = 9.81, 10.0, -4.0


def sea(seed, steps=30):
    r = random.Random(seed)
    nx, ny = r.randint(10, 20), r.randint(8, 12)
    lx, ly = nx * DX, ny * DX
    bed = r.choice([
        f"{LOW} + {r.uniform(0.02, 0.15):.3f}*abs(x - {r.uniform(20, lx - 20):.1f})",
        f"{LOW} + {r.uniform(0.01, 0.08):.3f}*abs(x - {r.uniform(20, lx - 20):.1f}) + {r.uniform(0.01, 0.08):.3f}*abs(y - {r.uniform(20, ly - 20):.1f})",
        f"{LOW} + {r.uniform(0.1, 3):.3f}*(cos(pi*x/{r.uniform(5, 25):.1f})*cos(pi*y/{r.uniform(5, 25):.1f}))^2",
        f"max(sin(pi*x/{r.uniform(4, 9):.1f}), sin(pi*y/{r.uniform(4, 9):.1f})) > 0 ? {LOW} : {r.uniform(-1, 1.5):.2f}",
    ])
    step, layers = r.choice([20, 60, 150]), r.choice([1, 4])
    spot = [lambda: round(r.uniform(5, lx - 5), 1), lambda: round(r.uniform(5, ly - 5), 1)]
    pumps = [{"name": f"pump{n}", "kind": "pump", "line": [[at() for at in spot] for _ in range(2)], "pump": {"capacity_m3_s": r.choice([5, 50])}} for n in range(2)]
    levels = {"kind": "bed-following", "bottom_m": LOW, "layers": layers, "thinnest_m": 0} if layers > 1 else {"bottom_m": LOW, "dz_m": -LOW}
    inside = r.random() < 0.7
    return bed, {
        "/grid": {"kind": "cartesian", "length_x_m": lx, "length_y_m": ly, "dx_m": DX, "flood_to_m": 6, "levels": levels},
        "/bathymetry": {"bed_m": bed, "keep": "all", **({"subgrid": True, "pixels": 8} if inside else {})}, "/structures": pumps,
        "/time/step_s": step, "/time/duration_s": steps * step, "/initial/eta_m": f"x < {lx / 2:.0f} ? {r.uniform(-2, 0):.2f} : {r.uniform(-3, -1):.2f}",
        "/initial/salinity": f"5 + 10*x/{lx}", "/forcing/rain": {"mm_h": r.choice([0, 30, 290])}, "/physics/free_surface/theta": r.choice([0.55, 1]),
        "/allow": ["scales"], "/output": [{"every_s": step, "variables": ["eta"]}]}


def fall(bed, settings, run):
    """From the highest level that there was, or the highest ground that rain runs off, to the lowest ground. [m]"""
    grid = settings["/grid"]
    x, y = np.meshgrid(*(np.arange(0.625, grid[f"length_{axis}_m"], 1.25) for axis in "xy"))
    condition, _, choice = bed.replace("^", "**").partition(" ? ")
    wet, _, dry = choice.partition(" : ")
    known = {"x": x, "y": y, "pi": np.pi, "sin": np.sin, "cos": np.cos, "abs": np.abs, "max": np.maximum}
    ground = np.where(eval(condition, known), float(wet), float(dry)) if choice else eval(condition, known)
    rains = settings["/forcing/rain"]["mm_h"] > 0
    return max(np.nanmax(run.fields()["eta"]), ground.max() if rains else -np.inf) - ground.min()


SOME = ((1, "tvd", 5), (186, "tvd", 5), (11, "tvd", 30), (27, "tvd", 30), (29, "tvd", 30), (46, "tvd", 30), (104, "tvd", 30), (27, "none", 10))
for seed, advection, steps in itertools.product(range(200), ("tvd", "none"), (30,)) if cases.THOROUGH else SOME:
    bed, settings = sea(seed, steps)
    settings["/physics/momentum/advection"] = advection
    run = cases.run("verification/culvert", settings, label=f"sea{seed}", may_fail=True)
    if run.code == 2:
        continue
    cases.equal(f"sea {seed}: exit code", run.code, 0)
    content = run.log[0]["tracers"]["salinity"]["content"]
    cases.below(f"sea {seed}, advection {advection}: speed over that of its fall", run.column("max_speed_m_s").max() / np.sqrt(2 * G * fall(bed, settings, run)), 1.0)
    cases.below(f"sea {seed}, advection {advection}: account of salt", max(abs(line["tracers"]["salinity"]["error"]) for line in run.log) / content, 1e-12)

# storms over terraces that have nearly run dry: so little stores water that a system of the level is solved by none but infinite numbers
# (in a half of such seas; in which, rounding decides)
GROUND = "0.0625*rint(9.6*((0.4317*(x - 9500) + 0.902*(y - 7750))/11091.58 + 0.3*sin(x/1500)*cos(y/2000))) + 0.025*sin(x/150.21)*sin(y/205.55)"
TERRACES = {
    "title": "Terraces", "grid": {"kind": "cartesian", "length_x_m": 19000, "length_y_m": 15500, "dx_m": 500, "flood_to_m": 0.16, "levels": {"interfaces_m": [-2.5, -0.4, -0.2, 0]}},
    "bathymetry": {"bed_m": GROUND, "keep": "all", "subgrid": True, "pixels": 2, "dikes": [{"line": [[14172.959404269399, 15.5], [13039.432092841267, 15484.5]], "crest_m": 0.063}]},
    "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 169000, "step_s": 1300}, "initial": {"eta_m": "x < 11260.88 ? 0.311 : -2.5"},
    "physics": {"drag": {"law": "manning", "n": 0.01}, "free_surface": {"theta": 0.55}, "momentum": {"advection": "upwind"}}, "output": [],
    "rivers": [{"name": "river", "x_m": 10274.86592743833, "y_m": 10717.120134327744, "discharge_m3_s": 75}], "forcing": {"wind": {"speed_m_s": 25, "from_deg": 194.0485434993674}}}
Path("terraces.json").write_text(json.dumps(TERRACES))
for speed in (22, 25, 28):
    storm = cases.run(Path("terraces.json").resolve(), {"/forcing/wind/speed_m_s": speed})
    cases.below(f"a storm of {speed} m/s over terraces: speed [m/s]", storm.column("max_speed_m_s").max(), 2)
    cases.conserves(storm, 1e-13)

# a current over a sill, without advection: the same in steps of half a cell and of two
SILL = {"/grid": {"kind": "cartesian", "length_x_m": 400, "length_y_m": 30, "dx_m": DX, "levels": {"bottom_m": -4, "dz_m": 4}}, "/bathymetry": {"bed_m": "-2.5 + exp(-((x - 200)/40)^2)", "keep": "all"},
        "/structures": [], "/physics/momentum/advection": "none", "/physics/drag": {"law": "manning", "n": 0.025}, "/initial/eta_m": 0, "/time/duration_s": 3600,
        "/boundaries": [{"name": name, "edge": name, "kind": "elevation", "eta_m": level} for name, level in (("west", 0.3), ("east", 0))], "/output": [{"every_s": 3600, "variables": ["eta"]}]}
slow, quick = (cases.run("verification/culvert", {**SILL, "/time/step_s": step}, label=f"sill{step}").fields()["eta"][-1] for step in (2, 10))
cases.below("levels over a sill, in steps of 10 s beside steps of 2 s [m]", np.max(np.abs(quick - slow)), 1e-3)
DEPTH, SLOPE, MANNING = 5.0, 1e-4, 0.025
stream = cases.run("verification/culvert", {
    "/grid": {"kind": "cartesian", "length_x_m": 400, "length_y_m": 50, "dx_m": 12.5, "levels": {"bottom_m": -6, "dz_m": 6}}, "/bathymetry": {"bed_m": f"-{DEPTH} + {SLOPE}*(400 - x)"},
    "/initial/eta_m": f"{SLOPE}*(400 - x)", "/physics/drag": {"law": "manning", "n": MANNING}, "/structures": [], "/rivers": [], "/time/step_s": 20, "/time/duration_s": 7200, "/output": [],
    "/boundaries": [{"name": edge, "edge": edge, "kind": "elevation", "eta_m": level, "tide_ramp_s": 0} for edge, level in (("west", SLOPE * 400), ("east", 0))]}, label="stream")
cases.close("speed of a steady stream that passes two cells in a step [m/s]", stream.column("max_speed_m_s")[-1], np.sqrt(SLOPE) * DEPTH ** (2 / 3) / MANNING, 0.02)
cases.finish()
