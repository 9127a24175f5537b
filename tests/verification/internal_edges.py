# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Open boundaries of stratified seas: the salt outside comes in and returns after a flood; internal waves leave."""

import json
from pathlib import Path

import cases
import netCDF4
import numpy as np

KINDS = {"elevation": {"eta_m": 0}, "flather": {"eta_m": 0}, "chapman": {"eta_m": 0}, "radiation": {"eta_m": 0},
         "velocity": {"velocity_m_s": 0}, "discharge": {"discharge_m3_s": 0}}


def run(label, scenario, **how):
    path = Path.cwd() / f"{label}.json"
    path.write_text(json.dumps(scenario))
    return cases.run(path, label=f"{label}_run", **how)


# ---- a basin of 10 km beside the sea: fresh at first, or after a flood ----

SEA = {"name": "sea", "edge": "west", "salinity": 30}
MOUTH = {"grid": {"kind": "cartesian", "length_x_m": 10000, "length_y_m": 400, "dx_m": 200, "levels": {"bottom_m": -10, "dz_m": 1}},
         "bathymetry": {"bed_m": -10}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 86400, "step_s": 60},
         "physics": {"density": {"equation": "linear", "reference_kg_m3": 1000, "reference_salinity": 0, "contraction_kg_g": 0.00077},
                     "drag": {"law": "constant", "cd": 0.0018}, "coriolis": "none"},
         "initial": {"salinity": 0}, "output": [{"every_s": 21600, "variables": ["salinity", "eta"]}]}


def at_mouth(label, boundary, **changes):
    result = run(label, {**MOUTH, "boundaries": [{**SEA, **boundary}], **changes})
    cases.conserves(result, 1e-12)
    fields = result.fields()
    return fields["salinity"][-1, :, :, 0].mean(), fields["eta"][1].mean()


# two layers have no second mode; what round-off leaves in its place must not drive a flow without a mean of zero
leak = run("one_mode", {**MOUTH, "grid": {"kind": "cartesian", "length_x_m": 8000, "length_y_m": 1000, "dx_m": 1000, "levels": {"bottom_m": -20, "dz_m": 4}},
                        "bathymetry": {"bed_m": -20}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 120000, "step_s": 4000},
                        "initial": {"salinity": "30+0.5*z"}, "boundaries": [{**SEA, "kind": "flather", "eta_m": 0}], "output": [],
                        "allow": ["values", "scales"]})
salt = [step["tracers"]["salinity"] for step in leak.log]
cases.below("error of the salt's budget, of the content", max(abs(step["error"] / step["content"]) for step in salt), 1e-14)

found = {kind: at_mouth(kind, {"kind": kind, **given}) for kind, given in KINDS.items()}
for kind, (salt, _) in found.items():
    cases.below(f"{kind}: what the mouth lacks of 30 g/kg after a day", 30 - salt, 1.75)
cases.below("flather that changes in an hour: the same", 30 - at_mouth("slow", {"kind": "flather", "eta_m": 0, "inflow_relaxation_s": 3600})[0], 2.2)
cases.below("flather: the level of the lighter water inside after six hours, beside that with elevation [m]", abs(found["flather"][1] - found["elevation"][1]), 0.015)

flood = {"initial": {"salinity": 30}, "time": {**MOUTH["time"], "duration_s": 129600}, "output": [{"every_s": 32400, "variables": ["salinity"]}],
         "rivers": [{"name": "flood", "x_m": 9900, "y_m": 100, "discharge_m3_s": "8000*(t < 36000)"}]}
result = run("flood", {**MOUTH, "boundaries": [{**SEA, "kind": "flather", "eta_m": 0}], **flood})
salt = result.fields()["salinity"][:, :, :, 0].mean(axis=(1, 2))
cases.below("flood: the mouth at its end", salt[1], 1)
cases.below("flood: what the mouth lacks 26 hours later", 30 - salt[-1], 1.8)

# ---- internal waves of the first two modes ----

DEEP, CONTRACTION = 50.0, 1e-3
N2, LENGTH = 4e-4, 20e3  # [s-2], [m]
RISE = N2 / 9.81 / CONTRACTION  # of the salinity, downwards [m-1]
HEIGHT = 0.5  # [m]


def outside():
    """The water at rest, as a file."""
    with netCDF4.Dataset("rest.nc", "w") as data:
        for axis, values, unit in (("time", [0, 1e6], "seconds since 2000-01-01"), ("z", [-60, 10], "m"), ("y", [-1e5, 1e5], "m"), ("x", [-1e5, 1e5], "m")):
            data.createDimension(axis, len(values))
            data.createVariable(axis, "f8", (axis,))[:] = values
            data[axis].units = unit
        data.createVariable("salinity", "f8", ("time", "z", "y", "x")).units = "1"
        data["salinity"][:] = (10 - RISE * data["z"][:])[None, :, None, None]
        for velocity in ("u", "v"):
            data.createVariable(velocity, "f8", ("time", "z", "y", "x")).units = "m/s"
            data[velocity][:] = 0
    return str(Path.cwd() / "rest.nc")


def left(label, mode, kind, **more):
    wave = f"{HEIGHT}*sin({mode * np.pi / DEEP}*(z + {DEEP}))*exp(-x^2/2880000)"
    duration = 60000 * mode
    boundaries = [{"name": edge, "edge": edge, "kind": kind, **KINDS[kind], **more} for edge in ("west", "east")]
    result = run(label, {
        "grid": {"kind": "cartesian", "x0_m": -LENGTH / 2, "length_x_m": LENGTH, "length_y_m": 400, "dx_m": 200, "levels": {"bottom_m": -DEEP, "dz_m": 2.5}},
        "bathymetry": {"bed_m": -DEEP}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": duration, "step_s": 100},
        "physics": {"density": {"equation": "linear", "reference_salinity": 10, "contraction_kg_g": CONTRACTION},
                    "turbulence": {"closure": "constant", "viscosity_m2_s": 0}, "drag": {"law": "none"}, "coriolis": "none"},
        "initial": {"salinity": f"10 - {RISE}*(z - {wave})"}, "boundaries": boundaries,
        "output": [{"every_s": duration, "variables": ["salinity", "u"], "velocities": "faces"}]})
    fields = result.fields()
    z = -DEEP + 2.5 * (np.arange(20) + 0.5)
    risen = (fields["salinity"][:, :, 0] - (10 - RISE * z)[None, :, None]) / RISE
    energy = 0.5 * N2 * np.sum(risen**2, axis=(1, 2)) + 0.5 * np.nansum(fields["u"][:, :, 0] ** 2, axis=(1, 2))
    return energy[-1] / energy[0]


for mode in (1, 2):
    for kind in ("flather", "chapman", "radiation") if cases.THOROUGH or mode == 1 else ("radiation",):
        cases.below(f"mode {mode}, {kind}: energy that came back", left(f"wave_{mode}_{kind}", mode, kind), 0.006)
    rest = outside()
    cases.below(f"mode {mode}, flather, the water outside known", left(f"known_{mode}", mode, "flather", salinity={"file": rest}), 0.0015)
    cases.below(f"mode {mode}, flather, and its currents", left(f"still_{mode}", mode, "flather", file=rest), 0.0015)
cases.finish()
