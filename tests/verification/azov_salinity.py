# SPDX-License-Identifier: Apache-2.0
"""The storm of 2014 with salt and heat in the water, on a coarse grid: the salt goes into the bay and out again, the sea is mixed and
cools, nothing is lost or beyond its bounds."""

import cases
import numpy as np

run = cases.run("azov_storm_2014_stratified", {"/grid/dx_m": 6000, "/time/step_s": 300, "/output/0/every_s": 86400, "/output/1/every_s": 43200})
cases.conserves(run, 1e-14)
for name in ("salinity", "temperature"):
    accounts = [line["tracers"][name] for line in run.log]
    cases.below(f"account of {name}", max(abs(a["error"]) / a["content"] for a in accounts), 1e-13)
salt = [line["tracers"]["salinity"] for line in run.log]
cases.between("least salinity", min(a["least"] for a in salt), 0.4 - 1e-9, 0.6)
cases.below("salinity beyond that of the Black Sea", max(a["most"] for a in salt), 17.9)

series = run.stations()
hours = (series["time"] - series["time"][0]) / 3600
for name, least, most in (("Taganrog", 1, 4), ("Yeisk", 2, 5)):
    surface = series["salinity"][:, series["names"].index(name), -1]
    storm = hours < 50
    cases.between(f"{name}: salinity rises by [g/kg]", np.max(surface[storm]) - surface[0], least, most)
    cases.between(f"{name}: most of it after [h]", hours[np.argmax(surface[storm])], 36, 46)
    cases.between(f"{name}: falls again by [g/kg]", np.max(surface[storm]) - np.min(surface[hours > 40]), 0.5, 4)
middle = series["temperature"][:, series["names"].index("middle"), -1]
cases.between("the open sea cools by [K]", middle[0] - middle[-1], 1, 3)

layers = run.fields("*_layers.nc")["salinity"][4]  # after 48 h
lowest = np.take_along_axis(layers, np.argmax(np.isfinite(layers), axis=0)[None], 0)[0]
cases.below("part of the sea that the storm leaves in layers", np.nanmean(np.abs(lowest - layers[-1]) > 0.1), 0.01)
cases.finish()
