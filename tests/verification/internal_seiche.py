# SPDX-License-Identifier: Apache-2.0
"""Internal seiche: the period of the first mode, its order in the size of the cells, and that it does not grow."""

import cases
import numpy as np

LENGTH, DEPTH, GRAVITY, FREQUENCY = 10000.0, 10.0, 10.0, np.sqrt(1e-3)
speed = FREQUENCY * DEPTH / np.pi
for _ in range(50):  # tan(N H/c) = N c/g, on the branch of the first mode
    speed = FREQUENCY * DEPTH / (np.pi + np.arctan(FREQUENCY * speed / GRAVITY))
PERIOD = 2 * LENGTH / speed


def shear(settings):
    """Of the flow between surface and bed in the middle."""
    run = cases.run("verification/internal_seiche", settings)
    stations = run.stations()
    flow = stations["u"].reshape(len(stations["time"]), -1)
    return run, stations["time"], flow[:, -1] - flow[:, 0]


def period(settings):
    _, time, difference = shear(settings)
    return 2 * np.pi / cases.fit_wave(time, difference, 2 * np.pi / PERIOD)[0]


cases.close("period [s]", period({}), PERIOD, 0.005)
sizes = ((2, 1000), (1, 500), (0.5, 250))
errors = [abs(period({"/grid/levels/dz_m": dz, "/grid/dx_m": dx}) / PERIOD - 1) for dz, dx in sizes]
cases.between("order", cases.orders(errors)[-1], 1.7, 2.4)

for theta in (0.5, 1):
    run, time, difference = shear({"/time/duration_s": 2400000, "/physics/free_surface/theta": theta})
    first, last = (np.max(np.abs(difference[part])) for part in (time < 400000, time > 2000000))
    cases.between(f"amplitude after eleven periods, theta {theta}", last / first, 0.95, 1.01)
    cases.conserves(run, 1e-14)
    heat = [line["tracers"]["temperature"] for line in run.log]
    cases.below("account of heat", max(abs(a["error"]) / abs(a["content"]) for a in heat), 1e-13)
cases.finish()
