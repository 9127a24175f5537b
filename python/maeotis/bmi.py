# SPDX-License-Identifier: Apache-2.0
"""The Basic Model Interface 2.0 in Python, on the library's table of functions (bmi/maeotis_bmi.h)."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import Any, Callable

import numpy as np

from . import _where
from ._where import MaeotisError

_TEXT = 2048
_D, _I, _S, _P = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int), ctypes.c_char_p, ctypes.c_void_p
_int, _double = ctypes.c_int, ctypes.c_double

# Members of the table in their order, with their arguments after the model.
_MEMBERS: list[tuple[str, tuple[Any, ...]]] = [
    ("initialize", (_S,)), ("update", ()), ("update_until", (_double,)), ("finalize", ()),
    ("get_component_name", (_S,)), ("get_input_item_count", (_I,)), ("get_output_item_count", (_I,)),
    ("get_input_var_names", (_P,)), ("get_output_var_names", (_P,)),
    ("get_var_grid", (_S, _I)), ("get_var_type", (_S, _S)), ("get_var_units", (_S, _S)), ("get_var_itemsize", (_S, _I)),
    ("get_var_nbytes", (_S, _I)), ("get_var_location", (_S, _S)),
    ("get_current_time", (_D,)), ("get_start_time", (_D,)), ("get_end_time", (_D,)), ("get_time_units", (_S,)), ("get_time_step", (_D,)),
    ("get_value", (_S, _P)), ("get_value_ptr", (_S, ctypes.POINTER(_P))), ("get_value_at_indices", (_S, _P, _P, _int)),
    ("set_value", (_S, _P)), ("set_value_at_indices", (_S, _P, _int, _P)),
    ("get_grid_rank", (_int, _I)), ("get_grid_size", (_int, _I)), ("get_grid_type", (_int, _S)), ("get_grid_shape", (_int, _P)),
    ("get_grid_spacing", (_int, _P)), ("get_grid_origin", (_int, _P)), ("get_grid_x", (_int, _P)), ("get_grid_y", (_int, _P)),
    ("get_grid_z", (_int, _P)), ("get_grid_node_count", (_int, _I)), ("get_grid_edge_count", (_int, _I)), ("get_grid_face_count", (_int, _I)),
    ("get_grid_edge_nodes", (_int, _P)), ("get_grid_face_edges", (_int, _P)), ("get_grid_face_nodes", (_int, _P)),
    ("get_grid_nodes_per_face", (_int, _P)),
]


class _Table(ctypes.Structure):
    _fields_ = [("data", _P)] + [(name, ctypes.CFUNCTYPE(_int, _P, *arguments)) for name, arguments in _MEMBERS]


_library: ctypes.CDLL | None = None
_turn = threading.RLock()  # the library computes for one thread at a time: MPI, its messages and its formulas are the process's


def _in_turn(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with _turn:
            return function(*arguments)

    return call


def load() -> ctypes.CDLL:
    with _turn:
        return _load()


def _load() -> ctypes.CDLL:
    global _library
    if _library is None:
        library = ctypes.CDLL(str(_where.library()))
        i64, model = ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(_Table)
        for name, result, arguments in (
            ("register_bmi", model, (model,)), ("maeotis_bmi_option", _int, (model, _S)), ("maeotis_bmi_communicator", _int, (model, _int)),
            ("maeotis_bmi_message", _S, (model,)), ("maeotis_bmi_done", _int, (model,)),
            ("maeotis_bmi_status", _int, (model,)), ("maeotis_bmi_towards", _int, (model, _double, _I)),
            ("maeotis_bmi_digest", _int, (model, ctypes.POINTER(ctypes.c_uint64))), ("maeotis_bmi_epoch", _int, (model, _D)),
            ("maeotis_bmi_steps", _int, (model, i64)), ("maeotis_bmi_short_name", _S, (model, _S)),
            ("maeotis_bmi_write_restart", _int, (model, _S)), ("maeotis_bmi_places", _int, (model, _D, _D)),
            ("maeotis_bmi_view", _int, (model, _S, _int, ctypes.POINTER(_P), i64, i64)), ("maeotis_bmi_close", _int, (model,)),
            ("maeotis_bmi_version", _S, ()),
        ):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
            setattr(library, name, _in_turn(function))
        _library = library
    return _library


def _address(values: np.ndarray) -> int:
    return values.ctypes.data


class MaeotisBmi:
    """One sea. The methods are those of BMI 2.0; bmi/README.md describes variables, units and grids."""

    def __init__(self) -> None:
        self._library = load()
        self._table = _Table()
        self._library.register_bmi(self._table)
        self._pid = os.getpid()
        self._pointers: list[weakref.ref[Any]] = []

    # ---- calls

    def _call(self, name: str, *arguments: Any) -> None:
        with _turn:  # the message of a failure, too, before another thread's call
            if getattr(self._table, name)(ctypes.addressof(self._table), *arguments) != 0:
                self._fail()

    def _extra(self, name: str, *arguments: Any) -> None:
        with _turn:
            if getattr(self._library, f"maeotis_bmi_{name}")(self._table, *arguments) != 0:
                self._fail()

    def _fail(self) -> None:
        raise MaeotisError(self._library.maeotis_bmi_message(self._table).decode(errors="replace") or "the model failed")

    def _text(self, name: str, *arguments: Any) -> str:
        out = ctypes.create_string_buffer(_TEXT)
        self._call(name, *arguments, out)
        return out.value.decode()

    def _whole(self, name: str, *arguments: Any) -> int:
        out = _int()
        self._call(name, *arguments, ctypes.byref(out))
        return out.value

    def _number(self, name: str) -> float:
        out = _double()
        self._call(name, ctypes.byref(out))
        return out.value

    # ---- control

    def initialize(self, config_file: str, options: list[str] | tuple[str, ...] = ()) -> None:
        """`config_file`: a scenario. `options`: words as `maeotis run` takes them."""
        for word in options:
            self._extra("option", str(word).encode())
        self._call("initialize", os.fspath(config_file).encode())

    def update(self) -> None:
        self._call("update")

    def update_until(self, time: float) -> None:
        self._call("update_until", time)

    def finalize(self) -> None:
        """Ends the run. Its memory stays as long as an array of get_value_ptr refers to it."""
        try:
            self._extra("close")  # whose reason can be asked for: that of finalize goes with the model
        finally:
            if all(pointer() is None for pointer in self._pointers):
                self._call("finalize")

    # ---- what there is

    def get_component_name(self) -> str:
        return self._text("get_component_name")

    def _names(self, which: str) -> tuple[str, ...]:
        buffers = [ctypes.create_string_buffer(_TEXT) for _ in range(self._whole(f"get_{which}_item_count"))]
        names = (_S * len(buffers))(*(ctypes.cast(b, _S) for b in buffers))
        self._call(f"get_{which}_var_names", ctypes.cast(names, _P))
        return tuple(b.value.decode() for b in buffers)

    def get_input_item_count(self) -> int:
        return self._whole("get_input_item_count")

    def get_output_item_count(self) -> int:
        return self._whole("get_output_item_count")

    def get_input_var_names(self) -> tuple[str, ...]:
        return self._names("input")

    def get_output_var_names(self) -> tuple[str, ...]:
        return self._names("output")

    def get_var_grid(self, name: str) -> int:
        return self._whole("get_var_grid", name.encode())

    def get_var_type(self, name: str) -> str:
        return self._text("get_var_type", name.encode())

    def get_var_units(self, name: str) -> str:
        return self._text("get_var_units", name.encode())

    def get_var_itemsize(self, name: str) -> int:
        return self._whole("get_var_itemsize", name.encode())

    def get_var_nbytes(self, name: str) -> int:
        return self._whole("get_var_nbytes", name.encode())

    def get_var_location(self, name: str) -> str:
        return self._text("get_var_location", name.encode())

    # ---- time

    def get_current_time(self) -> float:
        return self._number("get_current_time")

    def get_start_time(self) -> float:
        return self._number("get_start_time")

    def get_end_time(self) -> float:
        return self._number("get_end_time")

    def get_time_units(self) -> str:
        return self._text("get_time_units")

    def get_time_step(self) -> float:
        return self._number("get_time_step")

    # ---- values

    def _size(self, name: str) -> int:
        return self.get_var_nbytes(name) // self.get_var_itemsize(name)

    def _checked(self, values: Any, count: int, name: str, of: type = np.float64) -> np.ndarray:
        values = np.ascontiguousarray(values, dtype=of).ravel()
        if values.size != count:
            raise ValueError(f"{name} takes {count} values, not {values.size}")
        return values

    @staticmethod
    def _indices(inds: Any) -> np.ndarray:
        """As the library takes them: a number outside the range of its type would select another element."""
        given = np.asarray(inds)
        if given.size and given.dtype.kind not in "iu":
            raise TypeError(f"indices are whole numbers, not {given.dtype}")
        most = np.iinfo(np.int32).max
        if given.size and (int(given.min()) < 0 or int(given.max()) > most):
            raise IndexError(f"indices lie from 0 to {most}, not from {given.min()} to {given.max()}")
        return np.ascontiguousarray(given, dtype=np.int32).ravel()

    def get_value(self, name: str, dest: np.ndarray) -> np.ndarray:
        values = np.empty(self._size(name))
        if dest.size != values.size:
            raise ValueError(f"{name} has {values.size} values, the array {dest.size}")
        self._call("get_value", name.encode(), _address(values))
        dest[...] = values.reshape(dest.shape)
        return dest

    def get_value_ptr(self, name: str) -> np.ndarray:
        """An array that each update refills, and that the model reads before the next one if the variable is an input."""
        pointer = _P()
        self._call("get_value_ptr", name.encode(), ctypes.byref(pointer))
        values = np.ctypeslib.as_array(ctypes.cast(pointer, _D), (self._size(name),))
        memory = values.base if values.base is not None else values
        self._pointers.append(weakref.ref(memory))
        return values

    def get_value_at_indices(self, name: str, dest: np.ndarray, inds: np.ndarray) -> np.ndarray:
        index = self._indices(inds)
        values = np.empty(index.size)
        self._call("get_value_at_indices", name.encode(), _address(values), _address(index), index.size)
        dest[...] = values.reshape(dest.shape)
        return dest

    def set_value(self, name: str, src: np.ndarray) -> None:
        values = self._checked(src, self._size(name), name)  # named, so that it lives during the call
        self._call("set_value", name.encode(), _address(values))

    def set_value_at_indices(self, name: str, inds: np.ndarray, src: np.ndarray) -> None:
        index = self._indices(inds)
        values = self._checked(src, index.size, name)
        self._call("set_value_at_indices", name.encode(), _address(index), index.size, _address(values))

    # ---- grids

    def get_grid_rank(self, grid: int) -> int:
        return self._whole("get_grid_rank", grid)

    def get_grid_size(self, grid: int) -> int:
        return self._whole("get_grid_size", grid)

    def get_grid_type(self, grid: int) -> str:
        return self._text("get_grid_type", grid)

    def _into(self, name: str, grid: int, out: np.ndarray, count: int, of: type = np.float64) -> np.ndarray:
        values: np.ndarray = np.empty(count, dtype=of)
        self._call(name, grid, _address(values))
        out[...] = values
        return out

    def get_grid_shape(self, grid: int, shape: np.ndarray) -> np.ndarray:
        return self._into("get_grid_shape", grid, shape, self.get_grid_rank(grid), np.int32)

    def get_grid_spacing(self, grid: int, spacing: np.ndarray) -> np.ndarray:
        return self._into("get_grid_spacing", grid, spacing, self.get_grid_rank(grid))

    def get_grid_origin(self, grid: int, origin: np.ndarray) -> np.ndarray:
        return self._into("get_grid_origin", grid, origin, self.get_grid_rank(grid))

    def _count(self, grid: int, axis: int) -> int:
        shape = self.get_grid_shape(grid, np.empty(self.get_grid_rank(grid), np.int32))
        return int(shape[axis if len(shape) > 1 else 0])  # of points, all coordinates are as many

    def get_grid_x(self, grid: int, x: np.ndarray) -> np.ndarray:
        return self._into("get_grid_x", grid, x, self._count(grid, -1))

    def get_grid_y(self, grid: int, y: np.ndarray) -> np.ndarray:
        return self._into("get_grid_y", grid, y, self._count(grid, -2))

    def get_grid_z(self, grid: int, z: np.ndarray) -> np.ndarray:
        return self._into("get_grid_z", grid, z, self._count(grid, 0))

    def get_grid_node_count(self, grid: int) -> int:
        return self._whole("get_grid_node_count", grid)

    def get_grid_edge_count(self, grid: int) -> int:
        return self._whole("get_grid_edge_count", grid)

    def get_grid_face_count(self, grid: int) -> int:
        return self._whole("get_grid_face_count", grid)

    def _no_topology(self, grid: int, out: np.ndarray) -> np.ndarray:
        self.get_grid_edge_count(grid)  # raises unless the grid is unstructured; its nodes have no edges
        return out

    get_grid_edge_nodes = get_grid_face_edges = get_grid_face_nodes = get_grid_nodes_per_face = _no_topology
