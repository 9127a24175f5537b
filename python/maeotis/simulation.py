# SPDX-License-Identifier: Apache-2.0
"""A sea in this process, step by step."""

from __future__ import annotations

import ctypes
import os
import warnings
import weakref
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import _where
from .bmi import MaeotisBmi, _turn


class Variable(NamedTuple):
    name: str  # the program's own
    standard_name: str
    units: str
    dims: tuple[str, ...]
    input: bool  # can be set


class _Memory:
    """The model's memory, kept as long as an array refers to it."""

    def __init__(self, bmi: MaeotisBmi, interface: dict[str, Any]) -> None:
        self.bmi, self.__array_interface__ = bmi, interface


_DIMS = {0: ("y", "x"), 1: ("level", "y", "x"), 2: ("level", "y", "x_u"), 3: ("level", "y_v", "x"), 4: ("river",)}


class Simulation:
    """A run that is stepped from Python. It computes the same bits as the command line, and writes the same files unless
    files=False. Levels count from the bed up: the last is at the surface. Values are NaN where there is no water."""

    def __init__(self, scenario: _where.Scenario, *, set: _where.Settings | None = None, files: bool = True, overwrite: bool = False,
                 restart: str | os.PathLike | None = None, force: bool | str = False, steps: int | None = None, until: str | None = None,
                 device: str | None = None, log_json: str | os.PathLike | None = None, quiet: bool = True, comm: Any = None,
                 name: str | None = None) -> None:
        self._bmi = MaeotisBmi()
        self._open = False
        if comm is not None:  # of mpi4py
            self._bmi._extra("communicator", comm.py2f())
        words = _where.options(set, restart=restart, force=force, steps=steps, until=until, device=device, log_json=log_json, quiet=quiet, overwrite=overwrite,
                               no_files=not files)
        try:
            with _where.scenario_file(scenario, name) as file:
                self._bmi.initialize(str(file), words)
        except _where.MaeotisError as error:
            refused = self._bmi._library.maeotis_bmi_status(self._bmi._table) == 2
            self._bmi.finalize()
            raise (_where.Refused if refused else _where.MaeotisError)(_where.in_python(str(error), scenario)) from None
        self._open = True
        weakref.finalize(self._bmi, _end, self._bmi._library, self._bmi._table, os.getpid())
        epoch = ctypes.c_double()
        self._bmi._extra("epoch", ctypes.byref(epoch))
        self.start = np.datetime64("1970-01-01T00:00:00.000") + np.timedelta64(round(epoch.value * 1e3), "ms")
        self.end = self._bmi.get_end_time()
        self.variables = {v.name: v for v in self._variables()}

    def _variables(self) -> list[Variable]:
        inputs, short = self._bmi.get_input_var_names(), self._bmi._library.maeotis_bmi_short_name
        return [Variable(short(self._bmi._table, name.encode()).decode(), name, self._bmi.get_var_units(name),
                         _DIMS[self._bmi.get_var_grid(name)], name in inputs) for name in self._bmi.get_output_var_names()]

    # ---- time

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self._bmi.get_current_time()

    @property
    def date(self) -> np.datetime64:
        return self.start + np.timedelta64(round(self.time * 1e3), "ms")

    @property
    def done(self) -> bool:
        return bool(self._bmi._library.maeotis_bmi_done(self._bmi._table))

    @property
    def steps(self) -> int:
        """Made since the start."""
        out = ctypes.c_int64()
        self._bmi._extra("steps", ctypes.byref(out))
        return out.value

    @property
    def digest(self) -> str:
        """Of the state, as the command line prints it: equal digests are equal seas."""
        out = ctypes.c_uint64()
        self._bmi._extra("digest", ctypes.byref(out))
        return f"{out.value:016x}"

    @property
    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Longitudes and latitudes of the columns, of a grid in degrees or on a map."""
        lon, lat = np.empty(self._shape("eta")), np.empty(self._shape("eta"))
        self._bmi._extra("places", *(values.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for values in (lon, lat)))
        return lon, lat

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self._bmi.update()

    def run(self, until: float | str | np.datetime64 | None = None) -> None:
        """Runs to a date, to so many seconds after the start, or to the end. Automatic steps end exactly at that time, steps of fixed
        length at or just after it."""
        if until is None:
            until = self.end
        elif not isinstance(until, (int, float)):
            until = float((np.datetime64(str(until).rstrip("Z")) - self.start) / np.timedelta64(1, "us")) * 1e-6
        more = ctypes.c_int(1)
        while more.value:  # step by step, so that an interrupt is heard after one
            self._bmi._extra("towards", float(until), ctypes.byref(more))

    # ---- values

    def _shape(self, name: str) -> tuple[int, ...]:
        grid = self._bmi.get_var_grid(name)
        return tuple(map(int, self._bmi.get_grid_shape(grid, np.empty(self._bmi.get_grid_rank(grid), np.int32))))

    def __getitem__(self, name: str) -> np.ndarray:
        """A copy, NaN where there is no water."""
        values = np.empty(self._shape(name))
        self._bmi._call("get_value", name.encode(), values.ctypes.data)
        return values

    def __setitem__(self, name: str, values: Any) -> None:
        """Values for all cells, or one for all; NaN keeps the present value. The change counts as a source in the budgets. Wind, other
        forcing and discharges replace the scenario's from the next step on, until they are set again."""
        self._bmi.set_value(name, np.broadcast_to(np.asarray(values, dtype=float), self._shape(name)))

    def view(self, name: str, writable: bool = False) -> np.ndarray:
        """The model's own memory, without a copy, until the next step; undefined where there is no water. Tracers may be
        changed through it."""
        first = ctypes.c_void_p()
        shape, strides = (ctypes.c_int64 * 3)(), (ctypes.c_int64 * 3)()
        self._bmi._extra("view", name.encode(), int(writable), ctypes.byref(first), shape, strides)
        interface = {"version": 3, "typestr": "<f8", "data": (first.value, not writable), "shape": tuple(shape),
                     "strides": tuple(8 * s for s in strides)}
        values = np.asarray(_Memory(self._bmi, interface))
        return values if len(self._shape(name)) == 3 else values[0]

    def data(self, name: str) -> Any:
        """A copy as an xarray.DataArray with coordinates, units and the date."""
        import xarray as xr

        grid, dims = self._bmi.get_var_grid(name), _DIMS[self._bmi.get_var_grid(name)]
        shape = self._shape(name)
        coords: dict[str, Any]
        if len(shape) == 1:
            coords = {axis: ("river", get(grid, np.empty(shape[0]))) for axis, get in (("x", self._bmi.get_grid_x), ("y", self._bmi.get_grid_y))}
        else:
            coords = {dims[-1]: self._bmi.get_grid_x(grid, np.empty(shape[-1])), dims[-2]: self._bmi.get_grid_y(grid, np.empty(shape[-2]))}
        if len(shape) == 3:
            coords["level"] = np.arange(shape[0])
        short = self._bmi._library.maeotis_bmi_short_name(self._bmi._table, name.encode()).decode()
        return xr.DataArray(self[name], coords={**coords, "time": self.date.astype("datetime64[ns]")}, dims=dims, name=short,
                            attrs={"units": self._bmi.get_var_units(name)})

    # ---- files and the end

    def write_restart(self) -> Path:
        """Writes a restart file, and returns its path."""
        path = ctypes.create_string_buffer(512)
        self._bmi._extra("write_restart", path)
        return Path(path.value.decode())

    def checkpoint(self) -> Path:
        """Former name of write_restart."""
        warnings.warn("checkpoint() is called write_restart() since version 1.0.0; the old name still works", FutureWarning, stacklevel=2)
        return self.write_restart()

    def close(self) -> None:
        """Ends the run and its files. Values can still be read."""
        if self._open:
            self._open = False
            self._bmi._extra("close")

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _end(library: ctypes.CDLL, table: Any, process: int) -> None:
    """When neither the simulation nor an array that refers to its memory is left."""
    with _turn:
        if os.getpid() == process and table.data:
            table.finalize(ctypes.addressof(table))
