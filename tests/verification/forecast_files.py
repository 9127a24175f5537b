# SPDX-License-Identifier: Apache-2.0
# ctest: timeout 120
"""The files of a forecast office: restart files at named times, kept over the runs of a chain; outputs that are cut by day; extremes of
a forecast; the record and the log of all runs of a chain."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import cases
import netCDF4
import numpy as np

HOUR, DAY = 3600, 86400

Path("bay.json").write_text(json.dumps({
    "grid": {"kind": "cartesian", "length_x_m": 32e3, "length_y_m": 16e3, "dx_m": 2000, "dy_m": 2000, "levels": {"bottom_m": -8, "dz_m": 4}},
    "bathymetry": {"bed_m": -8},
    "time": {"start": "2024-02-28T18:00:00Z", "duration_s": 2 * DAY, "step_s": 900},
    "boundaries": [{"name": "sea", "edge": "west", "kind": "elevation", "eta_m": "(1.5+cos(t/26000))*sin(t/7000)"}],
    "restart": {"every_s": 6 * HOUR, "keep": 2, "at": ["00:00Z", "2024-03-01T15:00:00Z"], "at_end": True},
    "output": [],
}))


def run(folder, *options, code=0):
    done = subprocess.run([cases.PROGRAM, "run", "bay.json", "--quiet", "--set", f"/output_folder={folder}", *options],
                          capture_output=True, text=True)
    cases.equal(f"{folder} {' '.join(options)}: code", (done.returncode, done.stderr if done.returncode != code else ""), (code, ""))
    return done.stderr


def restarts(folder):
    return sorted(path.name.removeprefix("restart_").removesuffix("Z.nc") for path in Path(folder).glob("restart_*.nc"))


# restart files of named times stay; of the others two, over all runs of the chain; those that a longer run has left go first
subprocess.run("rm -rf chain other elsewhere steps", shell=True, check=True)
run("chain", "--set", "/time/duration_s=129600")
NAMED = ["20240229T000000", "20240301T000000"]
cases.equal("after the first run", restarts("chain"), NAMED[:1] + ["20240229T180000"] + NAMED[1:] + ["20240301T060000"])
run("other", "--set", "/physics/drag/n=0.03", "--set", "/restart/at=[]", "--set", "/time/duration_s=21600")
Path("other/restart_20240229T000000Z.nc").rename("chain/restart_20240101T000000Z.nc")
Path("chain/restart_20240102T000000Z.nc").symlink_to("restart_20240229T180000Z.nc")
alien = ["20240101T000000", "20240102T000000"]
run("chain", "--restart", "chain/restart_20240229T000000Z.nc", "--set", "/time/duration_s=54000")
cases.equal("a run that ends earlier", restarts("chain"), alien + NAMED[:1] + ["20240229T060000", "20240229T090000"] + NAMED[1:])
run("chain", "--restart", "chain/restart_20240229T060000Z.nc")
cases.equal("after the last run", restarts("chain"), alien + NAMED + ["20240301T120000", "20240301T150000", "20240301T180000"])

# other folders are left alone
run("elsewhere", "--restart", "chain/restart_20240301T150000Z.nc", "--set", "/restart/keep=1")
cases.equal("another folder", restarts("elsewhere"), ["20240301T180000"])
cases.equal("of the first nothing is gone", len(restarts("chain")), 7)

# steps whose length is found on the way end at named times, too
run("steps", "--set", "/time/step_s=\"auto\"", "--set", "/restart/every_s=0", "--set", "/restart/at_end=false",
    "--set", "/restart/at=[\"01:17:03Z\", \"2024-02-29T02:00:00+01:00\"]", "--set", "/time/duration_s=36000")
cases.equal("at times between records", restarts("steps"), ["20240229T010000", "20240229T011703"])

for text, word in (("[\"00:07Z\"]", "no step of 900 s ends"), ("[\"12:00\"]", "time zone is missing"), ("[\"2024-02-30T00:00:00Z\"]", "no such day"),
                   ("\"00:00Z\"", "array of dates"), ("[\"25:00Z\"]", "no such time of day")):
    cases.equal(f"/restart/at={text}", word in run("refused", "--set", f"/restart/at={text}", code=2), True)

# ---- outputs that are cut by day hold the records of those that are not, also where a run is stopped between them

KINDS = {"fields": {"every_s": 3 * HOUR, "variables": ["eta"]}, "means": {"every_s": 4 * HOUR, "variables": ["eta", "u"], "mean": True},
         "stations": {"every_s": HOUR, "stations": {"a": [5000, 5000]}, "variables": ["eta"]},
         "extremes": {"extremes": ["max_eta", "time_of_max_eta", "min_eta", "max_speed", "inundation_duration"]}}
OUTPUT = [{"file": f"{name}.nc", "cut": "day", **kind} for name, kind in KINDS.items()]
WHOLE = [{"file": f"{name}.nc", **kind} for name, kind in KINDS.items()] + [{"file": "steps.nc", "every_s": 900, "variables": ["eta"]}]


def outputs(list_):
    return "--set", f"/output={json.dumps(list_)}"


def data_of(folder, output, name):
    """Of all files of an output, one after the other; and where each begins."""
    found, files = [], sorted(Path(folder).glob(f"{output}_2*.nc")) or [Path(folder) / f"{output}.nc"]
    for file in files:
        with netCDF4.Dataset(file) as data:
            found.append(np.ma.filled(data[name][:].astype(float), np.nan))
    return np.concatenate(found), np.cumsum([0, *map(len, found)])


def coverage(file):
    with netCDF4.Dataset(file) as data:
        return tuple(data.getncattr(f"time_coverage_{name}") for name in ("start", "end", "duration"))


def digests(folder):
    files = [str(Path(folder) / f"{name}.nc") for name in KINDS]
    lines = subprocess.run([cases.PROGRAM, "digest", *files], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split("/")[-1]: line.split()[0] for line in lines}


subprocess.run("rm -rf whole cut damaged shorter torn stopped* day1 day2 legs again", shell=True, check=True)
run("whole", *outputs(WHOLE))
run("cut", *outputs(OUTPUT))
DAYS = ["20240228", "20240229", "20240301"]
cases.equal("files", sorted(p.name for p in Path("cut").glob("[!r]*.nc")), [f"{name}_{day}.nc" for name in sorted(KINDS) for day in DAYS])
# the program takes 30 kB for the header of each file; here they have 9
told = subprocess.run([cases.PROGRAM, "check", "bay.json", *outputs(OUTPUT)], capture_output=True, text=True).stdout
size = sum(path.stat().st_size for path in Path("cut").glob("[!r]*.nc")) / 1e6
cases.between("forecast of the size of the files", float(told.split("output     about ")[1].split(" MB of fields")[0]) / size, 1, 2)
for name in ("fields", "means", "stations"):
    for variable in ("time", "eta"):
        cases.equal(f"{name}: {variable}", np.array_equal(data_of("cut", name, variable)[0], data_of("whole", name, variable)[0]), True)
MIDNIGHTS = np.array([0, 6, 30, 48]) * HOUR
cases.equal("moments belong to the day that they begin", list(np.searchsorted(data_of("cut", "fields", "time")[0], MIDNIGHTS[1:3])), list(data_of("cut", "fields", "time")[1][1:3]))
cases.equal("means to the day in which they begin", list(np.searchsorted(data_of("cut", "means", "time_bnds")[0][:, 0], MIDNIGHTS[1:3])), list(data_of("cut", "means", "time")[1][1:3]))
times, levels = (data_of("whole", "steps", name)[0] for name in ("time", "eta"))
for n, day in enumerate(DAYS):
    inside = (times > MIDNIGHTS[n] - (n == 0)) & (times <= MIDNIGHTS[n + 1])
    with netCDF4.Dataset(f"cut/extremes_{day}.nc") as data:
        cases.equal(f"{day}: highest levels", np.array_equal(data["max_eta"][0].filled(np.nan), levels[inside].max(0), equal_nan=True), True)
        cases.equal(f"{day}: lowest levels", np.array_equal(data["min_eta"][0].filled(np.nan), levels[inside].min(0), equal_nan=True), True)
        cases.equal(f"{day}: when", np.array_equal(data["time_of_max_eta"][0].filled(np.nan), times[inside][levels[inside].argmax(0)]), True)
        cases.equal(f"{day}: interval", list(data["time_bnds"][0]), list(MIDNIGHTS[n:n + 2]))
cases.equal("what a day covers", coverage("cut/fields_20240229.nc"), ("2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z", "PT0000086400S"))
cases.equal("what a mean's day covers", coverage("cut/means_20240229.nc"), ("2024-02-29T02:00:00Z", "2024-03-01T02:00:00Z", "PT0000086400S"))

cut = digests("cut")
for until in ("2024-02-29T00:00:00Z", "2024-02-29T10:30:00Z"):  # between two days and within a mean
    folder = f"stopped_{until[8:13]}"
    run(folder, *outputs(OUTPUT), "--until", until)
    run(folder, *outputs(OUTPUT), "--restart", f"{folder}/restart_{until.replace('-', '').replace(':', '')}.nc")
    cases.equal(f"stopped at {until}: data", digests(folder) == cut, True)
    cases.equal(f"stopped at {until}: coverage", [coverage(f"{folder}/{n}_{d}.nc") for n in KINDS for d in DAYS],
                [coverage(f"cut/{n}_{d}.nc") for n in KINDS for d in DAYS])  # fmt: skip
run("torn", *outputs(OUTPUT), "--until", "2024-03-01T03:00:00Z")  # and then killed in the first mean of a day
starts = data_of("cut", "means", "time")[1]
sizes = [Path(f"cut/means_{day}.nc").stat().st_size for day in DAYS]
record = int((sizes[1] - sizes[0]) // (starts[2] - 2 * starts[1]))
last = Path("cut/means_20240301.nc").read_bytes()
Path("torn/means_20240301.nc").write_bytes(last[:len(last) - int(starts[3] - starts[2]) * record + record // 2])
run("torn", *outputs(OUTPUT), "--restart", "torn/restart_20240301T030000Z.nc")
cases.equal("killed in the first mean of a day: data", digests("torn") == cut, True)
os.environ.pop("MAEOTIS_OVERWRITE", None)  # of the test suite
cases.equal("an output that is there already", "already exists" in run("cut", *outputs(OUTPUT), code=2), True)

shutil.copytree("cut", "shorter")
told = run("shorter", *outputs(OUTPUT), "--overwrite", "--set", f"/time/duration_s={DAY}")
cases.equal("files of days that a shorter run leaves are told", [told.count(f"{name}_20240301.nc\" remains from an earlier run") for name in KINDS], [1] * 4)
cases.equal("nothing to tell", "remains from" in run("shorter", *outputs(OUTPUT), "--overwrite"), False)
told = run("shorter", *outputs([{**OUTPUT[0], "cut": "month"}]), "--overwrite")
cases.equal("files that were cut otherwise are told", "fields_20240228.nc\" (and others like it) remains from" in told, True)

same = subprocess.run([cases.PROGRAM, "diff", "cut/fields.nc", "stopped_29T00/fields.nc"], capture_output=True, text=True)
cases.equal("diff of the outputs", (same.returncode, same.stdout.count("equal: ")), (0, 3))
Path("stopped_29T00/fields_20240301.nc").unlink()
fewer = subprocess.run([cases.PROGRAM, "diff", "cut/fields.nc", "stopped_29T00/fields.nc"], capture_output=True, text=True)
cases.equal("diff where a day is missing", (fewer.returncode, "only in the first output" in fewer.stdout), (1, True))
info = subprocess.run([cases.PROGRAM, "info", "--quick", "cut/means.nc"], capture_output=True, text=True)
cases.equal("info of an output", (info.returncode, info.stdout.count("means of fields")), (0, 3))

shutil.copytree("cut", "damaged")
Path("damaged/fields_20240229.nc").write_bytes(Path("cut/fields_20240229.nc").read_bytes()[:500])
for command in (["digest"], ["info", "--quick"], ["diff", "cut/fields.nc"]):
    whole = subprocess.run([cases.PROGRAM, *command, "damaged/fields.nc"], capture_output=True, text=True)
    cases.equal(f"{command[0]} where a day is damaged", (whole.returncode, "damaged/fields_20240229.nc is cut off" in whole.stderr), (2, True))

# the pictures' reader has them as one, and reads what is asked for
if all(importlib.util.find_spec(name) for name in ("xarray", "matplotlib")):
    from maeotis_results import part_files, reading

    cases.equal("outputs of a folder", [p.name for p in part_files.grouped(Path("cut").glob("*.nc"))], [f"{name}.nc" for name in sorted(KINDS)])
    with reading.open_file(Path("cut/fields.nc")) as joined, reading.open_file(Path("whole/fields.nc")) as whole:
        for what, choose in (("all records", slice(None)), ("one record", 7), ("over midnight", slice(1, 12, 3)), ("none", slice(3, 3))):
            a, b = (data["eta"].isel(time=choose, x=slice(2, 9)) for data in (joined, whole))
            cases.equal(f"{what} of an output", a.dims == b.dims and np.array_equal(a.values, b.values, equal_nan=True) and np.array_equal(a["time"].values, b["time"].values), True)
        cases.equal("what all cover", joined.attrs["time_coverage_end"], whole.attrs["time_coverage_end"])
    with reading.open_file(Path("cut/extremes.nc")) as joined, reading.open_file(Path("whole/extremes.nc")) as whole:
        cases.equal("extremes of all days", [name for name in whole.data_vars if name != "time_bnds" and not np.array_equal(joined[name].values, whole[name].values)], [])
    cases.equal("a damaged day is not left out", Path("damaged/fields_20240229.nc") in part_files.of(Path("damaged/fields.nc")), True)
    Path("damaged/stations_20240229.nc").unlink()  # one that was lost
    page = subprocess.run([sys.executable, "-m", "maeotis_report", "damaged", "-o", "damaged.html"], capture_output=True, text=True)
    LEFT_OUT = ("fields_20240229.nc is cut off", "stations.nc: there is no record between 28 Feb 2024, 23:00 UTC and 1 Mar 2024, 00:00 UTC")
    for where, said in (("page", Path("damaged.html").read_text()), ("report", page.stderr)):
        cases.equal(f"a damaged and a lost day, {where}", (page.returncode, [text in said for text in LEFT_OUT]), (0, [True, True]))
    import xarray as xr

    parts = xr.Dataset({name: (("time", "x"), values) for name, values in (("max_eta", [[np.nan, 1.0], [2.0, 0.0]]), ("min_eta", [[np.nan, -1.0], [-2.0, -3.0]]))},
                       coords={"time": [0, 1]})  # fmt: skip
    found = part_files.extreme(parts)
    cases.equal("cells that are dry on a day", (list(found["max_eta"].values), str(found["min_eta"].values)), ([2.0, 1.0], "[nan -3.]"))
    for module, words in (("maeotis_plot", ["cut/stations.nc", "-o", "pictures"]), ("maeotis_report", ["cut", "-o", "page.html"]),
                          ("maeotis_plot", ["cut/fields.nc", "-o", "pictures", "--time", "last"]),
                          ("maeotis_runs.reproduce", ["cut/fields_20240229.nc", "-o", "again", "-n", "1"])):  # fmt: skip
        drawn = subprocess.run([sys.executable, "-m", module, *words], capture_output=True, text=True)
        cases.equal(f"{module} {words[0]}", (drawn.returncode, drawn.stderr if drawn.returncode else ""), (0, ""))

# ---- a forecast that is dated by its restart file has extremes of its own, unless those of the chain are asked for

MORE = [*WHOLE[3:], {"file": "chain.nc", **KINDS["extremes"], "since": "chain"}]
run("day1", *outputs(MORE), "--until", "2024-02-29T00:00:00Z")
run("day2", *outputs(MORE), "--restart", "day1/restart_20240229T000000Z.nc", "--set", "/time/start=2024-02-29T00:00:00Z", "--set",
    "/time/duration_s=151200")  # fmt: skip
for name, since, first in (("extremes", 6 * HOUR, 6 * HOUR), ("chain", 0, 0)):
    inside = times >= first
    with netCDF4.Dataset(f"day2/{name}.nc") as data:
        cases.equal(f"{name}: interval", list(data["time_bnds"][0]), [since, 48 * HOUR])
        cases.equal(f"{name}: highest levels", np.array_equal(data["max_eta"][0].filled(np.nan), levels[inside].max(0), equal_nan=True), True)
cases.equal("what the forecast covers", coverage("day2/extremes.nc"), ("2024-02-29T00:00:00Z", "2024-03-01T18:00:00Z", "PT0000151200S"))
cases.equal("its records", coverage("day2/steps.nc"), ("2024-02-29T00:15:00Z", "2024-03-01T18:00:00Z", "PT0000150300S"))
run("day1", *outputs(MORE), "--restart", "day1/restart_20240229T000000Z.nc")
with netCDF4.Dataset("day1/extremes.nc") as data:
    cases.equal("a run that goes on: interval", list(data["time_bnds"][0]), [0, 48 * HOUR])

# ---- the record and the log tell of all runs of the chain, killed ones too

LOG = ("--log-json", "log.jsonl", "--set", "/restart/every_s=3600", "--set", "/restart/keep=99")
run("legs", *LOG, "--until", "2024-02-28T22:00:00Z")
slow = [cases.PROGRAM, "run", "bay.json", "--quiet", "--set", "/output_folder=legs", *LOG, "--restart", "legs/restart_20240228T200000Z.nc"]
killed = subprocess.Popen(slow, stderr=subprocess.DEVNULL)
while killed.poll() is None and not list(Path("legs").glob("restart_20240301*")):
    time.sleep(0.005)
killed.send_signal(signal.SIGKILL)
was_killed = killed.wait() != 0
said = run("legs", *LOG, "--restart", "legs/restart_20240229T030000Z.nc")
cases.equal("a lock that was left is told", ("killed and left its lock" in said) == was_killed, True)
legs = json.loads(Path("legs/run_record.json").read_text())["legs"]
FROM = ["2024-02-28T18:00:00Z", "2024-02-28T20:00:00Z", "2024-02-29T03:00:00Z"]
cases.equal("the runs of the chain", [leg["from"] for leg in legs], FROM)
cases.equal("their ends", [leg.get("to") for leg in legs if leg["ended"] == "done"][::2 - was_killed], ["2024-02-28T22:00:00Z", "2024-03-01T18:00:00Z"])
cases.equal("a killed one", "killed" in legs[1]["ended"], was_killed)
cases.equal("their restart files", [leg.get("restart", "")[-19:] for leg in legs], ["", "20240228T200000Z.nc", "20240229T030000Z.nc"])
log = [json.loads(line) for line in Path("log.jsonl").read_text().splitlines()]
cases.equal("steps of the log", [line["step"] for line in log], list(range(1, 193)))
cases.equal("digests", (legs[-1]["digest"], legs[0]["digest"]), (log[-1]["digest"], log[15]["digest"]))
cases.finish()
