# SPDX-License-Identifier: Apache-2.0
"""The current along open edges that a file gives: it comes in with the water and by viscosity; nothing else changes."""

import json
from math import erfc
from pathlib import Path

import cases
import netCDF4
import numpy as np

U, V = 0.25, 0.125  # [m/s], whole numbers of bits
DX, LONG = 500.0, 16
SEA = {"grid": {"kind": "cartesian", "length_x_m": LONG * DX, "length_y_m": 9 * DX, "dx_m": DX, "levels": {"bottom_m": -8, "dz_m": 4}},
       "bathymetry": {"bed_m": -8}, "time": {"start": "2000-01-01T00:00:00Z", "step_s": 250},
       "physics": {"drag": {"law": "none"}, "turbulence": {"closure": "constant", "viscosity_m2_s": 0}}}


def write(name, flow, levels=(-7.0, -1.0)):
    """`flow`: name -> function of z, y, x, the same at all times; `levels` None: without them."""
    axes = {"time": np.arange(0, 200e3, 3600.0), "z": np.array(levels or [0.0]), "y": np.linspace(-2e3, 7e3, 5), "x": np.linspace(-2e3, 10e3, 7)}
    with netCDF4.Dataset(name, "w") as data:
        for axis, values in axes.items():
            data.createDimension(axis, len(values))
            data.createVariable(axis, "f8", (axis,))[:] = values
            data[axis].units = "seconds since 2000-01-01" if axis == "time" else "m"
        grid = np.meshgrid(*axes.values(), indexing="ij")[1:]
        for variable, function in {"eta": lambda z, y, x: 0, **flow}.items():
            flat = variable == "eta" or not levels
            values = function(*grid) + 0 * grid[0]
            data.createVariable(variable, "f8", ("time", "y", "x") if flat else tuple(axes)).units = "m" if variable == "eta" else "m/s"
            data[variable][:] = values[:, 0] if flat else values
    return str(Path.cwd() / name)


def run(label, edges, file, start, steps, ranks=0, options=(), periodic=(), physics=None, grid=None):
    path = Path.cwd() / f"{label}.json"
    boundaries = [{"name": str(edge), "kind": "flather", "file": file, **({"edge": edge} if isinstance(edge, str) else {"edge": "line", "line": edge})} for edge in edges]
    path.write_text(json.dumps({**SEA, "grid": {**SEA["grid"], "periodic": list(periodic), **(grid or {})}, "boundaries": boundaries, "initial": {"u_m_s": start[0], "v_m_s": start[1]},
                                "time": {**SEA["time"], "duration_s": steps * 250}, "physics": {**SEA["physics"], **(physics or {})},
                                "output": [{"file": "all.nc", "every_s": steps * 250, "velocities": "faces", "variables": ["eta", "u", "v"]}]}))
    return cases.run(path, ranks=ranks, options=options, label=f"{label}_run")


# a current across all four edges stays as it is
oblique = write("oblique.nc", {"u": lambda z, y, x: U, "v": lambda z, y, x: V})
even = run("even", ("west", "east", "south", "north"), oblique, (U, V), 60)
cases.below("a uniform oblique current, u", np.nanmax(np.abs(even.read("all.nc")["u"][-1] - U)), 0)
cases.below("a uniform oblique current, v", np.nanmax(np.abs(even.read("all.nc")["v"][-1] - V)), 0)

# a sea without it takes it from its inflow, layer by layer, and nothing of the other one where the water leaves
layered = write("layered.nc", {"u": lambda z, y, x: U, "v": lambda z, y, x: V * (1 + z / 12) * np.where(x > 7000, 3, 1)})
flushed = run("flushed", ("west", "east"), layered, (U, 0), 400, periodic=["y"])
found = flushed.read("all.nc")["v"][-1]
for k, z in enumerate((-6, -2)):
    cases.below(f"the current along the edge after three times of flushing, at {z} m", np.max(np.abs(found[k] / (V * (1 + z / 12)) - 1)), 5e-8)
early = run("early", ("west", "east"), layered, (U, 0), 64, periodic=["y"]).read("all.nc")["v"][-1][0, 4] / (V * (1 - 6 / 12))
front = np.interp(-0.5, -early, DX * (0.5 + np.arange(LONG)))
cases.between("its front [m], which goes with the water", front, 3950, 4050)

# the same inside a longer grid, between lines along rows of faces; through lines that go askew, what is uniform stays
longer = {"x0_m": -2000, "length_x_m": LONG * DX + 4000}
between = run("between", ([[0, -1], [0, 9e3]], [[LONG * DX, 9e3], [LONG * DX, -1]]), layered, (U, 0), 400, periodic=["y"], grid=longer)
cases.below("between lines: what differs from that between edges", np.nanmax(np.abs(between.read("all.nc")["v"][-1][..., 4:-4] - found)), 0)
ring = [[6500, 2000], [4200, 3900], [1900, 2700], [1000, 1500], [3400, 600], [6500, 2000]]
askew = run("askew", (ring,), oblique, (U, V), 60, options=["--set", "/bathymetry/keep_point=[3000, 2000]"]).read("all.nc")
for name, still in (("u", U), ("v", V)):
    cases.below(f"a uniform oblique current through a ring of lines, {name}", np.nanmax(np.abs(askew[name][-1] - still)), 0)

# by viscosity alone: into a half-space
still = {"momentum": {"advection": "none", "horizontal_viscosity_m2_s": 100}}
viscous = run("viscous", ("west", "east"), layered, (U, 0), 64, periodic=["y"], physics=still).read("all.nc")["v"][-1][1, 4] / (V * (1 - 2 / 12))
exact = [erfc(DX * (n + 0.5) / (2 * np.sqrt(100 * 64 * 250))) for n in range(LONG)]
cases.below("viscosity: part of the current outside", np.max(np.abs(viscous - exact)), 0.007)

# a file without levels gives the mean over the depth
mean = run("mean", ("west", "east"), write("mean.nc", {"u": lambda z, y, x: U, "v": lambda z, y, x: V}, None), (U, "0.05*(z + 4)"), 400, periodic=["y"]).read("all.nc")["v"][-1]
cases.below("a file without levels: the mean over the depth", np.max(np.abs(mean.mean(axis=0) / V - 1)), 5e-8)
cases.below("a file without levels: the layers differ as inside", np.max(np.abs(mean[1] - mean[0] - 0.2)), 2e-7)

# north and south exchanged; bits
HIGH = 9 * DX
sheared = write("sheared.nc", {"u": lambda z, y, x: 0.1 + y / 1e5 + z / 100, "v": lambda z, y, x: 0.05 - x / 2e5 + z / 50})
mirrored = write("mirrored.nc", {"u": lambda z, y, x: 0.1 + (HIGH - y) / 1e5 + z / 100, "v": lambda z, y, x: -(0.05 - x / 2e5 + z / 50)})
one = run("bits", ("west", "south", "east", "north"), sheared, (0, 0), 12, physics={"momentum": {"horizontal_viscosity_m2_s": 20}})
turned = run("turned", ("west", "north", "east", "south"), mirrored, (0, 0), 12, physics={"momentum": {"horizontal_viscosity_m2_s": 20}})
north, south = one.read("all.nc")["v"][-1], -turned.read("all.nc")["v"][-1][:, ::-1]
cases.below("north and south exchanged: v", np.max(np.abs(north - south)), 1e-8)
for ranks, options in ((2, ()), (3, ()), (0, ("--set", "/solver/device=emu"))):
    other = run("bits", ("west", "south", "east", "north"), sheared, (0, 0), 12, ranks, options, physics={"momentum": {"horizontal_viscosity_m2_s": 20}})
    cases.equal(f"digest, {ranks} ranks {options}", other.digest, one.digest)
cases.finish()
