# SPDX-License-Identifier: Apache-2.0
"""Closed seas without wind and drag: their energy by the hour, from what was written of level and velocities."""

import cases
import numpy as np

GRAVITY = 9.81
ROUGH = "x^2+y^2 < 200000^2 ? -12 + 8*sin(x*x/3e9+y/17000)*cos(y*x/2e9+x/23000) : 10"
LAYERS = {"/grid/levels": {"bottom_m": -20, "dz_m": 4}}
STRATIFIED = {**LAYERS, "/physics/density": {"equation": "linear", "reference_salinity": 15, "contraction_kg_g": 7.7e-4},
              "/initial/salinity": "15 - z/10"}
AZOV = {"/grid/dx_m": 6000, "/time/step_s": 600, "/physics/momentum": {"advection": "none"}, "/physics/drag": {"law": "none"},
        "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 0},
        "/output": [{"every_s": 42000, "velocities": "faces", "variables": ["eta", "u", "v"]}]}
SEAS = {  # of verification/sea_left_alone
    "round": {},
    "rough": {"/bathymetry/bed_m": ROUGH},
    "rough, in layers": {"/bathymetry/bed_m": ROUGH, **LAYERS},
    "rough and stratified": {"/bathymetry/bed_m": ROUGH, **STRATIFIED, "/time/step_s": 750},
}
RESTING = {"/physics/coriolis": {"f_s": 0}}
JUMP = {"/initial/salinity": "z > -8 ? 13 : 17"}  # from one layer to the next
TOP_JUMP = {"/initial/salinity": "z > -4 ? 13 : 17"}
DEEP_JUMP = {"/initial/salinity": "z > -12 ? 13 : 17"}
WATERS_VISCOSITY = {"/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 1e-6, "diffusivity_m2_s": 0}}
SECOND_ORDER = {"/physics/tracers/scheme": "van-leer"}
THERMOCLINE = {"/initial/salinity": "15 - 2*tanh((z + 6)/2)"}


def between_cells(field, axis, combine):
    """What two neighbouring cells make of a field at the faces between them; the outermost faces are closed."""
    padding = [(0, 0)] * field.ndim
    padding[axis] = (1, 1)
    inner = combine(np.delete(field, -1, axis), np.delete(field, 0, axis))
    return np.pad(inner, padding, constant_values=0)


def energy(fields):
    """[J per kg/m3] of each record: motion, and surface."""
    wet = fields["mask"] > 0
    area = np.where(wet, fields["cell_area"] * (fields["wet_fraction"] if "wet_fraction" in fields else 1), 0)
    bed = np.where(wet, fields["bed"], np.inf)
    low, high = np.min(fields["level_bnds"], 1), np.max(fields["level_bnds"], 1)
    motion = 0
    for name, axis in (("u", 1), ("v", 0)):
        ground = between_cells(bed, axis, np.maximum)
        ground = np.where(np.isfinite(ground), ground, 0)
        thick = np.maximum(0, high[:, None, None] - np.maximum(low[:, None, None], ground))
        weight = thick * between_cells(area, axis, lambda a, b: 0.5 * (a + b))
        motion = motion + 0.5 * np.nansum(np.where(weight > 0, fields[name], 0) ** 2 * weight, axis=(1, 2, 3))
    return motion, 0.5 * GRAVITY * np.nansum(np.where(wet, fields["eta"], 0) ** 2 * area, axis=(1, 2))


def check(label, settings, days, scenario="verification/sea_left_alone", most=1.01):
    """The energy stays below what there was at first."""
    run = cases.run(scenario, {"/time/duration_s": 84000 * days, **settings})
    motion, surface = energy(run.fields())
    cases.below(f"{label}: energy of {days} days over that of the first day", np.max(motion + surface) / (motion + surface)[0], most)
    cases.between(f"{label}: some of it is motion", np.max(motion) / surface[0], 0.05, most)
    return motion + surface
