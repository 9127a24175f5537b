# SPDX-License-Identifier: Apache-2.0
"""What meets layers along the bed, over a slope and beside exact values of each column: settling, light, nudging, Stokes drift, rivers,
boundaries and nests."""

import json
import re
import subprocess
from pathlib import Path

import cases
import numpy as np

STEPS, STEP = 10, 60.0
BOX = {"grid": {"kind": "cartesian", "length_x_m": 8000, "length_y_m": 1500, "dx_m": 500},
       "bathymetry": {"bed_m": "-9 + x/1250 + cos(y/400)"}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": STEPS * STEP, "step_s": STEP},
       "physics": {"density": {"equation": "constant"}, "turbulence": {"closure": "constant", "viscosity_m2_s": 0}}}
KINDS = {"bed-following": {"kind": "bed-following", "bottom_m": -10, "layers": 8, "towards_bed": 1},
         "merged": {"kind": "bed-following", "bottom_m": -10, "layers": 8, "thinnest_m": 0.8},
         "hybrid": {"kind": "hybrid", "bottom_m": -10, "dz_m": 1, "fixed_above_m": -4}}
LINEAR = "20 + z/2"
FINE = {"kind": "cartesian", "x0_m": 2000, "length_x_m": 6000, "length_y_m": 1500, "dx_m": 250}


def run(levels, variables, **changes):
    path = Path.cwd() / "box.json"
    scenario = {**BOX, "grid": {**BOX["grid"], "levels": levels}, "output": [{"file": "all.nc", "every_s": STEPS * STEP, "variables": variables}], **changes}
    path.write_text(json.dumps(scenario))
    return cases.run(path)


def sides(data):
    """Upper and lower sides of layers in water at rest, and which of them are there; from the lowest layer up."""
    share, bed = np.nan_to_num(data["layer_share"]), data["bed"]
    lower = bed + (np.cumsum(share, axis=0) - share) * -bed
    return lower + share * -bed, lower, share > 0


def off(found, exact, there):
    return np.max(np.abs(found - exact)[there])


def known(data):
    """Between which heights all columns around each one have middles of layers."""
    upper, lower, there = sides(data)
    middle = 0.5 * (upper + lower)
    ends = np.where(there, middle, np.inf).min(0), -np.where(there, middle, -np.inf).max(0)
    rows, columns = ends[0].shape
    around = [np.max([np.pad(end, 1, mode="edge")[j:j + rows, i:i + columns] for j in range(3) for i in range(3)], axis=0) for end in ends]
    return around[0], -around[1]


def settled(upper, lower, there, speed, initial, through_bed):
    """By the steps' own equations, which are implicit, column by column from the surface down."""
    lowest = (np.cumsum(there, axis=0) == 1) & there
    c = np.where(there, initial, 0.0)
    for _ in range(STEPS):
        above = np.zeros(c.shape[1:])
        for k in reversed(range(len(c))):
            drop = np.where(there[k], speed * STEP / np.where(there[k], upper[k] - lower[k], 1), 0)
            c[k] = np.where(there[k], (c[k] + drop * above) / (1 + np.where(lowest[k] & (not through_bed), 0, drop)), 0)
            above = np.where(there[k], c[k], above)
    return c


def column_of(waves, depth):
    frequency = 2 * np.pi / (0.834 * waves["peak_period_s"])
    low, high = 1e-6, 100.0
    for _ in range(100):
        k = 0.5 * (low + high)
        low, high = (k, high) if 9.81 * k * np.tanh(k * depth) < frequency**2 else (low, k)
    return k, 9.81 * waves["height_m"] ** 2 / 16 * k / frequency


for name, levels in KINDS.items():
    still = run(levels, ["temperature", "sand", "dye", "mud"],
                initial={"temperature_C": 15}, tracers=[{"name": "sand", "initial": 2, "settling_m_s": 0.002}, {"name": "dye", "initial": 3},
                                                         {"name": "mud", "kind": "suspended", "initial": 0.5, "settling_m_s": 0.001}],
                nudging=[{"variable": "dye", "to": LINEAR, "time_s": 500}],
                forcing={"heat": {"shortwave_W_m2": 300, "net_W_m2": 0, "capacity_J_kg_K": 4000, "water_type": "II"}})
    data = still.read("all.nc")
    upper, lower, there = sides(data)
    middle, thick = 0.5 * (upper + lower), np.where(there, upper - lower, 1)
    cases.below(f"{name}: settling in each column", off(data["sand"][-1], settled(upper, lower, there, 0.002, 2.0, False), there), 2e-6)
    cases.below(f"{name}: suspended matter in still water", off(data["mud"][-1], settled(upper, lower, there, 0.001, 0.5, True), there), 1e-6)
    kept = (1 + STEP / 500) ** -STEPS
    cases.below(f"{name}: nudging to a formula of z", off(data["dye"][-1], 20 + middle / 2 + (3 - 20 - middle / 2) * kept, there), 5e-6)
    light = lambda z: 0.77 * np.exp(z / 1.5) + 0.23 * np.exp(z / 14)  # noqa: E731
    reaches = np.where(np.cumsum(there, axis=0) == 1, 0, light(lower))  # the bed keeps the rest in the lowest layer
    warmed = 0.94 * 300 * (light(upper) - reaches) * STEP * STEPS / 1008 / 4000 / thick
    cases.below(f"{name}: light at real depths [K]", off(data["temperature"][-1], 15 + warmed, there), 1e-5)

    # along the slope, so that a face has the layers of its columns
    waves = {"height_m": 1, "peak_period_s": 4, "from_deg": 270, "bed_roughness_m": 1e-6}
    data = run(levels, ["stokes_east"], bathymetry={"bed_m": "-9 + y/300"}, forcing={"waves": waves, "wind": {"stress_x_Pa": 0, "stress_y_Pa": 0}}, time={**BOX["time"], "duration_s": 1, "step_s": 1},
               output=[{"file": "all.nc", "every_s": 1, "variables": ["stokes_east"]}]).read("all.nc")
    upper, lower, there = sides(data)
    thick, exact = np.where(there, upper - lower, 1), np.zeros(there.shape)
    for j, i in np.ndindex(there.shape[1:]):
        depth = -data["bed"][j, i]
        number, transport = column_of(waves, depth)
        exact[:, j, i] = transport * (np.sinh(2 * number * (upper[:, j, i] + depth)) - np.sinh(2 * number * (lower[:, j, i] + depth))) / np.sinh(2 * number * depth) / thick[:, j, i]
    cases.below(f"{name}: Stokes drift at real heights, of the fastest", off(*(field[..., 1:-1] for field in (data["stokes_east"][-1], exact, there))) / exact.max(), 1e-6)

    # a river and a tide beside each other: what is the same everywhere stays so
    moving = run(levels, ["eta"], boundaries=[{"name": "sea", "edge": "west", "kind": "elevation", "eta_m": "0.4*sin(t/200)", "tracers": {"dye": 3}}],
                 rivers=[{"name": "stream", "x_m": 7800, "y_m": 700, "discharge_m3_s": 300, "tracers": {"dye": 3}}],
                 tracers=[{"name": "dye", "initial": 3}])
    account = moving.log[-1]["tracers"]["dye"]
    cases.below(f"{name}: river and tide, an even tracer", max(account["most"] - 3, 3 - account["least"]), 1e-12)
    cases.conserves(moving, 1e-14)

    # a sea at rest drives a nest of other layers and finer cells, by its file and by its edge alone
    outer = run(levels, ["eta", "u_east", "v_north", "salinity"], initial={"salinity": LINEAR})
    file, reach = str(outer.folder / "results/box/all.nc"), known(outer.read("all.nc"))
    for other in ("hybrid", "bed-following") if name != "merged" else ():
        nested = run(KINDS[other], ["salinity"], grid={**FINE, "levels": KINDS[other]}, nest=file)
        data = nested.read("all.nc")
        upper, lower, there = sides(data)
        middle = 0.5 * (upper + lower)
        lowest, highest = (np.repeat(np.repeat(end, 2, 0), 2, 1)[:, -middle.shape[2]:] for end in reach)
        inside = there & (middle > lowest) & (middle < highest)
        cases.below(f"{name} drives {other}: salinity between the outer run's middles", off(data["salinity"][-1], 20 + middle / 2, inside), 2e-6)
        cases.below("and beyond them, where the outermost values hold", off(data["salinity"][-1], 20 + middle / 2, there), 0.25)
        cases.between("cells of the first kind", inside.sum() / there.sum(), 0.45, 1)

# where one layer is all there is, non-hydrostatic waves are too slow: `check` says down to which depth
path = Path.cwd() / "shallow.json"
path.write_text(json.dumps({**BOX, "grid": {**BOX["grid"], "levels": {**KINDS["merged"], "thinnest_m": 0.9}}, "bathymetry": {"bed_m": "-9 + x/1000"},
                            "physics": {"pressure": "nonhydrostatic"}, "time": {**BOX["time"], "step_s": 5}}))
told = subprocess.run([cases.PROGRAM, "check", str(path)], capture_output=True, text=True).stdout
cases.equal("check: deepest column with one layer [m]", re.findall(r"only one layer where the bed is not deeper than (\S+) m", told), ["1.75"])
cases.finish()
