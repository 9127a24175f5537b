# SPDX-License-Identifier: Apache-2.0
"""Open boundaries that are legal but probably a mistake: check warns about each, and about nothing else; a nest beside edges
of one's own."""

import json
from pathlib import Path

import cases
import netCDF4
import numpy as np


def outside(name, hours):
    """Level, currents and salinity every so many hours."""
    with netCDF4.Dataset(name, "w") as data:
        axes = {"time": np.arange(0, 49, hours) * 3600.0, "z": np.array([-20.0, 5.0]), "y": np.array([-1e4, 1e4]), "x": np.array([-1e4, 1e4])}
        for axis, values in axes.items():
            data.createDimension(axis, len(values))
            data.createVariable(axis, "f8", (axis,))[:] = values
            data[axis].units = "seconds since 2000-01-01" if axis == "time" else "m"
        wave = 0.1 * np.cos(axes["time"] / 7000)[:, None, None, None] + np.zeros((1, 2, 2, 2))
        for variable, unit, values in (("eta", "m", wave[:, 0]), ("u", "m/s", wave), ("v", "m/s", 0 * wave), ("salinity", "1", 30 + wave)):
            data.createVariable(variable, "f8", ("time", "z", "y", "x")[:1] + ("z",) * (values.ndim == 4) + ("y", "x")).units = unit
            data[variable][:] = values
    return str(Path.cwd() / name)


HOURLY, DAILY = outside("hourly.nc", 1), outside("daily.nc", 24)
SEA = {"grid": {"kind": "cartesian", "length_x_m": 5000, "length_y_m": 4000, "dx_m": 500, "levels": {"bottom_m": -10, "dz_m": 5}},
       "bathymetry": {"bed_m": -10}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 600, "step_s": 60},
       "physics": {"density": {"equation": "linear"}}, "initial": {"salinity": 30}, "output": []}


def warned(label, boundary, **changes):
    path = Path.cwd() / f"{label}.json"
    path.write_text(json.dumps({**SEA, **({"boundaries": boundary} if boundary else {}), **changes}))
    return cases.run(path, label=f"{label}_run").message


tide = {"tide": [{"constituent": "M2", "amplitude_m": 0.3}], "tide_ramp_s": 0}
file = {"name": "sea", "edge": "all", "kind": "flather", "file": HOURLY}
nudged = [{"variable": "u", "to": {"file": DAILY}, "time_s": 3600}]
words = {"tide_twice": ("would count twice", [{**file, **tide}], {}),
         "incoming": ("has a velocity of its own", [{"name": "sea", "edge": "west", "kind": "flather", "incoming_wave": True,
                                                    "eta_m": "0.1*sin(t/900)", "velocity_m_s": "0.1*sin(t/900)"}], {}),
         "centimetres": ("is it in metres?", [{"name": "sea", "edge": "west", "kind": "elevation", "eta_m": "15*sin(2*pi*t/150)"}], {"allow": ["scales"]}),
         "no_currents": ("does not use the currents", [{**file, "kind": "chapman"}], {}),
         "slow_inflow": ("returns before", [{**file, "inflow_relaxation_s": 3600}], {}),
         "drifting": ("set \"relaxation\": {\"out_s\": 86400}", [{"name": "sea", "edge": "west", "kind": "chapman", "eta_m": 0}], {}),
         "coarse": ("enters distorted", [{**file, "file": outside("coarse.nc", 3)}], {}),
         "daily": ("the sea inside will be wrong", [{**file, "file": DAILY}], {}),
         "daily_zone": ("u is not relaxed", [{**file, "file": DAILY, "relaxation_zone": {"cells": 3}}], {}),
         "daily_nudged": ("damps a tide", [{**file, "eta_m": 0}], {"nudging": nudged})}
plain = warned("plain", [{**file, "relaxation_zone": {"cells": 3}}])
for label, (text, boundary, changes) in words.items():
    message = warned(label, boundary, **changes)
    cases.equal(f"{label}: a warning", text in message, True)
    cases.equal(f"{label}: none without the mistake", text in plain, False)

# a coarse run that is missing is one mistake, not three
Path("lost.json").write_text(json.dumps({**SEA, "nest": "lost.nc", "initial": {}, "output": [{"every_s": 600, "variables": ["salinity"]}]}))
lost = cases.run(Path("lost.json").resolve(), may_fail=True)
cases.equal("a nest without its coarse run: refused, once", (lost.code != 0, lost.message.count("error:"), '"lost.nc" cannot be found' in lost.message), (True, 1, True))

# a nest whose edges are one's own, in part or all
own = {"kind": "elevation", "eta_m": 0.05}
nest = {"nest": HOURLY, "initial": {}}
cases.equal("a nest that has no edge left", "leave no open edge" in warned("none_left", [{"name": "mine", "edge": "all", **own}], **nest), True)
half = warned("half", [{"name": "mine", "edge": "west", **own}], **nest)
cases.equal("a nest beside an edge of one's own", "leave no open edge" in half, False)
named = warned("named", [{"name": "nest", "edge": "rest", "kind": "radiation", "sponge": {"width_m": 2000, "time_s": 600}}], **nest)
cases.equal("a nest with options of its own", "error" in named, False)
cases.finish()
