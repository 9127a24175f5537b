# SPDX-License-Identifier: Apache-2.0
"""The tidal potential: its equilibrium tide against the places of moon and sun, and constituent by constituent; a sea that follows it,
with and without self-attraction."""

import cases
import numpy as np

ALL = ["M2", "S2", "N2", "K2", "K1", "O1", "P1", "Q1", "Mf", "Mm", "Ssa"]
RADIANS = np.pi / 180
GLOBE = {"/grid/west": -180, "/grid/east": 180, "/grid/south": -80, "/grid/north": 80, "/grid/dlon_deg": 30, "/grid/dlat_deg": 20,
         "/physics/momentum/scheme": "prescribed", "/physics/momentum/streamfunction_m3_s": 0}


def tide(settings):
    fields = cases.run("verification/tidal_potential", {"/time/step_s": 3600, **settings}).fields()
    return fields["time"], np.meshgrid(fields["lat"], fields["lon"], indexing="ij"), fields["equilibrium_tide"]


# ---- moon and sun ----


def pull(longitude, latitude, mass, distance, earth, lat, lon, sidereal):
    """Of a body at this place of the ecliptic: its level of degree 2 over a stiff earth. [m]"""
    oblique = 23.4393 * RADIANS
    x, y = np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude)
    z = np.sin(latitude)
    y, z = np.cos(oblique) * y - np.sin(oblique) * z, np.sin(oblique) * y + np.cos(oblique) * z
    cosine = np.sin(lat) * z + np.cos(lat) * np.cos(lon + sidereal - np.arctan2(y, x)) * np.hypot(x, y)
    return mass * earth**4 / distance**3 * (1.5 * cosine**2 - 0.5)


def of_bodies(seconds, lat, lon):
    """Of moon and sun, from the largest terms of their motion (J. Meeus, Astronomical Algorithms, chapters 25 and 47)."""
    days = seconds / 86400 - 10957.5  # since noon of 2000-01-01
    sidereal = (280.46061837 + 360.98564736629 * days) * RADIANS
    moon, anomaly, elongation = 218.316 + 13.17639648 * days, 134.963 + 13.06499295 * days, 297.850 + 12.19074912 * days
    node, sun_anomaly = 93.272 + 13.22935024 * days, 357.529 + 0.98560028 * days

    def sine(degrees):
        return np.sin(degrees * RADIANS)

    def cosine(degrees):
        return np.cos(degrees * RADIANS)

    longitude = (moon + 6.289 * sine(anomaly) + 1.274 * sine(2 * elongation - anomaly) + 0.658 * sine(2 * elongation) + 0.214 * sine(2 * anomaly)
                 - 0.186 * sine(sun_anomaly) - 0.114 * sine(2 * node))
    latitude = 5.128 * sine(node) + 0.281 * sine(anomaly + node) + 0.278 * sine(anomaly - node) + 0.173 * sine(2 * elongation - node)
    distance = 385000.6e3 - 20905.4e3 * cosine(anomaly) - 3699.1e3 * cosine(2 * elongation - anomaly) - 2956e3 * cosine(2 * elongation)
    sun = 280.460 + 0.9856474 * days + 1.915 * sine(sun_anomaly) + 0.020 * sine(2 * sun_anomaly)
    sun_distance = 149597870.7e3 * (1.00014 - 0.01671 * cosine(sun_anomaly))
    earth = 6371e3
    return (pull(longitude * RADIANS, latitude * RADIANS, 0.0123000371, distance, earth, lat, lon, sidereal)
            + pull(sun * RADIANS, 0 * sun, 332946.05, sun_distance, earth, lat, lon, sidereal))


START = 1411516800.0  # 2014-09-24
time, (lat, lon), level = tide({**GLOBE, "/forcing/tidal_potential/constituents": ALL, "/time/duration_s": 29 * 86400})
exact = 0.7 * np.array([of_bodies(START + t, lat * RADIANS, lon * RADIANS) for t in time])
level, exact = level - level.mean(axis=0), exact - exact.mean(axis=0)
for north in (-70, -10, 10, 50):
    here = np.isclose(lat, north)
    share = np.sqrt(np.mean((level - exact)[:, here] ** 2) / np.mean(exact[:, here] ** 2))
    cases.below(f"moon and sun, {north} N: what the constituents miss", share, 0.15)

# ---- constituents one by one: amplitude, form, phase at Greenwich and its turn with the longitude ----

FORMS = {2: lambda lat: np.cos(lat) ** 2, 1: lambda lat: np.sin(2 * lat), 0: lambda lat: 0.5 - 1.5 * np.sin(lat) ** 2}
LONGITUDES = {  # at the epoch [degrees] and their rates [degrees per day]: moon, sun, lunar perigee
    "s": (218.3164477, 13.17639648), "h": (280.46646, 0.98564736), "p": (83.3532465, 0.11140353)}
TERMS = {"M2": (0.242334 * 0.693, 2, {"s": -2, "h": 2}, 0), "S2": (0.112743 * 0.693, 2, {}, 0), "N2": (0.046397 * 0.693, 2, {"s": -3, "h": 2, "p": 1}, 0),
         "K1": (0.141565 * 0.736, 1, {"h": 1}, -90), "O1": (0.100661 * 0.695, 1, {"s": -2, "h": 1}, 90), "P1": (0.046848 * 0.706, 1, {"h": -1}, 90),
         "Mf": (0.042041 * 0.693, 0, {"s": 2}, 0), "Mm": (0.022191 * 0.693, 0, {"s": 1, "p": -1}, 0), "Ssa": (0.019542 * 0.693, 0, {"h": 2}, 0)}
for name, (amplitude, species, terms, constant) in TERMS.items():
    time, (lat, lon), level = tide({**GLOBE, "/forcing/tidal_potential": {"constituents": [name], "nodal_corrections": False, "ramp_s": 0},
                                    "/time/duration_s": 10800})
    for n, t in enumerate(time):
        days = (START + t + 66) / 86400 - 10957.5
        angle = species * (360 * ((START + t) / 86400 % 1) + 180) + constant  # from noon on
        angle += sum(factor * (LONGITUDES[key][0] + LONGITUDES[key][1] * days) for key, factor in terms.items())
        expected = amplitude * np.cos((angle + species * lon) * RADIANS) * FORMS[species](lat * RADIANS)
        if n in (0, len(time) - 1):
            cases.below(f"{name}, hour {n}: off by, of its amplitude", np.max(np.abs(level[n] - expected)) / amplitude, 2e-4)

# ---- a sea that follows ----

for share in (0, 0.1):
    run = cases.run("verification/tidal_potential", {"/forcing/tidal_potential/self_attraction": share})
    cases.conserves(run)
    fields = run.fields()
    weight = np.cos(fields["lat"] * RADIANS)[:, None] * np.ones(len(fields["lon"]))
    pulled = fields["equilibrium_tide"]
    pulled = (pulled - (pulled * weight).sum(axis=(1, 2), keepdims=True) / weight.sum()) / (1 - share)
    late = fields["time"] >= 43200
    cases.below(f"self-attraction {share}: level off by, of the largest", np.max(np.abs(fields["eta"] - pulled)[late]) / np.max(np.abs(pulled)), 0.004)
half = cases.run("verification/tidal_potential", {"/forcing/tidal_potential/ramp_s": 7200, "/time/duration_s": 3600}).fields()
whole = cases.run("verification/tidal_potential", {"/time/duration_s": 3600}).fields()
cases.below("half of the ramp", np.max(np.abs(half["equilibrium_tide"][-1] / whole["equilibrium_tide"][-1] - 0.5)), 1e-5)
cases.finish()
