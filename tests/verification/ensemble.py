# SPDX-License-Identifier: Apache-2.0
"""An ensemble: its draws have their distributions and depend on nothing but seed, pointer and number; the summary is what the
members' files give by hand; it goes on where it stopped; what cannot be run is refused before the first run."""

import csv
import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import numpy as np

import cases

try:
    from maeotis_runs import draws, ensemble
    from maeotis_storm import cyclone
except ImportError as missing:
    print(f"{missing}: not checked")
    raise SystemExit(77)
import netCDF4
import python_command

LAGOON = cases.SOURCE / "scenarios" / "lagoon.json"
VARY = ["--vary", "/forcing/wind/factor=normal(1,0.2)", "--vary", "/physics/drag/n=uniform(0.02,0.04)"]

call = partial(python_command.call, ensemble.main)


def distributions():
    for text, mean, spread in (("normal(2,0.5)", 2, 0.5), ("uniform(1,3)", 2, 2 / 12**0.5), ("choice(1,3)", 2, 1)):
        drawn = [draws.Variation(f"/a={text}").draw(7, k) for k in range(1000)]
        cases.between(f"{text}: mean, in its errors", (np.mean(drawn) - mean) / (spread / 1000**0.5), -4, 4)
        cases.between(f"{text}: spread", np.std(drawn) / spread, 0.9, 1.1)
    drawn = np.log([draws.Variation("/a=lognormal(2,1.5)").draw(7, k) for k in range(1000)])
    cases.between("lognormal: median", np.exp(np.median(drawn)), 1.9, 2.1)
    cases.between("lognormal: factor", np.exp(np.std(drawn)), 1.45, 1.55)
    one, other = draws.Variation("/a=normal(0,1)"), draws.Variation("/b=normal(0,1)")
    cases.equal("a draw depends on seed, pointer and number", len({one.draw(1, 1), one.draw(1, 2), one.draw(2, 1), other.draw(1, 1)}), 4)
    cases.equal("and is repeated", one.draw(1, 1), draws.Variation("/a=normal(0,1)").draw(1, 1))


def summaries(folder, members):
    """Mean, spread, quantiles and probabilities beside those of the members' own files."""
    level = 0.05
    series = []
    for k in members:
        with netCDF4.Dataset(folder / f"member_{k:04d}" / "lagoon_stations.nc") as data:
            series.append(np.ma.filled(data["eta"][:].astype(float), np.nan))
    series = np.stack(series)
    with netCDF4.Dataset(folder / "lagoon_stations_ensemble.nc") as data:
        found = {name: np.ma.filled(data[f"eta_{name}"][:].astype(float), np.nan) for name in ("mean", "spread", "quantiles", "probability")}
    cases.below("the members differ [m]", 1e-4, np.nanmax(series.std(axis=0)))
    cases.below("mean", np.nanmax(np.abs(found["mean"] - series.mean(axis=0))), 1e-6)
    cases.below("spread", np.nanmax(np.abs(found["spread"] - series.std(axis=0, ddof=1))), 1e-6)
    cases.below("median", np.nanmax(np.abs(found["quantiles"][2] - np.median(series, axis=0))), 1e-6)
    cases.below("probability", np.nanmax(np.abs(found["probability"][0] - (series > level).mean(axis=0))), 1e-6)
    cases.between("the probability is neither 0 nor 1 everywhere", float(np.nanmean(found["probability"][0])), 0.01, 0.99)


def depths_on_land(folder, members, wished):
    """The share of the members in which land is deeper under water, from their highest levels above the bed."""
    deepest = []
    for k in members:
        with netCDF4.Dataset(next((folder / f"member_{k:04d}").glob("*_extremes.nc"))) as data:
            deepest.append(np.ma.filled(data["max_eta"][:].astype(float), np.nan) - data["bed"][:])
    with netCDF4.Dataset(next(folder.glob("*_extremes_ensemble.nc"))) as data:
        found = np.ma.filled(data["max_depth_probability"][:].astype(float), np.nan)
        cases.equal("depths", data["depth_threshold"][:].tolist(), wished)
    own = np.stack([(np.stack(deepest) > depth).mean(axis=0) for depth in wished])
    cases.equal("shares of depths", bool(np.all(np.isnan(found) | (np.abs(found - own) < 1e-6))), True)
    cases.equal("no number where all are dry", bool(np.all(np.isnan(found[0]) == np.isnan(np.stack(deepest)).all(axis=0))), True)
    cases.between("shares between 0 and 1", int(((found > 0) & (found < 1)).sum()), 1, found.size)


def tracks_that_differ():
    """Members with a storm of their own, drawn as any other value, from the command that made the wind file."""
    for path in (Path("storms"), Path("slow.nc")):
        shutil.rmtree(path, ignore_errors=True)
    rows = "".join(f"AL, 01, 2020090{day}00, , BEST, 0, {lat}N, {lon}W, 80, 970, HU, 34, NEQ, 60, 60, 60, 60, 1010, 200, 20, 0\n" for day, lat, lon in ((1, 278, 901), (2, 292, 901)))
    Path("coast.dat").write_text(rows.replace("0200,", "0112,"))
    cyclone.main(["coast.dat", "-o", "slow.nc", "--bbox", "-91", "28", "-89", "29.4", "--every", "60"])
    storm = {"file": str(Path("slow.nc").resolve())}
    Path("coast.json").write_text(json.dumps({
        "title": "A coast", "grid": {"kind": "spherical", "west": -90.6, "east": -89.6, "south": 28.4, "north": 29.2, "dlon_deg": 0.05, "dlat_deg": 0.05,
                                     "levels": {"bottom_m": -8, "dz_m": 8}, "flood_to_m": 4}, "bathymetry": {"bed_m": "-8 + 11*(lat - 28.4)"},
        "time": {"start": "2020-09-01T00:00:00Z", "duration_s": 36000, "step_s": 300}, "forcing": {"wind": storm, "air_pressure": storm},
        "output": [{"extremes": ["max_eta"]}]}))
    vary = ["--vary", "/track/across_km=normal(0,30)", "--vary", "/track/wind=uniform(0.9,1.2)", "--members", 3, "-o", "storms"]
    code, words = call("coast.json", *vary, "-p", "0.2")
    cases.equal("storms: runs and a map", (code, "deeper_0.2m.png" in words), (0, True))
    depths_on_land(Path("storms"), [1, 2, 3], [0.2])
    drawn = json.loads(Path("storms/ensemble.json").read_text())["members"]
    with open("storms/members.csv") as table:
        rows = list(csv.reader(table))
    cases.equal("the table of members", rows, [["member", *drawn["1"]]] + [[k, *map(str, drawn[k].values())] for k in "123"])
    own = drawn["2"]
    cyclone.main(["coast.dat", "-o", "second.nc", "--bbox", "-91", "28", "-89", "29.4", "--every", "60", f"--across-km={own['/track/across_km']}", f"--wind={own['/track/wind']}"])
    again = cases.run(Path("coast.json").resolve(), {"/forcing": {key: {"file": str(Path("second.nc").resolve())} for key in ("wind", "air_pressure")}})
    with netCDF4.Dataset("storms/member_0002/coast_extremes.nc") as data, netCDF4.Dataset(next(again.folder.glob("**/*_extremes.nc"))) as other:
        cases.equal("a member made by hand: its levels", bool(np.all(data["max_eta"][:] == other["max_eta"][:])), True)
    cases.equal("no storm is kept", list(Path("storms").glob("storm_*")), [])
    for name, scenario, more, said in (("one member", LAGOON, [*VARY, "--members", "1"], "from 2 to"),
                                       ("an impossible storm", "coast.json", ["--vary", "/track/wind=normal(1,5)"], "from 0.3 to 2"),
                                       ("no such change", "coast.json", ["--vary", "/track/colour=normal(1,5)"], "no option --colour"),
                                       ("a wind that is no cyclone", LAGOON, ["--vary", "/track/wind=normal(1,0.1)"], "does not say which ./maeotis cyclone made it")):
        code, words = call(scenario, *more, "-o", "alone")
        cases.equal(f"{name}: refused", (code, said in words, Path("alone").exists()), (2, True, False)) or print(words)
    pair = draws.Variation('/forcing/wind/file+/forcing/air_pressure/file=choice("a.nc","b.nc")')
    cases.equal("one draw for two settings", pair.pointers, ["/forcing/wind/file", "/forcing/air_pressure/file"])


for old in ("sea", "alone"):
    shutil.rmtree(old, ignore_errors=True)
distributions()
tracks_that_differ()
common = [LAGOON, *VARY, "--steps", 40, "--exceed", "0.05,0.1", "-o", "sea"]
code, words = call(*common, "--members", 3, "-j", 2)
cases.equal("four runs", (code, len(re.findall(r"^run \d+ of \d+ done, .*: member \d+, ", words, re.M))), (0, 4))
summaries(Path("sea"), [1, 2, 3])
values = json.loads(Path("sea/ensemble.json").read_text())["members"]
with netCDF4.Dataset("sea/member_0002/lagoon.nc") as data:
    ran = json.loads(data.effective_scenario)
cases.equal("a member ran with its values", (ran["forcing"]["wind"]["factor"], ran["physics"]["drag"]["n"]),
            (values["2"]["/forcing/wind/factor"], values["2"]["/physics/drag/n"]))

# as if it had been stopped in the midst of the third, with one more wanted
(Path("sea") / "member_0003" / "run_record.json").unlink()
code, words = call(*common, "--members", 4)
cases.equal("it goes on", (code, "3 of 5 runs are already done" in words, len(re.findall(r"^run \d+ of \d+ done, .*: member \d+, ", words, re.M))), (0, True, 2))
cases.equal("pictures", sorted(p.suffix for p in Path("sea").glob("*.png"))[:1], [".png"])
cases.equal("another ensemble in the same folder", "contains another ensemble" in call(*common, "--seed", 2)[1], True)
cases.equal("no distribution", "write /POINTER=DISTRIBUTION" in call(LAGOON, "--vary", "/physics/drag/n=0.03")[1], True)
code, words = call(LAGOON, "--vary", "/physics/drag/n=normal(0.02,0.02)", "-o", "alone")
cases.equal("an impossible draw is refused first", (code, "a member would have /physics/drag/n=-" in words, Path("alone").exists()), (2, True, False))
code, words = call(LAGOON, *VARY, "--members", 2, "--slurm", "--set", '/title="a\ntouch INJECTED\n"')
cases.equal("a value with line breaks stays on its lines", (code, any(line.startswith("touch") for line in words.splitlines())), (0, False))
cases.equal("its text in bash", subprocess.run(["bash", "-n"], input=words, text=True).returncode, 0)
code, words = call(LAGOON, *VARY, "--members", 8, "--slurm")
cases.equal("a batch script", (code, "#SBATCH --array=0-8" in words, '--member "$SLURM_ARRAY_TASK_ID"' in words), (0, True, True))
cases.finish()
