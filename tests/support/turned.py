# SPDX-License-Identifier: Apache-2.0
"""The fields of seas that are turned or mirrored, beside those of the sea as it was, in double precision."""

import json
import re
from pathlib import Path

import cases
import netCDF4
import numpy as np

OF_VECTORS = "flux|flux_gain|mean_acceleration|stokes|pull|advection"  # with _u and _v


def fields(scenario, label, steps):
    """After some steps."""
    with open(f"{label}.json", "w") as file:
        json.dump(scenario, file)
    run = cases.run(Path(f"{label}.json").resolve(), {"/restart/at_end": True, "/output": []}, options=["--steps", str(steps)], label=label)
    cases.conserves(run)
    files = list(run.folder.glob("**/restart_*.nc"))
    with netCDF4.Dataset(files[0]) as data:
        return {name: np.ma.filled(variable[:], np.nan) for name, variable in data.variables.items()
                if {"x", "x_u"} & set(variable.dimensions) and {"y", "y_v"} & set(variable.dimensions)}


def moved_map(values, turn):
    """A map of the sea: mirrored, west for east (0), or a quarter turn to the left (1)."""
    return np.swapaxes(values, -1, -2)[..., ::-1] if turn else values[..., ::-1]


def is_component(name, letter):
    """Whether a field is the component of a vector along x (u) or y (v)."""
    return bool(re.match(rf"({letter}|({OF_VECTORS})_{letter})(_|$)", name))


def moved_back(found, turn):
    """The fields of a moved sea in the coordinates before."""
    result = {}
    for name, values in found.items():
        if turn == 0:
            result[name] = -values[..., ::-1] if is_component(name, "u") else values[..., ::-1]
            continue
        # the new sea's u was -v, its v was u
        old = re.sub(r"(?<![a-z])[uv](?![a-z])", lambda letter: {"u": "v", "v": "u"}[letter[0]], name)
        back = np.swapaxes(values, -1, -2)[..., ::-1, :]
        result[old] = -back if is_component(name, "u") else back
    return result


def compare(name, first, second, limit):
    worst, where = 0, "nothing"
    for field, values in first.items():
        there = np.isfinite(values) & (np.abs(values) < 1e30)
        size = max(np.max(np.abs(values[there]), initial=0), 1e-30)
        off = np.max(np.abs(values - second[field])[there], initial=0) / size
        if off > worst:
            worst, where = off, field
    cases.below(f"{name}: largest difference, of {where}", worst, limit)
