# SPDX-License-Identifier: Apache-2.0
"""The schemes of momentum on the Azov Sea at growing steps: error, stability, cost. Prints the table of
docs/measurements.md, or draws it.

    MAEOTIS=build/maeotis PYTHONPATH=tests/support python3 bench/momentum_schemes.py [CASE...]
    PYTHONPATH=tests/support python3 bench/momentum_schemes.py --draw docs/measurements.md PICTURE.png

Takes half an hour on one core. Seconds are those of the processor in user mode: the machine may do other work.
"""

import re
import resource
import sys
from pathlib import Path

import cases
import numpy as np

STEPS = (60, 120, 300, 600, 1800)
REFERENCE_STEP = 20
SCHEMES = ("explicit-z", "matm", "split")
DAYS = 1
FIELDS = [{"file": "end.nc", "every_s": 86400 * DAYS, "variables": ["eta"]}]
STATION = [{"stations": {"Don": [39.25, 47.13]}, "every_s": 1800, "variables": ["eta"]}]
COMMON = {"/grid/levels": {"bottom_m": -14, "dz_m": 1}, "/output": FIELDS + STATION}
STORM = {"/time/start": "2014-09-24T00:00:00Z", "/time/end": "2014-09-25T00:00:00Z"}
SEAS = {
    "storm": ("azov_storm_2014", STORM),
    "storm, 5000 m2/s": ("azov_storm_2014", {**STORM, "/physics/momentum/horizontal_viscosity_m2_s": 5000}),
    "steady wind": ("azov_steady_wind", {"/time/duration_s": 86400 * DAYS, "/forcing/ramp_s": 43200}),
}


def measure(sea, scheme, step):
    scenario, settings = SEAS[sea]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = cases.run(scenario, {**COMMON, **settings, "/physics/momentum/scheme": scheme, "/time/step_s": step},
                    options=["--quiet"], may_fail=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if run.code != 0:
        return {"seconds": seconds / DAYS, "eta": None}
    station = run.stations()
    iterations = [np.mean(run.column(name)) for name in ("iterations", "iterations_u", "iterations_v")]
    return {"seconds": seconds / DAYS, "eta": run.read("end.nc")["eta"][-1], "peak": np.nanmax(station["eta"]),
            "iterations": iterations}


def table(seas):
    print("| case | step | scheme | highest at the Don | RMS error | largest | iterations (surface + u + v) | s per simulated day |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for sea in seas:
        reference = measure(sea, "explicit-z", REFERENCE_STEP)
        print(f"| {sea} | {REFERENCE_STEP} s | reference | {reference['peak']:.3f} m | | | | {reference['seconds']:.1f} |", flush=True)
        for step in STEPS:
            for scheme in SCHEMES if "m2/s" in sea else SCHEMES[:2]:  # without viscosity split is explicit-z
                found = measure(sea, scheme, step)
                if found["eta"] is None:
                    print(f"| {sea} | {step} s | {scheme} | stopped | | | | |", flush=True)
                    continue
                error = 1000 * (found["eta"] - reference["eta"])
                print(f"| {sea} | {step} s | {scheme} | {found['peak']:.3f} m | {np.sqrt(np.nanmean(error**2)):.1f} mm | "
                      f"{np.nanmax(np.abs(error)):.0f} mm | {' + '.join(f'{n:.0f}' for n in found['iterations'])} | "
                      f"{found['seconds']:.1f} |", flush=True)


def draw(document, path):
    import matplotlib.pyplot as plt

    rows = re.findall(r"^\| ([^|]+) \| (\d+) s \| (\S+) \| [^|]+ \| ([\d.]+) mm \| [^|]+ \| [^|]+ \| ([\d.]+) \|$",
                      Path(document).read_text(), re.M)
    seas = list(dict.fromkeys(row[0] for row in rows))
    figure, panels = plt.subplots(1, len(seas), figsize=(4 * len(seas), 3.6), layout="constrained")
    for panel, sea in zip(panels, seas):
        for scheme, mark in zip(SCHEMES, ("o-", "s--", "^:")):
            points = [(float(row[4]), float(row[3]), row[1]) for row in rows if row[0] == sea and row[2] == scheme]
            if points:
                panel.loglog([seconds for seconds, _, _ in points], [error for _, error, _ in points], mark, label=scheme)
            for seconds, error, step in points:
                panel.annotate(f"{step} s", (seconds, error), textcoords="offset points", xytext=(4, 4), fontsize=7)
        panel.set(title=sea, xlabel="processor time per simulated day [s]")
        panel.grid(alpha=0.3)
        panel.legend(fontsize=8)
    panels[0].set_ylabel("RMS error of the level [mm]")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--draw"]:
        draw(*sys.argv[2:])
    else:
        table(sys.argv[1:] or SEAS)
