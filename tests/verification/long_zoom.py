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


there, whole = seen("fine", fine)
rough, cheap = seen("coarse", bay)
start = time.time()
run = cases.run(BAY, {"/output": OUTPUT, "/zoom/output": [{**OUTPUT[0], "file": "finer.nc"}]})
print(f"seconds: {whole:.1f} fine, {time.time() - start:.1f} zoomed, {cheap:.1f} coarse")
around, inside = run.read("maps.nc"), run.read("finer.nc")
print(f"{'rms':10}{'finer grid':>14}{'coarse alone':>14}{'outside, two-way':>18}{'outside, coarse':>18}")
for what, limit, part, beside in (("eta", 0.0048, 0.19, 0.76), ("u_east", 0.0076, 0.42, 0.97), ("salinity", 0.0413, 0.31, 1.03)):
    exact, box = mean(there[what]), (Ellipsis, slice(4, 12), slice(14, 26))
    finer, alone = rms(inside[what] - there[what][..., 12:36, 42:78]), rms((rough[what] - exact)[box])
    outside = [np.array(a[what] - exact) for a in (around, rough)]
    for a in outside:
        a[box] = np.nan
    print(f"{what:10}{finer:14.4f}{alone:14.4f}{rms(outside[0]):18.4f}{rms(outside[1]):18.4f}")
    cases.below(f"{what} inside", finer, limit)
    cases.below(f"{what} inside, of the error of the coarse grid alone", finer / alone, part)
    cases.below(f"{what} around it, of that error there", rms(outside[0]) / rms(outside[1]), beside)
short = {"/grid/length_y_m": 36000, "/time/duration_s": 3600, "/output": [], "/zoom/output": []}
one = cases.run(BAY, short)
for ranks in range(2, 8):
    cases.equal(f"digest on {ranks} ranks", cases.run(BAY, short, ranks=ranks).digest, one.digest)
cases.finish()
