# SPDX-License-Identifier: Apache-2.0
"""Lock exchange: the speed of both fronts, salt, and how much the advection mixes."""

import cases
import numpy as np

THEORY = 0.5 * np.sqrt(9.81 * 5 / 1000 * 20)


def fronts(fields):
    """Where the salinity passes 2.5 at bed and surface, by record."""
    x, salinity = fields["x"], fields["salinity"][:, :, 0, :]
    at = []
    for layer in (0, -1):
        excess = salinity[:, layer] - 2.5
        last = [np.nonzero(e > 0)[0][-1] for e in excess]
        at.append([x[n] + (x[n + 1] - x[n]) * e[n] / (e[n] - e[n + 1]) for n, e in zip(last, excess)])
    return np.array(at)


def resting_energy(density, thickness):
    """Potential energy after adiabatic sorting, per area [J m-2]."""
    order = np.argsort(-density, axis=None)
    volume = thickness.ravel()[order] / density.shape[1]
    middle = np.cumsum(volume) - 0.5 * volume
    return 9.81 * np.sum(density.ravel()[order] * volume * middle)


for layer_m in (1, 0.5):
    run = cases.run("verification/lock_exchange", {"/grid/levels/dz_m": layer_m})
    fields = run.fields()
    hours = fields["time"] / 3600
    steady = hours >= 4
    for name, place in zip(("bed", "surface"), fronts(fields)):
        speed = abs(np.polyfit(fields["time"][steady], place[steady], 1)[0])
        cases.between(f"{20 / layer_m:.0f} layers, front at the {name} [m/s]", speed, 0.90 * THEORY, 1.05 * THEORY)
    energy = [resting_energy(d[:, 0], h[:, 0]) for d, h in zip(fields["density"], fields["thickness"])]
    cases.between("growth of the resting potential energy in 17 hours, of itself", energy[-1] / energy[0] - 1, 0, 4e-5)
    cases.conserves(run, 1e-14)
    salt = [line["tracers"]["salinity"] for line in run.log]
    cases.below("account of salt", max(abs(a["error"]) / a["content"] for a in salt), 1e-13)
    cases.below("beyond the bounds", max(max(-a["least"], a["most"] - 5) for a in salt), 1e-12)
cases.finish()
