# SPDX-License-Identifier: Apache-2.0
"""Files of an output that is cut by day, month or year, as one dataset. Its name is that of the output, of which there is no file."""

import glob
import re

import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from .program import Refused, check


PART = re.compile(r"(.+)_\d{4,8}")
PACKED = re.compile(r"(.+)_(pixels|packed)")
STALE = "was made by pack from {}, which has changed since: delete it, or pack that again"


def of(path):
    """The files of the output `path`, in the order of time; none where it is not cut."""
    parts = [file for file in path.parent.glob(f"{glob.escape(path.stem)}_*{glob.escape(path.suffix)}") if PART.fullmatch(file.stem)]
    return grouped(parts).get(path, [])


def grouped(files, left_out=None):
    """{output: its files, in the order of time}, without restart files. Files that cannot be read are named in `left_out` with the
    reason; without it they stay where their names have them: whoever opens them is refused."""
    found, damaged = {}, []
    for file in sorted(files):
        try:
            attributes = attributes_of(file)
        except Refused as refused:
            damaged.append((file, str(refused)))
            continue
        source = of_another_run(file, attributes)
        if source is not None and left_out is not None:
            left_out[file] = f"{file} {STALE.format(source.name)}"
        elif "maeotis_restart" not in attributes:
            found.setdefault(output_of(file, attributes), []).append(file)
    for file, why in damaged:
        if left_out is not None:
            left_out[file] = why
            continue
        name = PART.fullmatch(file.stem)
        output = file.with_stem(name[1]) if name else file
        found.setdefault(output if output in found else file, []).append(file)
    return {output: sorted(files) for output, files in found.items()}


def attributes_of(file):
    check(file)
    try:
        with xr.open_dataset(file, decode_cf=False, drop_variables=["station"]) as data:  # which is its own dimension until it is decoded
            return dict(data.attrs)
    except Exception as error:
        raise Refused(f"{file} cannot be read as NetCDF: {str(error).splitlines()[0]}") from None


def of_another_run(file, attributes):
    """The file beside it that `pack` made it from, where that is another run's by now; else None, as where that one is damaged."""
    name = PACKED.fullmatch(file.stem)
    source = name and file.with_stem(name[1])
    if not name or not source.is_file():
        return None
    try:
        now = attributes_of(source)
    except Refused:
        return None
    return source if any(str(attributes.get(key)) != str(now.get(key)) for key in ("history", "effective_scenario", "time_coverage_start", "time_coverage_end")) else None


def output_of(file, attributes):
    """The output that the file is a part of, or the file itself, also where the part was renamed."""
    whole, name = str(attributes.get("part_of", "")).rsplit("/", 1)[-1], PART.fullmatch(file.stem)
    return file.with_name(whole) if name and whole == f"{name[1]}{file.suffix}" and not file.with_name(whole).is_file() else file


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
