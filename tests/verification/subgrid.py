# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Ground inside cells: layers in a notch; still water over any ground and behind a dike, flow over it; Thacker's basin; a channel narrower than a cell and oblique to the grid."""

import shutil
import subprocess
from pathlib import Path

import cases
import level_file
import netCDF4
import numpy as np
from paraboloid import D0, L, cell_levels, curved, planar

SUBGRID = {"/bathymetry/subgrid": True, "/bathymetry/pixels": 8}
ROUGH = "-1 + 2*sin(x/37)*cos(y/53) + 1.5*sin(x/11 + y/17)"
QUIET = {"/grid": {"kind": "cartesian", "length_x_m": 4000, "length_y_m": 3000, "dx_m": 100, "flood_to_m": 9, "levels": {"bottom_m": -5, "dz_m": 5}},
         "/bathymetry": {"bed_m": ROUGH, "keep": "all", "subgrid": True, "pixels": 8}, "/output": [], "/initial": {"eta_m": 0.4}}
run = cases.run("verification/thacker_curved", {**QUIET, "/time/duration_s": 6000, "/time/step_s": 60})
cases.below("speed of still water over islands and holes [m/s]", np.max(run.column("max_speed_m_s")), 1e-12)
cases.conserves(run, 1e-15)

# a lake on ground that rises evenly, obliquely to cells of 4 pixels: volumes are exact, but for the tables' 1 mm and half a thousandth of 2 m
for x_rise, y_rise, limit in ((0.01, 0.01, 0.0006), (0.01, 0.005, 0.0013)):
    run = cases.run("verification/thacker_curved", {
        **QUIET, "/bathymetry": {**QUIET["/bathymetry"], "bed_m": f"{x_rise}*(x - 1013) + {y_rise}*(y - 1013)", "pixels": 4}, "/initial/eta_m": 0, "/time/duration_s": 1, "/time/step_s": 1,
        "/grid": {**QUIET["/grid"], "length_x_m": 2000, "length_y_m": 2000, "levels": {"bottom_m": -20, "dz_m": 20}}, "/output": [{"every_s": 1, "variables": ["depth"]}]}, label="plane")
    fields, inside = run.fields(), 100 * ((np.arange(100) + 0.5) / 100 - 0.5)
    ground = (x_rise * (fields["x"][:, None] + inside - 1013)).reshape(1, -1) + (y_rise * (fields["y"][:, None] + inside - 1013)).reshape(-1, 1)
    exact = np.maximum(-ground, 0).reshape(20, 100, 20, 100).mean(axis=(1, 3))
    off = np.nan_to_num(fields["depth"][0]) - exact
    cases.below(f"volumes on ground that rises by {x_rise} and {y_rise}: largest error of the mean depth of a cell [m]", np.max(np.abs(off)), limit)

# a dike of 26 m through cells of 100 m, oblique to them: 1 m of water behind it, and dry hollows on its other side
DIKE = "abs(x - 437 - 0.35*y) < 13 ? 5 : -2 + 0.3*sin(x/41)*cos(y/63)"
run = cases.run("verification/thacker_curved", {
    **QUIET, "/grid": {**QUIET["/grid"], "length_x_m": 1000, "length_y_m": 800}, "/time/duration_s": 7200, "/time/step_s": 60,
    "/bathymetry/bed_m": DIKE, "/initial/eta_m": "x < 437 + 0.35*y ? 1 : -9", "/output": [
        {"extremes": ["max_eta", "max_depth"]}, {"every_s": 7200, "variables": ["eta"], "mean": True, "file": "means.nc"}, {"every_s": 7200, "variables": ["eta"], "file": "hollow.nc", "stations": {"hollow": [900, 400]}},
        {"every_s": 7200, "variables": ["eta", "depth"], "stations": {"water": [250, 400], "crest": [577, 400], "foot": [545, 400]}}]}, label="dike")
cases.below("speed behind a dike inside cells [m/s]", np.max(run.column("max_speed_m_s")), 1e-12)

# painted on the pixels: the water on one side of the dike and none on the other; in each cell as much as the run has
subprocess.run([cases.PROGRAM, "pack", str(run.folder / "results/thacker_curved/thacker_curved_extremes.nc"), "--pixels"], cwd=run.folder, check=True)
cell, pixel = run.read("*_extremes.nc"), run.read("*_pixels.nc")
subprocess.run([cases.PROGRAM, "pack", str(next(run.folder.glob("**/means.nc"))), "--pixels", "-o", "."], cwd=run.folder, check=True)
with netCDF4.Dataset(run.folder / "means_pixels.nc") as means:
    cases.equal("depths of mean levels say so", means["depth"].cell_methods, "time: mean")
(run.folder / "thacker_curved_extremes_pixels.tif").touch()
refused = subprocess.run([cases.PROGRAM, "pack", "results/thacker_curved/thacker_curved_extremes.nc", "--geotiff", "-o", "."], cwd=run.folder, capture_output=True, text=True)
cases.equal("a GeoTIFF that exists is not replaced unasked", (refused.returncode, "--overwrite" in refused.stderr), (2, True))
x, y = np.meshgrid(pixel["x"], pixel["y"])
painted = np.nan_to_num(pixel["max_depth"][0])
cases.equal("pixels that no water reaches", np.any(painted[x - 437 - 0.35 * y > -13] > 0), False)
cases.below("depth of the others [m]", np.max(np.abs(painted - 1 + pixel["bed"])[painted > 0]), 1e-6)
means = painted.reshape(8, 8, 10, 8).mean(axis=(1, 3))
west = np.arange(50, 1000, 100) + 50 < 437 - 14 + 0.35 * np.arange(0, 800, 100)[:, None]
cases.below("mean depth of cells, of pixels beside the run's [m]", np.max(np.abs(means - cell["max_depth"][0])[west]), 0.002)

# as a picture with places, whatever the file's name; a picture that is there stays
if shutil.which("gdal_translate"):
    again = [cases.PROGRAM, "pack", "a:b.nc4", "--geotiff"]
    shutil.copy(next(run.folder.glob("**/*_extremes.nc")), run.folder / "a:b.nc4")
    made, refused = (subprocess.run(again, cwd=run.folder, capture_output=True, text=True) for _ in range(2))
    (run.folder / "a:b_pixels.nc4").unlink()
    kept = subprocess.run(again, cwd=run.folder, capture_output=True, text=True)
    cases.equal("GeoTIFF: made once", (made.returncode, refused.returncode, kept.returncode, '"a:b_pixels.tif" exists' in kept.stderr), (0, 2, 2, True))
    cases.equal("GeoTIFF: files", sorted(path.name for path in run.folder.glob("a:b_*")), ["a:b_pixels.tif"])

# a station has the ground of its own pixel: in the cell that the dike crosses it is dry on the crest and not beside it
hollow, beside = (run.read(name) for name in ("hollow.nc", "*_stations.nc"))
cases.equal("levels on a dike's crest and in a dry hollow", [str(beside["eta"][-1, 1]), str(hollow["eta"][-1, 0])], ["nan", "nan"])
cases.below("level beside the dike [m]", np.max(np.abs(beside["eta"][-1, [0, 2]] - 1)), 1e-6)
cases.below("ground and water there [m]", np.max(np.abs(beside["bed"] + beside["depth"][-1] - [1, 5, 1])), 1e-6)
cases.close("ground of the pixel [m]", beside["bed"][0], -2 + 0.3 * np.sin(256.25 / 41) * np.cos(406.25 / 63), 1e-9)

# over a dike inside a cell passes what a weir lets pass, critical flow over its crest at 1 m
for level, layers in ((1.5, 1), (2, 3)):
    run = cases.run("verification/thacker_curved", {
        "/grid": {**QUIET["/grid"], "length_x_m": 2400, "length_y_m": 300, "levels": {"bottom_m": -5, "layers": layers, "kind": "bed-following", "thinnest_m": 0}},
        "/bathymetry/bed_m": "abs(x - 137) < 13 ? 1 : -2", "/bathymetry/keep": "all", **SUBGRID, "/initial/eta_m": f"x < 137 ? {level} : -1.9",
        "/time/duration_s": 600, "/time/step_s": 5, "/physics/drag": {"law": "manning", "n": 0.02},
        "/boundaries": [{"name": "river", "edge": "west", "kind": "elevation", "eta_m": level}], "/output": []}, label="weir")
    volume = run.column("volume_m3")
    cases.close(f"flow over a dike inside a cell, {layers} layers, over that of a weir", (volume[-1] - volume[59]) / 300 / (300 * 1.7049 * (level - 1)**1.5), 1, 0.01)

# under water behind it, too: as cells of 2 m have it, whose crest brakes and whose jet widens (the fine run's part of a weir's flow)
for level, behind, wanted, tolerance in ((1.5, 0.7, 1, 0.05), (1.5, 0.9, 0.679, 0.03), (2, 0.95, 0.619, 0.03)):
    low = 1 + behind * (level - 1)
    run = cases.run("verification/thacker_curved", {
        "/grid": {**QUIET["/grid"], "length_x_m": 800, "length_y_m": 100}, "/bathymetry/bed_m": "abs(x - 137) < 13 ? 1 : -2", "/bathymetry/keep": "all",
        **SUBGRID, "/initial/eta_m": f"x < 137 ? {level} : {low}", "/time/duration_s": 5400, "/time/step_s": 2, "/physics/drag": {"law": "manning", "n": 0.02},
        "/boundaries": [{"name": "river", "edge": "west", "kind": "elevation", "eta_m": level}, {"name": "sea", "edge": "east", "kind": "elevation", "eta_m": low}],
        "/output": [{"every_s": 60, "velocities": "faces", "variables": ["eta", "u"]}]}, label="drowned")
    fields = run.fields()
    flow = np.mean((fields["u"].reshape(91, -1)[:, 5] * (fields["eta"][:, 0, 4:6].mean(axis=1) + 2))[-60:])
    cases.close(f"flow over a dike inside a cell, level behind it at {behind} of that before it, over that of a weir", flow / (1.7049 * (level - 1)**1.5), wanted, tolerance)

# even ground inside cells is the plain sea, also where a step in the level is set free
even = {**QUIET, "/grid": {**QUIET["/grid"], "length_x_m": 1200, "length_y_m": 300}, "/initial/eta_m": "x < 600 ? 1 : -0.5", "/time/duration_s": 600, "/time/step_s": 30}
inside, plain = (cases.run("verification/thacker_curved", {**even, "/bathymetry": {"bed_m": -3, "keep": "all", **more}}).column("max_speed_m_s")
                 for more in ({"subgrid": True}, {}))
cases.below("even ground inside cells: speed beside that without [m/s]", np.max(np.abs(np.subtract(inside, plain))), 1e-12)

# Layers: in a notch of half a cell's width, between banks that could be wet, all is as in a sea of the notch's depth.
LAYERED = {"/grid": {**QUIET["/grid"], "length_x_m": 1600, "length_y_m": 300, "flood_to_m": 3,
                     "levels": {"bottom_m": -5, "layers": 5, "kind": "bed-following", "thinnest_m": 0}},
           "/time/duration_s": 3600, "/time/step_s": 30, "/physics/turbulence": {"closure": "k-epsilon"},
           "/physics/drag": {"law": "log", "z0_m": 0.002}, "/physics/free_surface/theta": 0.6}
WINDY = {**LAYERED, "/forcing/wind": {"speed_m_s": 12, "from_deg": 270}, "/initial": {"eta_m": "0.3*cos(pi*x/Lx)"},
         "/output": [{"every_s": 3600, "velocities": "faces", "variables": ["eta", "u", "dye", "silt"]}]}


def of_notch(bed, label):
    run = cases.run("verification/thacker_curved", {
        **WINDY, "/bathymetry": bed, "/tracers": [{"name": "dye", "initial": "x < 500 ? 0 : z + 5"},
                                                  {"name": "silt", "settling_m_s": 0.001, "initial": 1}]}, label=label)
    return run.fields()


notch = of_notch({"bed_m": "sin(2*pi*y/100) > 0 ? -5 : 2", "keep": "all", "subgrid": True, "pixels": 4}, "notch")
plain = of_notch({"bed_m": -5, "keep": "all"}, "no_notch")
for name in ("eta", "u", "dye", "silt"):
    cases.below(f"{name} in a notch of half a cell beside a sea without banks", np.nanmax(np.abs(notch[name] - plain[name])), 5e-6)
cases.below("the current's shear there [m/s] (more than 0.1)", 0.1 / np.nanmax(np.ptp(plain["u"][-1], axis=0)), 1)

# over rough ground that falls dry and floods a tracer that is 1 everywhere stays so
run = cases.run("verification/thacker_curved", {
    **LAYERED, "/bathymetry": QUIET["/bathymetry"], "/initial": {"eta_m": "1.2*cos(pi*x/Lx)"}, "/physics/tracers/horizontal_diffusivity_m2_s": 1,
    "/tracers": [{"name": "one", "initial": 1}], "/output": [{"every_s": 600, "variables": ["one"]}]}, label="rough_layers")
cases.conserves(run)
cases.below("a tracer that is 1 everywhere, in layers over rough ground", np.nanmax(np.abs(run.fields()["one"] - 1)), 1e-7)


def exact_depth(level, x, y, dx, time):
    """The mean of each cell over the pixels that it has."""
    mean = 0
    for n in range(64):
        east, north = x + dx * ((n % 8 + 0.5) / 8 - 0.5), y + dx * ((n // 8 + 0.5) / 8 - 0.5)
        mean = mean + np.maximum(level(east, north, time) - D0 * ((east**2 + north**2) / L**2 - 1), 0) / 64
    return mean


def basin_error(level, dx, step, duration, more=()):
    run = cases.run(f"verification/thacker_{level.__name__}", {**SUBGRID, "/grid/dx_m": dx, "/time/step_s": step, "/time/duration_s": duration, **dict(more)})
    cases.conserves(run)
    fields, found = run.fields(), []
    x, y = np.meshgrid(fields["x"], fields["y"])
    for time, depth in zip(fields["time"], fields["depth"]):
        wanted, depth = exact_depth(level, x, y, dx, time), np.nan_to_num(depth)
        found.append(np.sqrt(np.mean((depth - wanted)[(wanted > 0) | (depth > 0.01)]**2)))
    return max(found), np.max(run.column("max_speed_m_s"))


LIMITS = {1: 0.0079, 2: 0.00295, 4: 0.00116}
errors = [basin_error(curved, 17000 / finer, 300 / finer, 43200)[0] for finer in (LIMITS if cases.THOROUGH else (1,))]
for finer, error in zip(LIMITS, errors):
    cases.below(f"Thacker's basin: error in a period, {25 * finer} cells per radius (25 even cells: 0.18 m) [m]", error, LIMITS[finer])
for found in cases.orders(errors):
    cases.between("order", found, 1.15, 2.5)

# its plane surface, whose shore runs along cells at every angle, in short steps: films that the water leaves behind run off
error, speed = basin_error(planar, 20000, 50, 86400)
cases.below("Thacker's plane surface in short steps: error in a period, 21 cells per radius [m]", error, 0.0093)
cases.below("largest speed (3.13 m/s) of films there [m/s]", speed, 5.5)


# the order in the cell: exact volumes at the start, steps that fall with the square of the cell and are of second order where the sea is smooth
ORDERS = [(curved, (0.0018, 0.00064), 1.45), (planar, (0.0044, 0.00108), 1.95)]
for level, limits, least in ORDERS if cases.THOROUGH else []:
    errors = []
    for dx, step, limit in ((17000, 100, limits[0]), (8500, 25, limits[1])):
        half = (510000 if level is curved else 603500) + (8500 if level is planar and dx == 17000 else 0)
        x = np.arange(-half + dx / 2, half, dx)
        grid = {"/grid/x0_m": -half, "/grid/y0_m": -half, "/grid/length_x_m": 2 * half, "/grid/length_y_m": 2 * half}
        start = level_file.write(f"{level.__name__}_{dx:g}.nc", x, x, cell_levels(level, x, dx))
        errors.append(basin_error(level, dx, step, 43200, {**grid, "/physics/momentum/order": 2, "/initial/eta_m": start, "/output/0/every_s": 3600})[0])
        cases.below(f"Thacker's {level.__name__} surface, exact volumes: error in 12 h with cells of {dx / 1000:g} km [m]", errors[-1], limit)
    cases.between("order in the cell", cases.orders(errors)[0], least, 2.5)

# A channel of 52 m with the section z = -3 + (d/15)^2 and a slope of 1e-3, in cells of 100 m. A river's discharge makes a level and
# a slope in it, which by Manning's law belong to a discharge.
SLOPE, MANNING, CENTRE = 1e-3, 0.03, 1213.0
LOWEST = -3 + (100 / 16 / 15) ** 2 / 12  # so that pixels have the mean height of their ground


def conveyance(level, smooth=MANNING, rough=MANNING):
    """Of a bed that is smooth on the four pixels around the middle."""
    d = np.linspace(-60, 60, 24001)
    return np.sum(np.maximum(0, level + 3 - (d / 15)**2) ** (5 / 3) / np.where((d > 1200 - CENTRE) & (d < 1225 - CENTRE), smooth, rough)) * (d[1] - d[0])


def conveyed(angle, n=MANNING, beds=(MANNING, MANNING)):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    along, aside = (f"({c}*(x - {CENTRE}) + {s}*(y - {CENTRE}))", f"({c}*(y - {CENTRE}) - {s}*(x - {CENTRE}))")
    discharge = conveyance(0, *beds) * np.sqrt(SLOPE)
    run = cases.run("verification/thacker_curved", {
        "/grid": {**QUIET["/grid"], "length_x_m": 2400, "length_y_m": 2400},
        "/bathymetry": {"bed_m": f"min({LOWEST} + ({aside}/15)^2, 2) - {SLOPE}*{along}", "keep": "all", "subgrid": True, "pixels": 16},
        "/time/duration_s": 10800, "/time/step_s": 10, "/initial/eta_m": f"-{SLOPE}*{along}",
        "/physics/free_surface/theta": 0.55,  # the river's first waves pass; undamped, they empty the channel's cells in turns
        "/physics/drag": {"law": "manning", "n": n},
        "/rivers": [{"name": "spring", "x_m": CENTRE - 1056 * c, "y_m": CENTRE - 1056 * s, "discharge_m3_s": discharge}],
        "/boundaries": [{"name": "sea", "edge": "all", "kind": "elevation", "eta_m": f"-{SLOPE}*{along}",
                         "box": [CENTRE + 720 * c, 2400, CENTRE + 720 * s if angle > 40 else 0, 2400]}],
        "/output": [{"every_s": 10800, "variables": ["eta", "depth"]}]}, label=f"channel_{angle}")
    fields = run.fields()
    x, y = np.meshgrid(fields["x"] - CENTRE, fields["y"] - CENTRE)
    along, aside, eta = c * x + s * y, c * y - s * x, fields["eta"][-1]
    inside = (np.abs(aside) < 71) & (np.abs(along) < 600) & (np.nan_to_num(fields["depth"][-1]) > 0.1)
    fall = -np.polyfit(along[inside], eta[inside], 1)[0]
    return discharge / (conveyance(np.mean((eta + SLOPE * along)[inside]), *beds) * np.sqrt(fall))


for angle in (0, 10, 15, 20, 25, 30, 35, 40, 45) if cases.THOROUGH else (0, 30, 45):
    cases.close(f"discharge of a channel narrower than a cell, at {angle} degrees, over Manning's", conveyed(angle), 1, 0.013)

# classes of the bed, one in the middle of the channel and another at its sides, by pixels
bed = np.full((384, 384), 7)
bed[192:196] = 3
np.savetxt("beds.asc", bed[::-1], fmt="%d", comments="", header="ncols 384\nnrows 384\nxllcorner 0\nyllcorner 0\ncellsize 6.25")
beds = {"file": str(Path("beds.asc").resolve()), "classes": {"3": 0.03, "7": 0.09}}
cases.close("discharge over a smooth and a rough bed in one cell, over Manning's", conveyed(0, beds, (0.03, 0.09)), 1, 0.013)


def digest(n):
    return cases.run("verification/thacker_curved", {**QUIET, "/initial/eta_m": "0.4 + x/2000", "/time/duration_s": 600, "/time/step_s": 60,
                                                     "/physics/drag": {"law": "manning", "n": n}}, label="roughness").digest


def map_of(values):
    np.savetxt("roughness.asc", values, fmt="%g", comments="", header="ncols 320\nnrows 240\nxllcorner 0\nyllcorner 0\ncellsize 12.5\nNODATA_value -9")
    return {"file": str(Path("roughness.asc").resolve())}


# pixels that a map does not know are as rough as the known ones around; a bed may be without any friction
even = np.full((240, 320), MANNING)
with_gaps = even.copy()
with_gaps[::2] = -9
cases.equal("a roughness of which every second row is missing", digest(map_of(with_gaps)), digest(map_of(even)))
cases.equal("a map without friction", digest(map_of(0 * even)), digest(0))
cases.finish()
