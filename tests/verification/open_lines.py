# SPDX-License-Identifier: Apache-2.0
"""Open boundaries along lines inside the grid: along a row of faces as at an edge; oblique ones let waves out as edges do; lines
around whose ends water passes, or that meet none, are refused."""

import json
import math
import subprocess
from pathlib import Path

import cases
import numpy as np

PULSE = "verification/flather_pulse"


def line(points, **keys):
    return {"name": "line", "edge": "line", "line": points, "kind": "flather", "eta_m": 0, **keys}


def energy(fields, record):
    eta, u, v = (fields[name][record] for name in ("eta", "ubar", "vbar"))
    return np.nansum(9.81 * eta**2 + 10 * (u**2 + v**2))


# a channel that ends at a line along faces is one that ends there
west = {"name": "west", "edge": "west", "kind": "flather", "eta_m": 0}
water = {"salinity": 3, "temperature_C": 4, "inflow_relaxation_s": 300}
layered = {
    "/time/duration_s": 4000, "/grid/dx_m": 1000, "/grid/levels": {"bottom_m": -10, "dz_m": 2}, "/bathymetry/bed_m": "-8+sin(x/9000)",
    "/physics/density": {"equation": "linear"}, "/physics/coriolis": {"f_s": 1e-4}, "/physics/momentum/advection": "tvd",
    "/initial/salinity": "5-z/9+x/1e5", "/initial/temperature_C": 9, "/output/0/velocities": "faces", "/output/0/variables": ["eta", "u", "v", "salinity"]}
for kind, keys in (("flather", {"eta_m": "0.02*sin(t/900)", "sponge": {"width_m": 9000, "time_s": 300}, "relaxation_zone": {"cells": 6, "time_s": 1200}}),
                   ("elevation", {"eta_m": "0.02*sin(t/900)"}), ("elevation", {"eta_m": 0, "layers": "bed-following"}), ("chapman", {"relaxation": {"out_s": 9000}}), ("radiation", {}),
                   ("velocity", {"velocity_m_s": "0.05*sin(t/900)"}), ("discharge", {"discharge_m3_s": "900*sin(t/900)"})):
    layered["/grid/levels"]["kind"] = keys.pop("layers", "fixed-heights")
    end = {"name": "end", "kind": kind, **water, **keys}
    edge = cases.run(PULSE, {**layered, "/grid/length_x_m": 60000, "/boundaries": [west, {**end, "edge": "east"}]}).fields()
    run = cases.run(PULSE, {**layered, "/grid/length_x_m": 90000, "/boundaries": [west, {**end, "edge": "line", "line": [[60000, -1], [60000, 9e3]]}]})
    cases.conserves(run)
    for name in ("eta", "u", "v", "salinity"):
        along = run.fields()[name][..., :edge[name].shape[-1]]
        # the profile nearest to the stratification along the bed comes from sums whose last digit depends on the grid's size
        cases.below(f"{kind} along a row of faces, {name}: what differs from that at an edge", np.nanmax(np.abs(edge[name] - along)),
                    1e-6 if name == "salinity" else 2e-6 if layered["/grid/levels"]["kind"] == "bed-following" else 1e-9)

# a ring of many directions, whose staircase has corners: what is left of a pulse from its middle, beside a sea without end (0.19 %)
ring = [[50000 + 45000 * math.cos(n * math.pi / 16), 50000 + 45000 * math.sin(n * math.pi / 16)] for n in range(32)]
for kind, limit in (("flather", 0.0066), ("chapman", 0.0027)):
    run = cases.run(PULSE, {
        "/grid/length_y_m": 100000, "/grid/dx_m": 1000, "/time/duration_s": 9000, "/time/step_s": 50,
        "/initial": {"eta_m": "0.1*exp(-((x-50000)^2+(y-50000)^2)/8000^2)"}, "/boundaries": [line([*ring, ring[0]], kind=kind)],
        "/output": [{"every_s": 1500, "variables": ["eta", "ubar", "vbar"]}]})
    cases.conserves(run)
    fields = run.fields()
    cases.below(f"{kind} along a ring: energy left of a pulse", energy(fields, -1) / energy(fields, 0), limit)
    cases.close(f"{kind} along a ring: cells inside", np.isfinite(fields["eta"][0]).sum(), 16 * 45**2 * math.sin(2 * math.pi / 32), 0.002)

# a channel turned by 45 degrees, a pulse along it, and a wave let in at one end by its level and velocity that leaves at the other
turned = {"/grid/length_x_m": 80000, "/grid/length_y_m": 80000, "/grid/dx_m": 1000, "/bathymetry/bed_m": "abs(x-y) < 12000 ? -10 : 5",
          "/bathymetry/keep_point": [40000, 40000], "/time/step_s": 50}
ends = [line([[-5000, 25000], [25000, -5000]], name="begin"), line([[55000, 85000], [85000, 55000]], name="end")]
shape = "0.1*exp(-(((x+y)/sqrt(2)-55000)/8000)^2)"
run = cases.run(PULSE, {**turned, "/initial": {"eta_m": shape, "u_m_s": f"sqrt(0.981/2)*{shape}", "v_m_s": f"sqrt(0.981/2)*{shape}"},
                        "/boundaries": ends, "/output": [{"every_s": 1000, "variables": ["eta", "ubar", "vbar"]}]})
cases.conserves(run)
fields = run.fields()
cases.below("channel turned by 45 degrees: energy that came back", energy(fields, -1) / energy(fields, 0), 0.0009)
wave = "0.005*sin(2*pi*t/7200)*min(1,t/7200)"
run = cases.run(PULSE, {**turned, "/initial": {"eta_m": 0}, "/time/duration_s": 36000,
                        "/boundaries": [{**ends[0], "eta_m": wave, "velocity_m_s": f"sqrt(0.981)*{wave}"}, ends[1]],
                        "/output": [{"stations": {"middle": [40000, 40000]}, "every_s": 200, "variables": ["eta"]}]})
cases.conserves(run)
series = run.stations()
late = series["time"] > 20000
_, amplitude, _ = cases.fit_wave(series["time"][late], series["eta"][late, 0], 2 * np.pi / 7200)
cases.close("wave let in through an oblique line: amplitude", amplitude, 0.005, 0.031)  # of which 3 % come back from the other end

# a child in a parent with the same cells, as far as a bent line
BAY = {"grid": {"kind": "cartesian", "length_x_m": 40000, "length_y_m": 30000, "dx_m": 1000, "levels": {"bottom_m": -16, "dz_m": 4}},
       "bathymetry": {"bed_m": "-12+4*sin(x/1700)*cos(y/1300)", "keep_point": [35000, 15000]},
       "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 21600, "step_s": 120},
       "physics": {"drag": {"law": "constant", "cd": 0.0027}, "density": {"equation": "linear"}, "coriolis": {"f_s": 1e-4}, "turbulence": {"closure": "constant", "viscosity_m2_s": 1e-3}},
       "output": [{"file": "all.nc", "every_s": 600, "variables": ["eta", "u_east", "v_north", "salinity"]}]}


def bay(label, changes):
    path = Path.cwd() / f"{label}.json"
    path.write_text(json.dumps({**BAY, **changes}))
    run = cases.run(path, label=f"{label}_run")
    cases.conserves(run)
    return run


parent = bay("parent", {"initial": {"salinity": "28-z/8+x/2e4"}, "boundaries": [
    {"name": "sea", "edge": "west", "kind": "flather", "salinity": 30, "tide_ramp_s": 7200,
     "tide": [{"period_s": 21600, "amplitude_m": 0.3, "velocity_amplitude_m_s": 0.27}]}]})
bent = [[12000, -1000], [12000, 9000], [20000, 15000], [12000, 21000], [12000, 31000]]
child = bay("child", {"nest": str(next(parent.folder.glob("**/all.nc"))), "boundaries": [{"name": "nest", "edge": "line", "line": bent, "kind": "flather"}]})
for name, limit in (("eta", 0.00045), ("u_east", 0.0012), ("v_north", 0.0006), ("salinity", 0.0013)):
    wrong = child.read("all.nc")[name] - parent.read("all.nc")[name]
    cases.below(f"nest as far as a bent line, {name}: rms", np.sqrt(np.nanmean(wrong[1:] ** 2)), limit)

# what cannot be meant
for name, points, words in (("in the water", [[40000, -1], [40000, 1600]], "its end (40000, 1600) lies in the water"),
                            ("across a periodic sea", [[60000, -1], [60000, 9e4]], "is connected the other way round"),
                            ("outside", [[40000, 4000], [90000, 4000]], "lies outside the grid"), ("of one point", [[1, 1]], "two points or more")):
    told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/flather_pulse.json"), "--set",
                           f"/boundaries={json.dumps([line(points)])}", "--set", f"/grid/periodic={json.dumps(['x'] if 'periodic' in name else [])}"], capture_output=True, text=True)
    cases.equal(f"a line {name} is refused", (told.returncode, words in " ".join(told.stderr.split())), (2, True))
cases.finish()
