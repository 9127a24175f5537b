# SPDX-License-Identifier: Apache-2.0
# ctest: timeout 120
"""The files of a forecast office: restart files at named times, kept over the runs of a chain."""

import json
import subprocess
from pathlib import Path

import cases

HOUR, DAY = 3600, 86400

Path("bay.json").write_text(json.dumps({
    "grid": {"kind": "cartesian", "length_x_m": 32e3, "length_y_m": 16e3, "dx_m": 2000, "dy_m": 2000, "levels": {"bottom_m": -8, "dz_m": 4}},
    "bathymetry": {"bed_m": -8},
    "time": {"start": "2024-02-28T18:00:00Z", "duration_s": 2 * DAY, "step_s": 900},
    "boundaries": [{"name": "sea", "edge": "west", "kind": "elevation", "eta_m": "(1+t/86400)*sin(t/7000)"}],
    "restart": {"every_s": 6 * HOUR, "keep": 2, "at": ["00:00Z", "2024-03-01T15:00:00Z"], "at_end": True},
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
run("other", "--set", "/physics/drag/n=0.03", "--set", "/time/duration_s=21600")
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
cases.finish()
