# SPDX-License-Identifier: Apache-2.0
"""Files of runs: open, draw, and compare them with gauges, by the code of the command line (postproc/)."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any, Mapping, Union

import numpy as np

from ._where import Refused  # and the path of what follows

from maeotis_results import beside, reading  # isort: skip
from maeotis_results import gauges as measured  # isort: skip
from maeotis_results.run import Run  # isort: skip

Gauge = Union[str, os.PathLike, "tuple[Any, Any]"]


def open(path: str | os.PathLike, kind: str = "fields", name: str | None = None) -> Any:
    """A file of a run, or of a folder, as an xarray dataset: `kind` is "fields", "stations" or "extremes"; if there are several
    of a kind, `name` is the end of the file's name. The files of an output that is split by day, month or year are one dataset."""
    path = Path(path)
    if not path.is_dir():
        return reading.open_file(path)
    run, found = Run(path, "**/*.nc"), []
    if run.left_out:
        raise Refused("\n".join(run.left_out.values()))
    for output, files in run.outputs.items():
        data = reading.open_parts(output, files)
        if reading.kind_of(data) == kind and (name is None or output.stem.endswith(Path(name).stem)):
            found.append((output, data))
        else:
            data.close()
    if len(found) != 1:
        names = ", ".join(str(output.relative_to(path)) for output in ([output for output, _ in found] or run.outputs))
        raise Refused(f"{path} holds {len(found) or 'no'} files of {kind}: name one of {names or 'none'}")
    return found[0][1]


def xgcm_grid(data: Any) -> Any:
    """The grid of a dataset for xgcm: cells between their faces, on the axes that it has."""
    import xgcm

    coords = {}
    for axis, names in {"X": ("lon", "x"), "Y": ("lat", "y"), "Z": ("level",)}.items():
        for centre in names:
            outer = next((f"{centre}_{end}" for end in ("u", "v", "w") if f"{centre}_{end}" in data.dims), None)
            if centre in data.dims and outer:
                coords[axis] = {"center": centre, "outer": outer}
    if not coords:
        raise Refused("the dataset has no faces: add u and v to the output's variables")
    # xgcm 0.10 calls "padding" what was called "boundary".
    edges = "padding" if "padding" in inspect.signature(xgcm.Grid).parameters else "boundary"
    return xgcm.Grid(data, coords=coords, autoparse_metadata=False, **{edges: {axis: "extend" for axis in coords}})


def parcels_dataset(data: Any, level: int = -1) -> Any:
    """The currents of a layer of a fields file as `parcels.FieldSet.from_sgrid_conventions` requires them (Parcels 4): U and V, and
    `lon` and `lat` at the corners of the cells (C grid) or, where the file has its velocities at the centres, there."""
    import xarray

    axes = [(centre, face, new) for centre, face, new in (("lon", "lon_u", "x"), ("lat", "lat_v", "y"), ("x", "x_u", "x"), ("y", "y_v", "y"))
            if centre in data.dims]
    pair = next((pair for pair in (("u", "v"), ("u_east", "v_north")) if set(pair) <= set(data.data_vars)), None)
    if pair is None or len(axes) != 2:
        raise Refused("the dataset has no currents on a map: add u and v, or u_east and v_north, to the output's variables")
    faces = all(face in data.dims for _, face, _ in axes)
    out = {}
    for name, part in zip("UV", pair):
        field = data[part].isel(level=level) if "level" in data[part].dims else data[part]
        names = {centre: f"{new}_face" if faces else f"{new}_node" for centre, _, new in axes} | {face: f"{new}_node" for _, face, new in axes}
        out[name] = field.drop_vars([c for c in field.coords if c != "time"]).rename({dim: names[dim] for dim in field.dims if dim in names})
    corners = {place: (f"{new}_node", data[face if faces else centre].values) for place, (centre, face, new) in zip(("lon", "lat"), axes)}
    topology = {"cf_role": "grid_topology", "topology_dimension": 2, "node_dimensions": "x_node y_node", "node_coordinates": "lon lat",
                "face_dimensions": "x_face: x_node (padding: none) y_face: y_node (padding: none)"}
    return xarray.Dataset({**out, "grid": ((), 0, topology)}, coords=corners, attrs=data.attrs)


def plot(what: str | os.PathLike, variable: str | None = None, time: str | None = None, level: int = -1, arrows: bool = True) -> list[Any]:
    """Draws a file, or every file of a folder, as `maeotis plot` does; the figures."""
    from maeotis_plot import __main__ as pictures
    from maeotis_plot import style

    path = Path(what)
    words = [*(["-v", variable] if variable else []), *(["-t", str(time)] if time is not None else []), "-l", str(level),
             *([] if arrows else ["--no-arrows"])]
    style.set_up()
    files = [path] if path.is_file() else list(Run(path, "**/*.nc").outputs)
    options, figures = pictures.parse([*map(str, files), *words]), []
    for file in files:
        figures += [figure for _, figure in pictures.draw(file, options)]
    return figures


def _series(gauge: Gauge, unit: str | None, target: str, hours_ahead: float | None) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(gauge, (str, os.PathLike)):
        return measured.read(Path(gauge), unit, target, hours_ahead)
    times, values = (gauge.index, gauge.values) if hasattr(gauge, "index") and not isinstance(gauge, tuple) else gauge
    seconds = reading.seconds(np.asarray(times, dtype="datetime64[ns]")) - 3600 * (hours_ahead or 0)
    values = np.asarray(values, dtype=float)
    return seconds[np.isfinite(values)], values[np.isfinite(values)]


def compare(stations: Any, gauges: Mapping[str, Gauge], variable: str = "eta", level: int = -1, unit: str | None = None,
            hours_ahead: float | None = None, bias: bool = True, ramp: bool = False) -> dict[str, dict[str, float]]:
    """Compares series of a run with measured ones: for each station pairs, bias, rmse, rmse_about_bias, skill and correlation. `stations`:
    a folder, a file or its dataset. A gauge: a file, (times, values), or a pandas series. bias=False: its zero is unknown. ramp=True:
    from the first record on, not only after the scenario's ramps. hours_ahead: of UTC, for times without a zone."""
    data = stations if hasattr(stations, "data_vars") else open(stations, "stations")
    found = {}
    for station, gauge in gauges.items():
        model = beside.model_series(data, station, variable, level)
        series = _series(gauge, unit, beside.unit_of(data, variable), hours_ahead)
        both = beside.of(data, station, model, series, f"{station}: the gauge", with_ramp=ramp, no_bias=not bias)
        found[station] = {name: float(value) for name, value in both.measures.items()}
    return found
