# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""A fine grid inside a coarse run, against the same fine grid over all of the sea: a tidal bay with a salt front."""

import json
import sys
from pathlib import Path

import cases
import numpy as np

LONG, WIDE, SEAM = 48e3, 12e3, 24e3
BAY = {"bathymetry": {"bed_m": "-7 + 3*x/48000 - cos(y/2000)"},
       "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 21600, "step_s": 60},
       "physics": {"density": {"equation": "linear"}, "turbulence": {"closure": "constant", "viscosity_m2_s": 1e-3}, "coriolis": {"f_s": 1e-4}}}
LEVELS = {"bottom_m": -8, "dz_m": 2}
SALT = "20 - 10/(1 + exp((30000 - x)/3000)) - z/8"
MOUTH = [{"name": "sea", "edge": "west", "kind": "elevation", "eta_m": "0.3*sin(2*pi*(t - x/7.5)/21600)", "salinity": 20}]
VARIABLES = ["eta", "u_east", "v_north", "salinity"]


def run(label, dx, x0, every, changes, folder=None, **how):
    grid = {"kind": "cartesian", "x0_m": x0, "length_x_m": LONG - x0, "length_y_m": WIDE, "dx_m": dx, "levels": LEVELS}
    path = Path.cwd() / f"{label}.json"
    path.write_text(json.dumps({**BAY, "grid": grid, "output": [{"file": f"{label}.nc", "every_s": every, "variables": VARIABLES}], **changes}))
    return cases.run(path, label=folder or f"{label}_run", **how)


whole = {"initial": {"salinity": SALT}, "boundaries": MOUTH}
coarse = run("coarse", 2000, 0, 600, whole)
inside = {"nest": str(coarse.folder / "results/coarse/coarse.nc")}


def compare():
    fine = run("fine", 500, 0, 1200, whole)
    nested = run("nested", 500, SEAM, 1200, inside)
    cases.conserves(nested, 1e-12)

    # errors against the fine grid over all of the sea, at the seam (the first two columns of cells) and inside; of the nested run and of the coarse one
    there = {name: fine.read("fine.nc")[name][..., 48:] for name in VARIABLES}
    seen = nested.read("nested.nc")
    raw = coarse.read("coarse.nc")
    rough = {name: np.repeat(np.repeat(raw[name][::2, ..., 12:], 4, -2), 4, -1) for name in VARIABLES}
    print(f"{'':12}{'':8}{'seam, nested':>14}{'inside, nested':>16}{'seam, coarse':>14}{'inside, coarse':>16}")
    found = {}
    for name in ("eta", "u_east", "salinity"):
        errors = []
        for values in (seen, rough):
            wrong = values[name] - there[name]
            errors += [np.sqrt(np.nanmean(wrong[..., :2] ** 2)), np.sqrt(np.nanmean(wrong[..., 4:] ** 2))]
        found[name] = errors
        print(f"{name:12}{'rms':8}{errors[0]:14.2e}{errors[1]:16.2e}{errors[2]:14.2e}{errors[3]:16.2e}")
    cases.below("level at the seam and inside [m]", max(found["eta"][:2]), 0.003)
    cases.below("velocity at the seam and inside [m/s]", max(found["u_east"][:2]), 0.0126)
    cases.below("salinity at the seam and inside", max(found["salinity"][:2]), 0.0403)
    cases.below("inside, of the error of the coarse run: velocity", found["u_east"][1] / found["u_east"][3], 0.22)
    cases.below("inside, of the error of the coarse run: salinity", found["salinity"][1] / found["salinity"][3], 0.084)
    before = nested.read("nested.nc")["salinity"][0]
    cases.below("salinity at the start: as in the coarse run", np.nanmax(np.abs(before - there["salinity"][0])), 0.3)


if "--all" in sys.argv:
    compare()

# bits on any number of ranks, on a shuffled device, after a restart
short = {**inside, "time": {**BAY["time"], "duration_s": 1200}}
one = run("one", 500, SEAM, 1200, short)
for ranks, options in ((2, ()), (3, ()), (0, ("--set", "/solver/device=emu"))):
    cases.equal(f"digest, {ranks} ranks {options}", run("more", 500, SEAM, 1200, short, ranks=ranks, options=options).digest, one.digest)
kept = {**short, "restart": {"at_end": True}}
first = run("kept", 500, SEAM, 1200, kept, options=("--steps", "7"))
again = run("kept", 500, SEAM, 1200, kept, folder="again", options=("--restart", str(sorted(first.folder.glob("**/*restart*.nc"))[-1])))
cases.equal("digest after a restart", again.digest, one.digest)

# walls of the coarse run stay walls: its closed edges, and land beyond the seam (a third of it, all of it)
cases.equal("walls: told", "120 of 144 wet cells along the edges stay closed" in one.message, True)
for label, where, code, words in (("third", "x < 24000 && y < 4000 && x > 10000", 0, "128 of 144 wet cells along the edges stay closed"),
                                  ("all", "x > 10000", 2, "meets only walls of the coarser run")):
    ground = {"bathymetry": {"bed_m": f"{where} ? 3 : {BAY['bathymetry']['bed_m']}"}, "time": {**BAY["time"], "duration_s": 1200}}
    shore = run(f"shore_{label}", 2000, 0, 600, {**whole, **ground})
    nest = run(f"in_{label}", 500, SEAM, 1200, {**short, "nest": str(shore.folder / f"results/shore_{label}/shore_{label}.nc")}, may_fail=True)
    cases.equal(f"walls: {words}", (nest.code, words in nest.message), (code, True))

# velocities of the coarse run under either name, and on faces
for where, same in (("centres", True), ("faces", False)):
    named = run(f"named_{where}", 2000, 0, 600, {**whole, "output": [{"file": f"named_{where}.nc", "every_s": 600, "velocities": where, "variables": ["eta", "u", "v", "salinity"]}]})
    other = run(f"in_{where}", 500, SEAM, 1200, {**short, "nest": str(named.folder / f"results/named_{where}/named_{where}.nc")})
    cases.equal(f"u and v at {where}: the digest of u_east and v_north", other.digest == one.digest, same)
    u = [r.read(f"{name}.nc")["u_east"][-1] for r, name in ((other, f"in_{where}"), (one, "one"))]
    cases.below(f"u and v at {where}: velocities differ by [m/s]", np.nanmax(np.abs(u[0] - u[1])), 0 if same else 0.002)

# ground inside cells, which varies along the seam: as much water flows into the nest as through the coarse run there, with ground inside its own cells and without
uneven = {**whole, "bathymetry": {"bed_m": "-7 - 3*cos(y/2000)", "subgrid": True, "pixels": 4}, "physics": {"coriolis": {"f_s": 0}}, "time": {**BAY["time"], "duration_s": 7200}}
uneven["grid"] = {"kind": "cartesian", "x0_m": 0, "length_x_m": LONG, "length_y_m": WIDE, "dx_m": 2000, "levels": {"bottom_m": -10, "dz_m": 10}}
depths = {"file": "uneven.nc", "every_s": 7200, "variables": ["eta", "depth", "u_east"]}
around = run("uneven", 2000, 0, 600, {**uneven, "output": [{**depths, "every_s": 600}]})
volume = around.read("uneven.nc")["depth"][::12, :, 12:].sum((1, 2)) * 2000**2
for inside_too in (True, False):
    nested = run("in_uneven", 500, SEAM, 7200, {**uneven, "initial": {}, "boundaries": [], "nest": str(around.folder / "results/uneven/uneven.nc"), "output": [depths],
                 "bathymetry": {**uneven["bathymetry"], **({} if inside_too else {"subgrid": False})}, "grid": {**uneven["grid"], "x0_m": SEAM, "length_x_m": LONG - SEAM, "dx_m": 500}})
    filled = nested.read("uneven.nc")["depth"].sum((1, 2)) * 500**2
    cases.below(f"ground inside cells, of the nest, too: {inside_too}: what flows in, of the coarse run's", abs(np.diff(filled)[0] / np.diff(volume)[0] - 1), 1e-4 if inside_too else 0.035)

# what the coarse run does not hold is left out
dull = run("dull", 2000, 0, 600, {**whole, "output": [{"file": "dull.nc", "every_s": 600, "variables": ["eta", "ubar", "vbar"]}]})
flat = run("flat", 500, SEAM, 1200, {"nest": str(dull.folder / "results/dull/dull.nc"), "physics": {},
                                     "output": [{"file": "flat.nc", "every_s": 1200, "variables": ["eta", "ubar"]}]}, options=("--steps", "3"))
cases.equal("no salinity in the coarse run, none here", "salinity" in flat.log[-1].get("tracers", {}), False)
refused = run("refused", 500, SEAM, 1200, {"nest": str(dull.folder / "results/dull/dull.nc")}, may_fail=True)
cases.equal("the density needs salt", refused.code == 2 and "neither temperature nor salinity" in refused.message, True)
cases.finish()
