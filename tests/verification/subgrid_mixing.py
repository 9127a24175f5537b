# SPDX-License-Identifier: Apache-2.0
"""Mixing at equal height and along surfaces of density over ground inside cells: a stratification at rest stays, a notch is a sea without banks, accounts, several processes."""

import cases
import numpy as np

GRID = {"kind": "cartesian", "length_x_m": 2400, "length_y_m": 300, "dx_m": 100, "flood_to_m": 3, "periodic": ["y"],
        "levels": {"bottom_m": -12, "layers": 6, "kind": "bed-following", "thinnest_m": 0}}
INSIDE = {"keep": "all", "subgrid": True, "pixels": 8}
ROUGH = {"bed_m": "-6 + 3*sin(x/137)*cos(2*pi*y/300) + 1.5*sin(x/23)", **INSIDE}


def sea(bed, along, label, more=(), **options):
    settings = {"/grid": GRID, "/bathymetry": bed, "/initial": {"eta_m": 0}, "/time/duration_s": 3600, "/time/step_s": 60, "/physics/density": {"equation": "constant"},
                "/physics/turbulence": {"viscosity_m2_s": 0, "diffusivity_m2_s": 0}, "/physics/tracers": {"horizontal_diffusivity_m2_s": 20, "mix_along": along},
                "/tracers": [{"name": "dye", "initial": "z"}], "/output": [{"every_s": 3600, "variables": ["dye"]}]}
    return cases.run("verification/thacker_curved", {**settings, **dict(more)}, label=label, **options)


def change(run, name="dye"):
    values = run.fields()[name]
    return np.nanmax(np.abs(values[-1] - values[0]))


# what depends on height alone stays as it is over any ground, unless the layers carry it along the bed
cases.below("change of a stratification, mixed at equal height", change(sea(ROUGH, "heights", "even")), 1e-6)
cases.between("the same along the layers (over 0.5)", change(sea(ROUGH, "layers", "layers")), 0.5, 10)

# layers whose middle lies far from half their height, above narrow notches; a column of one layer beside one of several
NOTCHES = {"bed_m": "sin(2*pi*(y + 6.25)/100) > (x < 1200 ? 0.95 : 0.3) ? -9 : -1.2", **INSIDE}
BEACH = {"bed_m": "max(-9, -1.2 + 0.0171*(x - 2000))", **INSIDE}
HEIGHTS = {"/grid/levels": {"bottom_m": -12, "dz_m": 2}}
cases.below("change of a stratification above notches", change(sea(NOTCHES, "heights", "notches")), 1e-6)
cases.below("change of a stratification on a beach, layers at fixed heights", change(sea(BEACH, "heights", "beach", HEIGHTS.items())), 1e-6)

# the height of a layer is that at which half of its volume lies above it: in the section of a V, of volume by the square of the height
V = {**INSIDE, "pixels": 32, "bed_m": "-4 + 0.08*min(abs(y - 50), min(abs(y - 150), abs(y - 250)))"}
heights = sea(V, "heights", "v", {"/time/duration_s": 60, "/output": [{"every_s": 60, "variables": ["dye", "eta"], "stations": {"middle": [1250, 155]}}]}.items()).stations()
exact = -4 + 4 * np.sqrt((np.arange(6) + 0.5) / 6)
cases.below("heights of layers at a station in the section of a V [m]", np.max(np.abs(heights["z"][-1, 0] - exact)), 0.02)
cases.below("a stratification read at these heights", np.max(np.abs(heights["dye"][-1, 0] - heights["z"][-1, 0])), 1e-6)

# along surfaces of density salt stays, and what depends on it
SALT = {"/initial": {"eta_m": 0, "salinity": "20 - z"}, "/physics/density": {"equation": "linear"}, "/time/step_s": 30,
        "/tracers": [{"name": "dye", "initial": "0.5*z"}], "/output": [{"every_s": 3600, "variables": ["salinity", "dye"]}]}
run = sea(ROUGH, "density", "density", SALT.items())
for name in ("salinity", "dye"):
    cases.below(f"change of {name}, mixed along surfaces of density", change(run, name), 1e-5)

# a dye that differs from place to place: in a notch of half a cell as in a sea without banks
PATCH = {"/tracers": [{"name": "dye", "initial": "1 + sin(x/200) + 0.1*z*cos(x/300)"}]}
inside, plain = (sea(bed, "heights", "notch", PATCH.items()).fields()["dye"] for bed in ({**INSIDE, "bed_m": "sin(2*pi*y/100) > 0 ? -12 : 2"}, {"bed_m": -12, "keep": "all"}))
cases.below("dye in a notch beside a sea without banks", np.nanmax(np.abs(inside[-1] - plain[-1])), 1e-4)
cases.between("its change", np.nanmax(np.abs(plain[-1] - plain[0])), 0.3, 3)

# while ground falls dry and floods: bounds, accounts, several processes, another device
MOVING = {**PATCH, "/initial/eta_m": "cos(pi*x/Lx)", "/bathymetry/bed_m": "-1 + 3*sin(x/137)*cos(2*pi*y/300) + 1.5*sin(x/23)", "/time/duration_s": 1200, "/output": []}
runs = [sea(ROUGH, "heights", "moving", MOVING.items(), **options) for options in ({}, {"ranks": 3}, {"options": ["--device", "emu"]})]
cases.equal("3 processes, the emulator", [run.digest for run in runs[1:]], 2 * [runs[0].digest])
dye = [line["tracers"]["dye"] for line in runs[0].log]
cases.below("account of the dye", max(abs(line["error"]) for line in dye) / abs(dye[0]["content"]), 1e-13)
cases.below("beyond its bounds", max(max(line["most"] - dye[0]["most"], dye[0]["least"] - line["least"]) for line in dye), 0.02)
cases.finish()
