# SPDX-License-Identifier: Apache-2.0
"""Files of an output that is cut by day, month or year, as one dataset. Its name is that of the output, of which there is no file."""

import re

import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing


def of(path):
    """The files of the output `path`, in the order of time; none where it is not cut."""
    pattern = re.compile(re.escape(path.stem) + r"_\d{4,8}" + re.escape(path.suffix))
    files = sorted(file for file in path.parent.glob("*" + path.suffix) if pattern.fullmatch(file.name)) if path.parent.is_dir() else []
    wholes = [part_of(file) for file in files]
    called = [whole and whole.rsplit("/", 1)[-1] == path.name for whole in wholes]
    return [file for file, whole, is_so in zip(files, wholes, called) if is_so or whole is None] if any(called) else []  # a damaged one may be a part


def part_of(file):
    """What the file says that it is a part of, "" where it says nothing; None: it cannot be opened."""
    try:
        with xr.open_dataset(file, decode_cf=False, drop_variables=["station"]) as data:  # which is its own dimension until it is decoded
            return str(data.attrs.get("part_of", ""))
    except Exception:
        return None  # whoever opens it says why


def output_of(file):
    """The output that the file is a part of, or the file itself."""
    whole = part_of(file)
    return file.with_name(whole.rsplit("/", 1)[-1]) if whole else file


def outputs(files):
    """The files, those of outputs that are cut only once: by the output's name."""
    return list(dict.fromkeys(output_of(file) for file in files))


class Joined(BackendArray):
    """Variables one after the other along their first dimension, of which only what is asked for is read."""

    def __init__(self, variables):
        self.variables = variables
        self.ends = np.cumsum([variable.shape[0] for variable in variables])
        self.shape = (int(self.ends[-1]), *variables[0].shape[1:])
        self.dtype = np.result_type(*(variable.dtype for variable in variables))

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self.read)

    def read(self, key):
        wanted = np.arange(self.shape[0])[key[0]]
        part, begins = np.searchsorted(self.ends, wanted, side="right"), self.ends - [v.shape[0] for v in self.variables]
        if not np.ndim(wanted):
            return np.asarray(self.variables[part][(int(wanted - begins[part]), *key[1:])].values)
        pieces = [self.variables[n][(wanted[part == n] - begins[n], *key[1:])].values for n in dict.fromkeys(part)]
        return np.concatenate(pieces) if pieces else np.empty((0, *np.empty(self.shape[1:])[key[1:]].shape), self.dtype)


def join(datasets):
    """One dataset of them all along time; what has no time is the first one's."""
    first, joined = datasets[0], {}
    for name, variable in first.variables.items():
        if variable.dims[:1] == ("time",):
            values = indexing.LazilyIndexedArray(Joined([data.variables[name] for data in datasets]))
            joined[name] = xr.Variable(variable.dims, values, variable.attrs, variable.encoding)
        else:
            joined[name] = variable
    attributes = {name: value for name, value in first.attrs.items() if name != "part_of"}
    attributes["time_coverage_end"] = datasets[-1].attrs.get("time_coverage_end", "")
    whole = xr.Dataset(joined, attrs=attributes).set_coords([name for name in first.coords if name in joined])
    whole.set_close(lambda: [data.close() for data in datasets])
    return whole


def extreme(data):
    """The extremes of all parts, of a dataset that holds them one after the other."""
    found = data.load().isel(time=-1).copy()
    for name in map(str, data.data_vars):
        values = data[name]
        if "time" not in values.dims or name.startswith("time_of_"):
            continue
        if name.startswith(("max_", "min_")):
            filled = values.fillna(-np.inf)  # no highest level of a day, but a lowest: what falls dry on one day has none
            which = filled.argmax("time") if name.startswith("max_") else filled.argmin("time")
            found[name] = values.isel(time=which).assign_attrs(values.attrs)
            if f"time_of_{name}" in data:
                found[f"time_of_{name}"] = data[f"time_of_{name}"].isel(time=which).assign_attrs(data[f"time_of_{name}"].attrs)
        elif name == "inundation_duration":
            found[name] = values.sum("time", min_count=1).assign_attrs(values.attrs)
    return found.assign_coords(time=data["time"][-1])
