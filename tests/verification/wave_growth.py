# SPDX-License-Identifier: Apache-2.0
"""Waves as the wind makes them over its fetch: heights and periods of Young and Verhagen and of the Shore Protection Manual at each
cell, along and across a basin, between two directions, behind an island, on a sphere, for a wind measured at 2 m; what they become in
deep water; refusals."""

import cases
import numpy as np

GRAVITY, DEPTH, DX = 9.81, 10.0, 1000.0
NAMES = ["wave_height", "wave_period", "wave_from", "wave_stress", "stokes_east"]
BASIN = {"/grid/length_x_m": 24000, "/grid/length_y_m": 12000, "/grid/periodic": [], "/time/duration_s": 600, "/time/step_s": 300,
         "/output": [{"every_s": 600, "variables": NAMES}]}
x, y = np.meshgrid(DX * (np.arange(24) + 0.5), DX * (np.arange(12) + 0.5))


def young_verhagen(wind, fetch, depth):
    x, d = GRAVITY * fetch / wind**2, GRAVITY * depth / wind**2
    a, b = np.tanh(0.493 * d**0.75), np.tanh(0.331 * d**1.01)
    energy = 3.64e-3 * (a * np.tanh(3.13e-3 * x**0.57 / a)) ** 1.74 * wind**4 / GRAVITY**2
    return 4 * np.sqrt(energy), wind / GRAVITY / (0.133 * (b * np.tanh(5.215e-4 * x**0.73 / b)) ** -0.37)


def shore_protection(wind, fetch, depth):
    stressed = 0.71 * wind**1.23
    scale = GRAVITY / stressed**2
    a, b = np.tanh(0.530 * (scale * depth) ** 0.75), np.tanh(0.833 * (scale * depth) ** 0.375)
    return (0.283 * a * np.tanh(0.00565 * (scale * fetch) ** 0.5 / a) / scale,
            7.54 * b * np.tanh(0.0379 * (scale * fetch) ** (1 / 3) / b) * stressed / GRAVITY)


LAWS = {"young-verhagen": young_verhagen, "shore-protection": shore_protection}


def run(speed, origin, law="young-verhagen", **settings):
    forcing = {"/forcing/wind": {"speed_m_s": speed, "from_deg": origin}, "/forcing/waves": {"from_wind": True, "growth": law}}
    return cases.run("verification/uniform_flow", {**BASIN, **forcing, **settings}).fields()


def highest(period, depth):
    """What breaking leaves: 0.55 tanh(k h) / k."""
    y = (2 * np.pi / period) ** 2 * depth / GRAVITY
    k = y / np.sqrt(np.tanh(y))
    for _ in range(30):
        k -= (k * np.tanh(k) - y) / (np.tanh(k) + k / np.cosh(np.minimum(k, 50)) ** 2)
    return 0.55 * np.tanh(k) / k * depth


def check(what, fields, speed, fetch, tolerance=1e-6, depth=DEPTH, law="young-verhagen"):
    wet = np.isfinite(fields["wave_height"][-1])
    height, period = LAWS[law](speed, fetch, depth)
    for name, exact in (("wave_height", np.minimum(height, highest(period, depth))), ("wave_period", period)):
        cases.below(f"{what}: {name}", np.max(np.abs(fields[name][-1] / exact - 1)[wet]), tolerance)


def around(ray, origin):
    """The mean of nine rays, 3 degrees from each other."""
    return np.mean([ray(origin + 3 * n) for n in range(-4, 5)], axis=0)


def walls(origin, x0=0.0, x1=24000.0):
    """How far it is to the basin's edge towards a direction."""
    sine, cosine = np.sin(np.radians(origin)), np.cos(np.radians(origin))
    along_x = np.where(sine > 0, x1 - x, x - x0) / max(abs(sine), 1e-12)
    along_y = np.where(cosine > 0, 12000 - y, y) / max(abs(cosine), 1e-12)
    return np.minimum(along_x, along_y)


# the level changes by some cm meanwhile: depths are the first step's, within 1e-3
same = {"/physics/gravity_m_s2": GRAVITY}
for law in LAWS:
    for speed, origin in ((12, 270), (20, 90), (8, 0), (15, 225), (15, 117)):
        check(f"{law}, wind of {speed} m/s from {origin}", run(speed, origin, law, **same), speed, around(walls, origin), 2e-3, law=law)
half = 0.5 * (around(walls, 270) + around(walls, 279))
fields = run(12, 274.5)
check("between two directions", fields, 12, half, 2e-3)
cases.below("they travel with the wind", np.max(np.abs(fields["wave_from"][-1] - 274.5)), 1e-3)
cases.between("drift to the east", np.min(fields["stokes_east"][-1]), 1e-4, 0.1)
for origin in (82.5, 277.5):
    check(f"7.5 degrees off the axis, from {origin}", run(12, origin), 12, around(walls, origin), 0.022)

# a wind at 2 m is weaker than the one at 10 m by the profile of its drag law
drag = {"drag": {"law": "constant", "cd": 1.6e-3}}
low = run(10 * (1 + 0.04 / 0.4 * np.log(0.2)), 270, **{"/forcing/wind/height_m": 2, "/forcing/wind/drag": drag["drag"]})
check("a wind at 2 m", low, 10, around(walls, 270), 2e-3)

island = {"/bathymetry/bed_m": f"abs(x-12000) < 1000 ? 5 : -{DEPTH}"}
fetch = np.where(x < 11000, around(walls, 270), around(lambda origin: walls(origin, 13000), 270))
check("behind an island", run(12, 270, **island), 12, np.where((x < 11000) | (x > 13000), fetch, np.nan), 2e-3)

DEEP = {"/bathymetry/bed_m": -200, "/grid/levels/bottom_m": -200, "/grid/levels/dz_m": 200}
fetch = around(walls, 270)
deep = run(20, 270, **DEEP)
cases.below("deep water, short fetch: JONSWAP's 1.6e-3 (g F)^(1/2) U / g", np.max(np.abs(deep["wave_height"][-1] / (1.6e-3 * np.sqrt(GRAVITY * fetch) * 20 / GRAVITY) - 1)), 0.035)
check("deep water", deep, 20, fetch, 1e-6, 200)

SPHERE = {"/grid": {"kind": "spherical", "west": 34, "east": 34.4, "south": 60, "north": 60.2, "dlon_deg": 0.02, "dlat_deg": 0.01,
                    "levels": {"interfaces_m": [-200, 0]}}, "/bathymetry/bed_m": -200}
METRES = np.radians(1) * 6371000.0


def on_sphere(origin, step=20.0):
    """A ray from each cell to the edge, step by step."""
    lon, lat = (np.array(axis) for axis in np.meshgrid(34 + 0.02 * (np.arange(20) + 0.5), 60 + 0.01 * (np.arange(20) + 0.5)))
    length, inside = np.zeros(lon.shape), np.ones(lon.shape, bool)
    sine, cosine = np.sin(np.radians(origin)), np.cos(np.radians(origin))
    while inside.any():
        to_x, to_y = step * sine / METRES / np.cos(np.radians(lat)), step * cosine / METRES
        room_x = np.where(to_x > 0, 34.4 - lon, lon - 34) / np.maximum(np.abs(to_x), 1e-300)
        room_y = (60.2 - lat if to_y > 0 else lat - 60) / max(abs(to_y), 1e-300)
        part = np.minimum(1.0, np.minimum(room_x, room_y))
        length += inside * part * step
        lon, lat, inside = lon + to_x, lat + to_y, inside & (part >= 1)
    return length


for origin in (180, 270):
    check(f"on a sphere, from {origin}", run(20, origin, **SPHERE), 20, around(on_sphere, origin), 2e-5, 200)


def refused(what, settings, *words):
    failed = cases.run("verification/uniform_flow", {**BASIN, **settings}, may_fail=True)
    cases.equal(f"{what}: refused", failed.code != 0 and all(word in failed.message for word in words), True)


WIND = {"/forcing/wind": {"speed_m_s": 10, "from_deg": 0}}
refused("only the stress is known", {"/forcing/waves": {"from_wind": True}}, "from_wind", "stress")
STEEP = {"height_m": 5, "peak_period_s": 2, "from_deg": 0}
refused("too steep", {"/forcing/waves": STEEP}, "height_m", "too steep")
refused("no period", {"/forcing/waves": {**STEEP, "peak_period_s": 0}}, "peak_period_s", "above 0")
refused("two sources", {**WIND, "/forcing/waves": {"from_wind": True, "height_m": 1, "peak_period_s": 5, "from_deg": 0}}, "from_wind", "keep one")
cases.finish()
