# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""A tidal estuary: two-layer residual flow, as much salt out as in, an intrusion that ends, accounts that close."""

import sys

import cases
import numpy as np

TIDE, RIVER, OUTSIDE = 43200, 400.0, 30.0
settings = {"/grid/dx_m": 500, "/time/step_s": 60, "/grid/levels/dz_m": 0.25} if "fine" in sys.argv else {}
run = cases.run("verification/estuary", settings)
cases.conserves(run, 1e-14)
salt = [line["tracers"]["salinity"] for line in run.log]
content = np.array([account["content"] for account in salt])
cases.below("account of salt", np.max(np.abs([account["error"] for account in salt])) / content[0], 1e-13)
cases.below("beyond the bounds", max(max(-account["least"], account["most"] - OUTSIDE) for account in salt), 1e-12)
by_tide = content[: len(content) // 60 * 60].reshape(60, -1).mean(axis=1)
cases.close("salt in the last ten tides, of that in the ten before", by_tide[-10:].mean() / by_tide[-20:-10].mean(), 1, 0.02)

mean = run.fields("estuary.nc")  # of each tide
with np.errstate(invalid="ignore"):
    u, salinity = (np.mean(mean[name][-10:, :, 0], axis=0) for name in ("u", "salinity"))
x = mean["x"] / 1000
lowest = np.argmax(np.isfinite(salinity), axis=0)
bed = np.take_along_axis(salinity, lowest[None], 0)[0]
cases.between("the salt ends at [km]", x[np.nonzero(bed > 1)[0][-1]], 50, 70)
for place in (10, 20, 30, 40):
    face = int(np.argmin(np.abs(mean["x_u"] / 1000 - place)))
    column = u[:, face][np.isfinite(u[:, face])]
    cases.between(f"{place} km: residual flow at the bed [m/s]", column[0], 0.005, 0.05)
    cases.between(f"{place} km: residual flow at the surface [m/s]", column[-1], -0.5, -0.1)
    cases.equal(f"{place} km: two layers", int(np.sum(np.diff(np.sign(column)) != 0)), 1)
    cell = int(np.argmin(np.abs(x - place)))
    cases.between(f"{place} km: salinity, bed less surface [g/kg]", bed[cell] - salinity[-1, cell], 5, 25)

hours = run.fields("estuary_hours.nc")
last = hours["time"] > hours["time"][-1] - 10 * TIDE
for place in (20, 40):
    face = int(np.argmin(np.abs(hours["x_u"] / 1000 - place)))
    thickness, salinity = (0.5 * (hours[name][last, :, 0, face - 1] + hours[name][last, :, 0, face]) for name in ("thickness", "salinity"))
    volume = 1000 * hours["u"][last, :, 0, face] * thickness
    cases.close(f"{place} km: water through it [m3/s]", np.nansum(volume) / np.sum(last), -RIVER, 0.05)
    cases.below(f"{place} km: salt through it, of what the river could carry", abs(np.nansum(volume * salinity)) / np.sum(last) / (RIVER * OUTSIDE), 0.05)
cases.finish()
