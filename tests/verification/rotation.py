# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Rotation and stratification make no energy: seas left alone, inertial motion at any step; a gyre along walls is of second order; on flat ground
the transports of a steady gyre do not depend on rotation, whatever the coast."""

import cases
import left_alone
import netCDF4
import numpy as np

for name, settings in left_alone.SEAS.items():
    left_alone.check(name, settings, 20)
for scheme in ("matm", "split"):
    left_alone.check(f"rough, {scheme}", {"/bathymetry/bed_m": left_alone.ROUGH, "/physics/momentum/scheme": scheme}, 20 if cases.THOROUGH else 7)
left_alone.check("Azov", left_alone.AZOV, 10, "azov_seiche")

# layers of different density over rough ground: what the transport of salt mixes may not drive a flow, nor may the force of the
# old density on a mean flow that carries salt by theta
ROUGH_LAYERS = left_alone.SEAS["rough and stratified"]
if cases.THOROUGH:
    left_alone.check("rough and stratified, at rest, long steps", {**ROUGH_LAYERS, **left_alone.RESTING, "/time/step_s": 3000}, 200)
left_alone.check("rough, a thermocline, at rest", {**ROUGH_LAYERS, **left_alone.RESTING, **left_alone.THERMOCLINE}, 60)
left_alone.check("the same, tracers of second order", {**ROUGH_LAYERS, **left_alone.RESTING, **left_alone.THERMOCLINE, **left_alone.SECOND_ORDER}, 60, most=1.013)
left_alone.check("rough, a jump between layers", {**ROUGH_LAYERS, **left_alone.JUMP}, 40)
for name, salinity in (("a jump", left_alone.JUMP), ("a thermocline", left_alone.THERMOCLINE)):
    left_alone.check(f"rough, {name}, tracers of second order", {**ROUGH_LAYERS, **salinity, **left_alone.SECOND_ORDER}, 20)
left_alone.check("rough, a jump below the top layer", {**ROUGH_LAYERS, **left_alone.TOP_JUMP, **left_alone.SECOND_ORDER}, 60 if cases.THOROUGH else 20, most=1.0001)
left_alone.check("rough, a deep jump, not known to be one of height alone",
                 {**ROUGH_LAYERS, "/initial/salinity": "(z > -12 ? 13 : 17) + x*1e-12"}, 20, most=1.0001)
left_alone.check("rough, a jump below the top layer, at rest, tracers of second order",
                 {**ROUGH_LAYERS, **left_alone.RESTING, **left_alone.TOP_JUMP, **left_alone.SECOND_ORDER}, 20)

# inertial motion: f dt 0.1, 0.3 and 1
TURN = 2 * np.pi * 1e4
for step, turns in ((1000, 100), (3000, 300), (10000, 1000)):
    every = step * 50
    series = cases.run("verification/inertial_circle", {
        "/grid/length_x_m": 4000, "/time/step_s": step, "/time/duration_s": every * int(turns * TURN / every),
        "/output": [{"stations": {"here": [3500, 1500]}, "every_s": every, "variables": ["u", "v"]}]}).stations()
    speed = np.hypot(series["u"][:, 0, -1], series["v"][:, 0, -1])
    cases.below(f"f dt {step * 1e-4:g}: change of the speed in {turns} turns", np.max(np.abs(speed / 0.3 - 1)), 1e-6)


def stommel(cells):
    """u and v at the faces of the gyre."""
    length, depth, drag, beta, stress = 2e5, 20.0, 4e-6, 2e-10, 1e-7
    k = np.pi / length
    root = np.sqrt(beta**2 + 4 * drag**2 * k**2)
    m1, m2 = (-beta + root) / (2 * drag), (-beta - root) / (2 * drag)
    a, b = np.linalg.solve([[1, 1], [np.exp(m1 * length), np.exp(m2 * length)]], [-1, -1])
    face, middle = np.arange(cells + 1) * length / cells, (np.arange(cells) + 0.5) * length / cells
    scale = stress / (depth * drag * k)
    psi = scale * (1 + a * np.exp(m1 * face) + b * np.exp(m2 * face))
    slope = scale * (a * m1 * np.exp(m1 * middle) + b * m2 * np.exp(m2 * middle))
    return -k * np.cos(k * middle)[:, None] * psi, np.sin(k * face)[:, None] * slope


def gyre_error(cells, scheme="explicit-z"):
    fields = cases.run("verification/beta_gyre", {"/grid/dx_m": 2e5 / cells, "/physics/momentum/scheme": scheme}).fields()
    exact = stommel(cells)
    found = [np.nan_to_num(fields[name][-1, 0]) for name in ("u", "v")]
    return max(np.max(np.abs(f - e)) for f, e in zip(found, exact)) / np.max(exact[1])


errors = [gyre_error(cells) for cells in (20, 40)]
cases.below("gyre along walls: largest error, 20 cells", errors[0], 0.035)
cases.between("order of the largest error", cases.orders(errors)[0], 1.8, 2.2)
cases.close("the same with the implicit scheme", gyre_error(20, "matm"), errors[0], 1e-3)


def raster(cells=440):
    """A round sea, its coast cut through the cells."""
    middle = (np.arange(cells) + 0.5) * 440e3 / cells - 220e3
    with netCDF4.Dataset("round.nc", "w") as file:
        for name in ("x", "y"):
            file.createDimension(name, cells)
            file.createVariable(name, "f8", (name,))[:] = middle
            file[name].units = "m"
        file.createVariable("height", "i1", ("y", "x"))[:] = np.where(np.hypot(middle[None], middle[:, None]) < 200e3, -20, 10)
    return {"file": f"{cases.Path.cwd()}/round.nc", "variable": "height", "positive": "up"}


DRIVEN = {"/bathymetry": raster(), "/physics/drag": {"law": "no-slip"}, "/physics/turbulence/viscosity_m2_s": 4e-3,
          "/forcing/wind": {"stress_x_Pa": "-5e-10*y", "stress_y_Pa": "5e-10*x"}, "/initial": {}, "/physics/free_surface/theta": 0.6,
          "/output": [{"every_s": 1722000, "velocities": "faces", "variables": ["u", "v"]}]}
turning, resting = (cases.run("verification/sea_left_alone", {**DRIVEN, "/physics/coriolis/f_s": f}).fields() for f in (1e-4, 0))
for name in ("u", "v"):
    off = np.nanmax(np.abs(turning[name][-1] - resting[name][-1])) / np.nanmax(np.abs(resting[name][-1]))
    cases.below(f"cells wet in part: {name} with rotation less that without", off, 1e-3)
cases.finish()
