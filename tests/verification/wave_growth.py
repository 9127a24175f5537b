# SPDX-License-Identifier: Apache-2.0
"""Waves as the wind makes them over its fetch: heights and periods of the Shore Protection Manual at each cell, along and across a
basin, behind an island, on a sphere; what they become in deep water; refusals."""

import cases
import numpy as np

GRAVITY, DEPTH, DX = 9.81, 10.0, 1000.0
NAMES = ["wave_height", "wave_period", "wave_from", "wave_stress", "stokes_east"]
BASIN = {"/grid/length_x_m": 24000, "/grid/length_y_m": 12000, "/grid/periodic": [], "/time/duration_s": 600, "/time/step_s": 300,
         "/output": [{"every_s": 600, "variables": NAMES}]}
x, y = np.meshgrid(DX * (np.arange(24) + 0.5), DX * (np.arange(12) + 0.5))


def grown(wind, fetch, depth=DEPTH):
    stressed = 0.71 * wind**1.23
    scale = GRAVITY / stressed**2
    a, b = np.tanh(0.530 * (scale * depth) ** 0.75), np.tanh(0.833 * (scale * depth) ** 0.375)
    return (0.283 * a * np.tanh(0.00565 * (scale * fetch) ** 0.5 / a) / scale,
            7.54 * b * np.tanh(0.0379 * (scale * fetch) ** (1 / 3) / b) * stressed / GRAVITY)


def run(speed, origin, **settings):
    forcing = {"/forcing/wind": {"speed_m_s": speed, "from_deg": origin}, "/forcing/waves": {"from_wind": True}}
    return cases.run("verification/uniform_flow", {**BASIN, **forcing, **settings}).fields()


def check(what, fields, speed, fetch, tolerance=1e-6, depth=DEPTH):
    wet = np.isfinite(fields["wave_height"][-1])
    for name, exact in zip(NAMES, grown(speed, fetch, depth)):
        cases.below(f"{what}: {name}", np.max(np.abs(fields[name][-1] / exact - 1)[wet]), tolerance)


def walls(origin):
    """How far it is to the basin's edge towards a direction."""
    sine, cosine = np.sin(np.radians(origin)), np.cos(np.radians(origin))
    along_x = np.where(sine > 0, 24000 - x, x) / max(abs(sine), 1e-12)
    along_y = np.where(cosine > 0, 12000 - y, y) / max(abs(cosine), 1e-12)
    return np.minimum(along_x, along_y)


# the level changes by some cm meanwhile: depths are the first step's, within 1e-3
for speed, origin in ((12, 270), (20, 90), (8, 0), (15, 225), (15, 120)):
    check(f"wind of {speed} m/s from {origin}", run(speed, origin, **{"/physics/gravity_m_s2": GRAVITY}), speed, walls(origin), 2e-3)
half = 0.5 * (walls(255) + walls(270))
check("between two directions", run(12, 262.5), 12, half, 2e-3)
fields = run(12, 270)
cases.below("they travel with the wind", np.max(np.abs(fields["wave_from"][-1] - 270)), 1e-3)
cases.between("drift to the east", np.min(fields["stokes_east"][-1]), 1e-4, 0.1)

island = {"/bathymetry/bed_m": f"abs(x-12000) < 1000 ? 5 : -{DEPTH}"}
fetch = np.where(x < 11000, x, x - 13000)
check("behind an island", run(12, 270, **island), 12, np.where(fetch > 0, fetch, np.nan), 2e-3)

DEEP = {"/bathymetry/bed_m": -200, "/grid/levels/bottom_m": -200, "/grid/levels/dz_m": 200}
deep = run(20, 270, **DEEP)
stressed = 0.71 * 20**1.23
cases.below("deep water, short fetch: 1.6e-3 (g F)^(1/2) / U_A", np.max(np.abs(deep["wave_height"][-1] / (1.6e-3 * np.sqrt(GRAVITY * x) * stressed / GRAVITY) - 1)), 0.03)
check("deep water", deep, 20, x, 1e-6, 200)

SPHERE = {"/grid": {"kind": "spherical", "west": 34, "east": 34.4, "south": 60, "north": 60.2, "dlon_deg": 0.02, "dlat_deg": 0.01,
                    "levels": {"interfaces_m": [-200, 0]}}, "/bathymetry/bed_m": -200}
for origin, unit, axis in ((180, 0.01, 0), (270, 0.02, 1)):
    fields = run(20, origin, **SPHERE)
    places = (np.arange(20) + 0.5) * unit
    narrow = np.cos(np.radians(fields["lat"])) if axis else np.ones(20)
    radius = 6371000.0
    metres = (places[None, :] if axis else places[:, None]) * np.radians(1) * radius * narrow[:, None] * np.ones((20, 20))
    check(f"on a sphere, from {origin}", fields, 20, metres, 1e-5, 200)


def refused(what, settings, *words):
    failed = cases.run("verification/uniform_flow", {**BASIN, **settings}, may_fail=True)
    cases.equal(f"{what}: refused", failed.code != 0 and all(word in failed.message for word in words), True)


WIND = {"/forcing/wind": {"speed_m_s": 10, "from_deg": 0}}
refused("only the stress is known", {"/forcing/waves": {"from_wind": True}}, "from_wind", "stress")
refused("two sources", {**WIND, "/forcing/waves": {"from_wind": True, "height_m": 1, "peak_period_s": 5, "from_deg": 0}}, "from_wind", "keep one")
cases.finish()
