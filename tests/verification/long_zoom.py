# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""A zoom against the fine grid over all of the sea and the coarse one alone: error and cost; and on every number of ranks."""

import json
import time
import warnings
from pathlib import Path

import cases
import numpy as np

BAY = "zoomed_bay"
OUTPUT = [{"file": "maps.nc", "every_s": 3600, "variables": ["eta", "u_east", "salinity"]}]
bay = json.loads((cases.SOURCE / "scenarios" / f"{BAY}.json").read_text())
bay.pop("zoom")
fine = {**bay, "grid": {**bay["grid"], "dx_m": 500}, "time": {**bay["time"], "step_s": 60}}


def seen(label, sea):
    path = Path.cwd() / f"{label}.json"
    path.write_text(json.dumps({**sea, "output": OUTPUT}))
    start = time.time()
    run = cases.run(path, label=f"{label}_run")
    return run.read("maps.nc"), time.time() - start


def mean(a):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of land
        return np.nanmean(a.reshape(*a.shape[:-2], a.shape[-2] // 3, 3, a.shape[-1] // 3, 3), (-3, -1))


def rms(a):
    return np.sqrt(np.nanmean(a[1:] ** 2))


OPEN = {"bathymetry": {"bed_m": "-10 + 4*x/48000 - cos(y/3000)"}, "rivers": []}  # the bay without what the zoom shows
BOX = (Ellipsis, slice(4, 12), slice(14, 26))


def off_outside(found, exact):
    off = np.array(found - exact)
    off[BOX] = np.nan
    return rms(off)


there, whole = seen("fine", fine)
rough, cheap = seen("coarse", bay)
open_there, open_rough = (seen(f"open_{label}", {**sea, **OPEN})[0] for label, sea in (("fine", fine), ("coarse", bay)))
start = time.time()
run = cases.run(BAY, {"/output": OUTPUT, "/zoom/output": [{**OUTPUT[0], "file": "finer.nc"}]})
print(f"seconds: {whole:.1f} fine, {time.time() - start:.1f} zoomed, {cheap:.1f} coarse")
around, inside = run.read("maps.nc"), run.read("finer.nc")
print(f"{'rms':10}{'finer grid':>14}{'coarse alone':>14}{'outside, two-way':>18}{'outside, coarse':>18}{'without the island':>20}")
# Around the zoom coarse cells are off by what they are off in a bay without island and brook, too: no zoom takes that away. What island and
# brook add to it, as coarse cells see them (0.17, 0.02 and 0.08 of it), is gone with the zoom; less of salinity.
for what, limit, part, own in (("eta", 0.0043, 0.17, 1), ("u_east", 0.0062, 0.38, 1), ("salinity", 0.037, 0.29, 1.05)):
    exact = mean(there[what])
    finer, alone = rms(inside[what] - there[what][..., 12:36, 42:78]), rms((rough[what] - exact)[BOX])
    outside = [off_outside(a[what], exact) for a in (around, rough)]
    without = off_outside(open_rough[what], mean(open_there[what]))
    print(f"{what:10}{finer:14.4f}{alone:14.4f}{outside[0]:18.4f}{outside[1]:18.4f}{without:20.4f}")
    cases.below(f"{what} inside", finer, limit)
    cases.below(f"{what} inside, of the error of the coarse grid alone", finer / alone, part)
    cases.below(f"{what} around it, of that error there", outside[0] / outside[1], 0.98)
    cases.below(f"{what} around it, of the error that coarse cells have there without the island", outside[0] / without, own)
short = {"/grid/length_y_m": 36000, "/time/duration_s": 3600, "/output": [], "/zoom/output": []}
one = cases.run(BAY, short)
for ranks in range(2, 8):
    cases.equal(f"digest on {ranks} ranks", cases.run(BAY, short, ranks=ranks).digest, one.digest)
cases.finish()
