# SPDX-License-Identifier: Apache-2.0
"""With the ground inside cells, too, no direction is preferred: seas over rough ground that floods and falls dry, mirrored and turned, have
the same fields to round-off. On terraces many pixels and waters are alike: what decides between them must not be their place. Cells run empty: whether
1e-17 m or nothing is left there must decide nothing."""

import cases
import level_file
import numpy as np
import turned

CELLS, PIXELS, DX = (14, 11), 8, 64.0  # along x and y; along a cell's side; [m]: mirrored coordinates have no round-off
STEPS = 8  # which make 1e-12 of round-off
FILM = 1e-6  # [m]: what water has that is thinner counts by its thickness. Of a cell that has run empty nobody can tell the dye
MOVES = {"mirrored, west for east": (0,), "turned by 90 degrees": (1,), "mirrored, south for north": (0, 1, 1)}
LAYERS = {"one layer": {"kind": "fixed-heights", "interfaces_m": [-12, 0]}, "layers at fixed heights": {"kind": "fixed-heights", "interfaces_m": [-12, -5, -3, -1, 0]},
          "layers along the bed": {"kind": "bed-following", "bottom_m": -12, "layers": 4, "thinnest_m": 0}}


def middles(parts):
    """x and y of the parts of all cells, in cells from the sea's middle."""
    return np.meshgrid(*((np.arange(n * parts) + 0.5) / parts - 0.5 * n for n in CELLS))


def rough_ground(seed, terrace):
    """A slope oblique to the grid from 4 m below to 4 m above the datum, with waves of a third of a cell and more, and noise; terraces of that height."""
    x, y = middles(PIXELS)
    random = np.random.default_rng(seed)
    turn = random.uniform(0, 2 * np.pi)
    z = 4 * (np.cos(turn) * x + np.sin(turn) * y) / 7 + 0.2 * random.standard_normal(x.shape)
    for _ in range(6):
        number, turn, phase = random.uniform(0.3, 3), random.uniform(0, 2 * np.pi), random.uniform(0, 2 * np.pi)
        z += np.sin(number * (np.cos(turn) * x + np.sin(turn) * y) + phase)
    return np.round(z / terrace) * terrace


def write_maps(moves, ground, level):
    for move in moves:
        ground, level = turned.moved_map(ground, move), turned.moved_map(level, move)
    with open("ground.asc", "w") as file:
        rows, columns = ground.shape
        file.write(f"ncols {columns}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize {DX / PIXELS}\nNODATA_value -9999\n")
        np.savetxt(file, ground[::-1], fmt="%.17g")
    level_file.write("level.nc", *((np.arange(size) + 0.5) * DX for size in reversed(level.shape)), level)
    return level.shape


def of_water(fields):
    for name, depth in (("dye", "depth"), ("u", "depth_u"), ("v", "depth_v")):
        fields[name] = fields[name] * np.minimum(1, fields[depth] / FILM)
    return fields


def fields_of(label, moves, ground, level, layers, order):
    rows, columns = write_maps(moves, ground, level)
    return turned.fields({
        "title": "Rough ground", "grid": {"kind": "cartesian", "length_x_m": columns * DX, "length_y_m": rows * DX, "dx_m": DX, "flood_to_m": 6, "levels": layers},
        "bathymetry": {"file": "ground.asc", "positive": "up", "keep": "all", "subgrid": True},
        "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 3600, "step_s": 8},
        "physics": {"coriolis": "none", "drag": {"law": "manning", "n": 0.025}, "momentum": {"order": order}},
        "initial": {"eta_m": {"file": "level.nc"}}, "tracers": [{"name": "dye", "initial": {"file": "level.nc", "column": "eta"}}],
        "solver": {"surface": {"tolerance": 1e-14}}}, label, STEPS)


def check(name, ground, layers, order):
    x, y = middles(1)
    level = np.round(64 * (1.5 * np.sin(0.3 * x - 0.25 * y) + 0.5 * (x + 0.3 * y > 1) - 0.5)) / 64  # a bore runs along the shore
    level += 0.37 / 64  # on no terrace, where rounding says whether it is under water
    first = of_water(fields_of(f"{name}, as it is".replace(" ", "_"), (), ground, level, layers, order))
    for move, moves in MOVES.items():
        found = fields_of(f"{name}, {move}".replace(" ", "_"), moves, ground, level, layers, order)
        for turn in reversed(moves):
            found = turned.moved_back(found, turn)
        turned.compare(f"{name}, {move}", first, of_water(found), 1e-9)


for seed, terrace in ((12, 1 / 1024), *((seed, 0.25) for seed in (6, 10, 15, 22, 24))):
    for name, order in (("one layer", 1), ("one layer", 2), ("layers at fixed heights", 2), ("layers along the bed", 1)):
        check(f"sea {seed}, terraces of {terrace:.3f} m, {name}, order {order}", rough_ground(seed, terrace), LAYERS[name], order)
cases.finish()
