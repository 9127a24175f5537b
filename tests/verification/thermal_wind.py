# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""A front in thermal wind balance stays for ten inertial periods; one from rest swings about it; velocities at the start by z."""

import cases
import numpy as np

CASE = "verification/thermal_wind"


def shears(run, records):
    """Shear of the mean current over each inertial period across the front, and what balances the front [s-1]."""
    fields = run.fields("thermal_wind.nc")
    balanced = 9.81 * 7.7e-4 * 2 * np.pi / 1e5 / 1e-4 * np.sin(np.pi * fields["y"] / 1e5)
    return (fields["u"][records, -1, :, 2] - fields["u"][records, 0, :, 2]) / 19, balanced


def off(shear, balanced):
    return np.sqrt(np.mean((shear - balanced) ** 2) / np.mean(balanced**2))


run = cases.run(CASE)
cases.conserves(run, 1e-13)
shear, balanced = shears(run, slice(0, 10))
cases.below("in balance: shear off after ten periods, of itself", off(shear[-1], balanced), 1e-3)
cases.below("in balance: change of the shear in ten periods", off(shear[-1], shear[0]), 2e-5)
instants = run.fields("*_instants.nc")
cases.below("in balance: current across the front, of that along it", np.nanmax(np.abs(instants["v"])) / np.nanmax(np.abs(instants["u"])), 5e-4)
cases.below("in balance: change of the salinity [g/kg]", np.max(np.abs(instants["salinity"][-1] - instants["salinity"][0])), 1e-5)

shear, balanced = shears(cases.run(CASE, {"/initial/u_m_s": 0}), slice(0, 10))
cases.below("from rest: mean shear of ten periods off, of itself", off(shear.mean(axis=0), balanced), 0.01)
cases.close("from rest: mean shear in the middle", shear.mean(axis=0)[25], balanced[25], 0.003)

# velocities by height, where layers are cut by the bed
slope = {"/bathymetry/bed_m": "-19.7 + y/6e3", "/initial": {"u_m_s": "1e-3*z", "v_m_s": 0, "salinity": 15},
         "/output": [{"every_s": 300, "velocities": "faces", "variables": ["u", "thickness"]}]}
start = cases.run(CASE, slope, options=["--steps", "1"]).fields()
thickness = np.nan_to_num(start["thickness"][0, :, :, 2])
middle = -(np.cumsum(thickness[::-1], axis=0)[::-1] - 0.5 * thickness)
cases.below("velocity by height, off by", np.nanmax(np.abs(start["u"][0, :, :, 2] - np.where(thickness > 0, 1e-3 * middle, np.nan))), 1e-8)

# a formula that has no value at the surface, where no layer has its middle: in the halos of ranks neither
BELOW = {"/output": [], "/initial/v_m_s": "1e-4*log(-z)"}
alone = cases.run(CASE, BELOW, 0, ["--steps", "20"])
cases.equal("3 ranks", cases.run(CASE, BELOW, 3, ["--steps", "20"]).column("digest").tolist(), alone.column("digest").tolist())
cases.finish()
