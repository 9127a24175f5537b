# SPDX-License-Identifier: Apache-2.0
"""Internal seiche: the period of the first mode, its order in the size of the cells, that it does not grow, and the longest
stable step."""

import re
import subprocess

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

# what `check` calls stable: the fastest wave that density drives under a free surface has c = 2 N H/pi
told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/internal_seiche.json")],
                      capture_output=True, text=True).stdout
courant = float(re.search("internal .* ([0-9.]+) \\(stable below 1\\)", told)[1])
cases.close("Courant number of internal waves", courant, 2 * FREQUENCY * DEPTH / np.pi * 600 * np.sqrt(2) / 500, 0.02)
STEP = 0.95 * 600 / courant
NOISE = {"/initial/temperature_C": "20 + z + 0.02*sin(pi*z/10)*(cos(pi*x/10000) + cos(pi*x/1000) + cos(pi*x/500))",
         "/grid/levels/dz_m": 1, "/physics/momentum": {"advection": "none"}, "/physics/free_surface/theta": 0.5,
         "/output": [{"every_s": 10 * STEP, "stations": {"middle": [5250, 500]}, "variables": ["u"]}]}
for bed in ("-10", "-7 + 3*cos(x/700)"):
    series = cases.run("verification/internal_seiche", {**NOISE, "/bathymetry/bed_m": bed, "/time/step_s": STEP,
                                                        "/time/duration_s": 3000 * STEP}).stations()
    flow = np.abs(series["u"].reshape(len(series["time"]), -1)[:, -1])
    cases.between(f"just below it, bed {bed}: current after 3000 steps", np.max(flow[200:]) / np.max(flow[:100]), 0.5, 1.2)
cases.finish()
