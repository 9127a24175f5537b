# SPDX-License-Identifier: Apache-2.0
"""Waves that the wind makes: the current that they brake against the root of Soulsby's formula, the stress that moves suspended
matter, orbits against the sum over a JONSWAP spectrum, files of ERA5, SWAN and WAVEWATCH III; refusals."""

from pathlib import Path

import cases
import netCDF4
import numpy as np

GRAVITY, DENSITY, SINGLE = 9.81, 1000.0, 2e-7  # fields are written in single precision


def orbit(height, period, depth):
    fall = np.sqrt(depth / GRAVITY)
    return np.sqrt(2) * height / 4 / fall * np.exp(-((3.65 / (0.781 * period) * fall) ** 2.1))


def bed(speed, period, z0=1e-3):
    """tau_w over density."""
    return 0.5 * np.minimum(0.3, 1.39 * (speed * period / (2 * np.pi) / z0) ** -0.52) * speed**2


def mean_stress(current, wave):
    return current * (1 + 1.2 * (wave / (current + wave)) ** 3.2)


def waves(height=1.5, period=6, origin=270, **more):
    return {"/forcing/waves": {"height_m": height, "peak_period_s": period, "from_deg": origin, **more}}


# ---- the current that balances the wind ----

STRESS, DEPTH = 5e-4, 10.0
LAWS = {"constant": ({"cd": 2.5e-3}, 2.5e-3, 1e-3), "log": ({"z0_m": 2e-3}, (0.4 / np.log(1 + 5 / 2e-3)) ** 2, 2e-3)}


def speed_of(drag, wave):
    low, high = 0.0, 10.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if mean_stress(drag * middle**2, wave) < STRESS else (low, middle)
    return low


for law, (key, drag, z0) in LAWS.items():
    for scheme in ("explicit-z", "matm") if law == "log" else ("explicit-z",):
        run = cases.run("verification/uniform_flow", {
            "/physics/drag": {"law": law, **key}, "/physics/momentum/scheme": scheme,
            "/output/0/variables": ["u_east", "stokes_east", "wave_stress", "wave_height", "wave_period", "wave_from"], **waves(origin=240)})
        fields = run.fields()
        wave = bed(orbit(1.5, 6, DEPTH), 6, z0)
        cases.below(f"{law}, {scheme}: stress of waves", np.max(np.abs(fields["wave_stress"][-1] / DENSITY / wave - 1)), SINGLE)
        current = (fields["u_east"] - fields["stokes_east"])[-1]
        cases.below(f"{law}, {scheme}: current", np.max(np.abs(current / speed_of(drag, wave) - 1)), 1e-6)
        cases.between(f"{law}, {scheme}: braked by the waves", np.max(current) / speed_of(drag, 0), 0.5, 0.95)
        cases.below(f"{law}, {scheme}: height, period, direction as given",
                    max(np.max(np.abs(fields[f"wave_{name}"][-1] - value)) for name, value in (("height", 1.5), ("period", 6), ("from", 240))), 1e-4)

# shallow water and steep waves bear a part of the height: 0.55 tanh(k h) / k, from 0.55 h to 0.0875 L
for height, period in ((9, 40), (9, 8), ("0.5 + 4.5*(t > -1)", 2)):
    broken = cases.run("verification/uniform_flow", {"/output/0/variables": ["wave_height", "stokes_east"], **waves(height, period)}).fields()
    y = (2 * np.pi / period) ** 2 * DEPTH / GRAVITY
    k = y / np.sqrt(np.tanh(y))
    for _ in range(30):
        k -= (k * np.tanh(k) - y) / (np.tanh(k) + k / np.cosh(k) ** 2)
    cases.close(f"{height} m, {period} s: height that breaking leaves", broken["wave_height"][-1, 0, 0], 0.55 * np.tanh(k) / k * DEPTH, 1e-6)
cases.below("drift of steep waves [m/s]", np.max(np.abs(broken["stokes_east"][-1])), 0.01)
calm = cases.run("verification/uniform_flow", {"/output/0/variables": ["u", "wave_stress"], **waves(0)})
cases.equal("no waves: no stress", float(np.max(calm.fields()["wave_stress"])), 0.0)
cases.equal("no waves: the same bits", calm.digest, cases.run("verification/uniform_flow").digest)

# ---- orbits against the spectrum ----


def of_spectrum(height, period, depth):
    """sqrt 2 times the root mean square of the velocity at the bed, of a JONSWAP spectrum with a peak factor of 3.3."""
    f = np.linspace(0.3, 6, 20001) / period
    part = f * period
    density = part**-5 * np.exp(-1.25 * part**-4) * 3.3 ** np.exp(-((part - 1) ** 2) / (2 * np.where(part <= 1, 0.07, 0.09) ** 2))
    density *= height**2 / 16 / np.sum(density)
    y = (2 * np.pi * f) ** 2 * depth / GRAVITY
    k = y / np.sqrt(np.tanh(y))
    for _ in range(20):
        k -= (k * np.tanh(k) - y) / (np.tanh(k) + k / np.cosh(k) ** 2)
    return np.sqrt(2 * np.sum(density * (2 * np.pi * f / np.sinh(k)) ** 2))


periods = {"/forcing/waves": {"height_m": 1, "peak_period_s": "4 + x/500", "from_deg": 0}, "/output/0/variables": ["wave_stress", "wave_period"],
           "/time/duration_s": 2000, "/output/0/every_s": 2000}
fields = cases.run("verification/uniform_flow", periods).fields()
found, period = fields["wave_stress"][-1, 0] / DENSITY, fields["wave_period"][-1, 0]
exact = np.array([bed(of_spectrum(1, T, DEPTH), T) for T in period])
cases.below("stress of the spectrum's orbits, periods of 5 to 19 s", np.max(np.abs(found / exact - 1)), 0.015)

# ---- suspended matter ----

CURRENT, RATE = 4e-3 * 0.25, 1e-3  # tau_c over density, of the scenario
for origin, angle in ((270, 0), (90, 0), (0, 90), (225, 45)):
    wave = bed(orbit(0.3, 4, 2.0), 4)
    cosine, sine = abs(np.cos(np.radians(angle))), abs(np.sin(np.radians(angle)))
    largest = DENSITY * np.hypot(mean_stress(CURRENT, wave) + wave * cosine, wave * sine)
    run = cases.run("verification/sediment_box", {
        "/tracers": [{"name": "mud", "kind": "suspended", "initial_bed_kg_m2": 50, "settling_m_s": 1e-13, "erosion_kg_m2_s": RATE}],
        "/output": [], "/time/duration_s": 600, **waves(0.3, 4, origin)})
    taken = 50 - run.log[-1]["tracers"]["mud"]["bed"] / (800 * 300)
    cases.close(f"waves from {origin}: taken from the bed", taken, 600 * RATE * (largest / 0.1 - 1), 1e-8)

# ---- files ----

BOX = {"/time/duration_s": 7200, "/time/step_s": 600, "/output": [{"every_s": 3600, "variables": ["wave_height", "wave_period", "wave_from", "wave_stress"]}]}


def write(name, variables, land=False, hours=4):
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        for axis, values in (("time", np.arange(hours)), ("y", np.linspace(-2000, 6000, 5)), ("x", np.linspace(-2000, 10000, 7))):
            data.createDimension(axis, len(values))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units = "hours since 2000-01-01 00:00:00" if axis == "time" else "m"
            variable[:] = values
        for key, (unit, standard, values) in variables.items():
            variable = data.createVariable(key, "f8", ("time", "y", "x"), fill_value=-32767.0)
            variable.units = unit
            if standard:
                variable.standard_name = standard
            whole = np.ma.array(np.broadcast_to(np.reshape(values, (-1, 1, 1)), (hours, 5, 7)).copy(), mask=False)
            if land:
                whole[:, :2], whole[:, :, 3] = np.ma.masked, np.ma.masked
            variable[:] = whole
    return str(path)


HEIGHT, PEAK = np.array([1, 1.2, 1.4, 1.6]), np.array([5, 6, 7, 8.0])
TURNING = np.array([340, 20, 60, 100.0])  # past north
FROM, TO = "sea_surface_wave_from_direction", "sea_surface_wave_to_direction"
LAYOUTS = {
    "era5": {"swh": ("m", None, HEIGHT), "pp1d": ("s", None, PEAK), "mwd": ("Degree true", None, TURNING)},
    "era5, mean period": {"swh": ("m", None, HEIGHT), "mwp": ("s", None, 0.903 * PEAK), "mwd": ("degrees", None, TURNING)},
    "swan": {"hs": ("m", "sea_surface_wave_significant_height", HEIGHT), "tps": ("s", None, PEAK), "theta0": ("degree", TO, (TURNING + 180) % 360)},
    "swan, other names": {"hsign": ("m", None, HEIGHT), "tm02": ("s", None, 0.781 * PEAK), "dir": ("degree", FROM, TURNING)},
    "ww3": {"hs": ("m", "sea_surface_wave_significant_height", HEIGHT), "fp": ("s-1", "dominant_wave_frequency", 1 / PEAK), "dir": ("degree", FROM, TURNING)},
}
for name, layout in LAYOUTS.items():
    for land in (False, True) if name == "era5" else (True,):
        fields = cases.run("verification/uniform_flow", {**BOX, "/forcing/waves": {"file": write("waves.nc", layout, land)}}).fields()
        what = f"{name}{', land' if land else ''}"
        for record in (1, 2):
            cases.below(f"{what}: height of hour {record}", np.max(np.abs(fields["wave_height"][record] / HEIGHT[record] - 1)), SINGLE)
            cases.below(f"{what}: period of hour {record}", np.max(np.abs(fields["wave_period"][record] / PEAK[record] - 1)), 1e-6)
            cases.below(f"{what}: direction of hour {record}", np.max(np.abs(fields["wave_from"][record] - TURNING[record])), 1e-4)
BETWEEN = {**BOX, "/time/duration_s": 1800, "/output": [{**BOX["/output"][0], "every_s": 1800}]}
fields = cases.run("verification/uniform_flow", {**BETWEEN, "/forcing/waves": {"file": write("waves.nc", LAYOUTS["era5"])}}).fields()
cases.below("between 340 and 20 degrees lies 0", np.max(np.abs((fields["wave_from"][-1] + 180) % 360 - 180)), 1e-4)

# ---- refusals ----


def refused(what, forcing, *words):
    failed = cases.run("verification/uniform_flow", {**BOX, "/forcing/waves": forcing}, may_fail=True)
    cases.equal(f"{what}: refused", failed.code != 0 and all(word in failed.message for word in words), True)


refused("no period", {"height_m": 1, "from_deg": 0}, "period", "/forcing/waves/height_m")
refused("no direction", {"height_m": 1, "peak_period_s": 5}, "from_deg")
refused("both periods", {"height_m": 1, "peak_period_s": 5, "mean_period_s": 4, "from_deg": 0}, "exclude")
refused("a period alone", {"peak_period_s": 5}, "peak_period_s", "height_m")
refused("a file without periods", {"file": write("bare.nc", {key: LAYOUTS["era5"][key] for key in ("swh", "mwd")})}, "peak period", "pp1d")
refused("heights in another unit", {"file": write("tall.nc", {**LAYOUTS["era5"], "swh": ("m", None, 100 * HEIGHT)})}, "swh", "range ever observed")
empty = write("empty.nc", LAYOUTS["era5"])
with netCDF4.Dataset(empty, "a") as data:
    data["swh"][1] = np.ma.masked
refused("a record without values", {"file": empty}, "swh", "record 2")
cases.finish()
