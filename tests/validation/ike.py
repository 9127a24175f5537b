# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1800
"""Hurricane Ike, September 2008: levels at gauges off Texas (A. Kennedy), in 8 to 16 m of water, from the storm's best track alone. Depths
are those of ADCIRC's mesh ec95d, which ends at the coast: Texas' low land does not flood here, so the highest levels right of the track
are too high. Measured depths become levels by their mean of the days after the storm.

Before the storm the level rises for a day, by the Coriolis force on the current along the shelf. How much depends on the drag of the
bed: A. Kennedy and others (Geophys. Res. Lett. 38 (2011) L08608) need little of it, and so does this run."""

import sys

import cases
import judges
import netCDF4
import numpy as np

DATA = judges.folder("MAEOTIS_IKE")
try:
    from matplotlib.tri import LinearTriInterpolator, Triangulation
    from scipy.io import loadmat

    sys.path.insert(0, str(cases.SOURCE / "postproc"))
    from maeotis_storm import cyclone
except ImportError as missing:
    print(f"{missing}: not compared")
    sys.exit(77)

WEST, EAST, SOUTH, NORTH, WIDE = -98.0, -80.24, 18.0, 30.88, 0.08
PLACES = {"S": (-96.5504, 28.2077), "U": (-95.7524, 28.6251), "V": (-95.3151, 28.8704), "W": (-95.0396, 29.0714), "X": (-94.7090, 29.2813),
          "Y": (-94.3884, 29.4964), "Z": (-94.1253, 29.5847)}
# computed less measured [m]: the highest level, and that of half a day before the highest
BOUNDS = {"S": (0.3, 0.45), "U": (0.2, 0.55), "V": (0.15, 0.55), "W": (0.65, 0.6), "X": (1.9, 0.25), "Y": (1.6, 0.45), "Z": (1.4, 0.5)}


def depths(target):
    """The mesh's depths on longitudes and latitudes; what it leaves out is land."""
    lines = (DATA / "ec_95d.grd").read_text().splitlines()
    elements, nodes = map(int, lines[1].split()[:2])
    at = np.array([line.split()[1:4] for line in lines[2:2 + nodes]], float)
    corners = np.array([line.split()[2:5] for line in lines[2 + nodes:2 + nodes + elements]], int) - 1
    lon, lat = np.arange(WEST - 0.2, EAST + 0.2, 0.04), np.arange(SOUTH - 0.2, NORTH + 0.1, 0.04)
    bed = -LinearTriInterpolator(Triangulation(at[:, 0], at[:, 1], corners), at[:, 2])(*np.meshgrid(lon, lat))
    with netCDF4.Dataset(target, "w") as data:
        for name, values, unit in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east")):
            data.createDimension(name, len(values))
            data.createVariable(name, "f8", (name,))[:] = values
            data[name].units = unit
        data.createVariable("elevation", "f4", ("lat", "lon"))[:] = np.ma.filled(bed, 10.0)
        data["elevation"].setncatts({"units": "m", "standard_name": "height_above_mean_sea_level"})


def gauge(name):
    """(days since the beginning of 2008, levels about the mean of the days after the storm)"""
    data = loadmat(DATA / f"result_{name}.mat")
    day, depth = data["yd_processed"].ravel() - 1, data["mean_water"].ravel()  # 1 January is its day 1
    return day, depth - np.nanmean(depth[day > 261])


depths("gulf.nc")
cyclone.main([str(DATA / "bal092008.dat"), "-o", "ike.nc", "--bbox", "-98.3", "17.5", "-79.8", "31.2", "--start", "2008-09-09T00:00:00Z", "--end", "2008-09-13T18:00:00Z",
              "--every", "30"])
storm = {"file": str((cases.Path.cwd() / "ike.nc"))}
run = cases.run("tidal_bay", {
    "/constants": {}, "/grid": {"kind": "spherical", "west": WEST, "east": EAST, "south": SOUTH, "north": NORTH, "dlon_deg": WIDE, "dlat_deg": WIDE,
                                "levels": {"bottom_m": -7000, "dz_m": 7000}},
    "/bathymetry": {"file": str(cases.Path.cwd() / "gulf.nc"), "minimum_depth_m": 1}, "/time": {"start": "2008-09-09T00:00:00Z", "end": "2008-09-13T18:00:00Z", "step_s": 450},
    "/physics": {"water_density_kg_m3": 1025, "drag": {"law": "manning", "n": 0.015}}, "/initial": {}, "/rivers": [], "/tracers": [],
    "/forcing": {"wind": {**storm, "drag": {"law": "garratt", "cap_m_s": 30}, "air_density_kg_m3": 1.15}, "air_pressure": storm},
    "/boundaries": [{"name": "sea", "edge": "all", "kind": "flather", "eta_m": 0}],
    "/output": [{"every_s": 900, "stations": {name: list(place) for name, place in PLACES.items()}, "variables": ["eta"]}]})
found = run.stations()
days = 252 + np.arange(found["eta"].shape[0]) / 96  # 9 September is day 252
for n, name in enumerate(PLACES):
    level, (day, measured) = found["eta"][:, found["names"].index(name)], gauge(name)
    then = (day > 254) & (day < 257.5)
    top, crest = int(np.nanargmax(level)), np.nanmax(measured[then])
    before = float(np.interp(days[top] - 0.5, day, measured))
    judges.measure(f"Ike, gauge {name}", "A. Kennedy's gauges", f"highest level, measured {crest:.2f} [m]", float(level[top] - crest), BOUNDS[name][0], "ike")
    judges.measure(f"Ike, gauge {name}", "A. Kennedy's gauges", f"level half a day before it, measured {before:.2f} [m]", float(level[top - 48] - before), BOUNDS[name][1], "ike")
    if name in "XYZ":  # right of the track, where it is one crest
        cases.below(f"time of the highest at {name} [h]", abs(24 * (days[top] - day[then][int(np.nanargmax(measured[then]))])), 1.0)


def panel(name):
    def draw(axis):
        axis.plot(*gauge(name), "k.", markersize=2, label="gauge")
        axis.plot(days, found["eta"][:, found["names"].index(name)], "C0", linewidth=1, label="maeotis")
        axis.set(xlim=(254, 257.7), xlabel="day of 2008", ylabel="level [m]", title=name)
        axis.legend(fontsize=6)
    return draw


judges.picture("ike", [panel(name) for name in "SWYZ"], columns=2)
cases.finish()
