# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""Overflow: layers along the bed carry cold water down a slope faster, and mix it less, than stairs of layers at fixed heights do."""

import cases
import numpy as np

FIXED = {"/grid/levels": {"bottom_m": -2000, "layers": 40}}


def resting_energy(density, volume, bed, area):
    """Potential energy of the same water sorted by density over this ground [J]."""
    heights = np.linspace(-2000, 0, 20001)
    below = np.array([np.sum(area * np.maximum(0, z - bed)) for z in heights])  # volume [m3]
    moment = np.concatenate([[0], np.cumsum(0.5 * (heights[1:] + heights[:-1]) * np.diff(below))])
    order = np.argsort(-density)
    filled = np.minimum(np.concatenate([[0], np.cumsum(volume[order])]), below[-1])
    moment += 2000 * below  # from the deepest place
    return 9.81 * np.sum(density[order] * np.diff(np.interp(filled, below, moment)))


def overflow(settings):
    run = cases.run("verification/overflow", settings)
    cases.conserves(run, 1e-14)
    f = run.fields()
    bed, x = f["bed"][0], f["x"]
    cold = np.array([x[np.nonzero(np.nanmin(t[:, 0], axis=0) < 15)[0][-1]] for t in f["temperature"]])
    energy = []
    for density, depth in zip(f["density"], f["depth"]):
        volume = f["layer_share"] * depth * 1e6
        wet = np.isfinite(volume)
        energy.append(resting_energy(density[wet], volume[wet], bed, 1e6))
    heat = [line["tracers"]["temperature"] for line in run.log]
    cases.below("account of heat", max(abs(a["error"]) / a["content"] for a in heat), 1e-13)
    return f["time"] / 3600, cold / 1000, np.array(energy) / energy[0] - 1


fronts, growth = [], []
for name, settings in (("along the bed", {}), ("at fixed heights", FIXED)):
    hours, front, mixed = overflow(settings)
    fronts.append(front[-1])
    growth.append(mixed[-1])
    cases.below(f"{name}: what sorting finds can only grow", np.max(-np.diff(mixed)), 0)
    print(f"      {name}: front [km] {np.round(front[::2], 0)}, growth of the resting potential energy [1e-6] {np.round(1e6 * mixed[::2], 2)}")
cases.between("along the bed: front after 12 hours [km]", fronts[0], 120, 125)
cases.below("along the bed: growth of the resting potential energy", growth[0], 1.8e-6)
cases.between("front along the bed over that at fixed heights", (fronts[0] - 20) / (fronts[1] - 20), 1.6, 1.7)
cases.below("mixing along the bed over that at fixed heights", growth[0] / growth[1], 0.87)
cases.finish()
