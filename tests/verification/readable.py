# SPDX-License-Identifier: Apache-2.0
"""What other programs need of the files: a format that all of them open, no second set of coordinates unless velocities are
on faces, names of stations as text, lengths of cells; and packed copies that hold the same data."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import netCDF4
import numpy as np

import cases
from maeotis_results import reading

BAY = cases.SOURCE / "tests" / "clients" / "bay.json"
EARTH_M = 6371000.0


def holds(what, condition):
    cases.equal(what, bool(condition), True)


def maeotis(*words):
    return subprocess.run([cases.PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60)


shutil.rmtree("bay", ignore_errors=True)
shutil.rmtree("packed", ignore_errors=True)
os.environ["SOURCE_DATE_EPOCH"] = "1716000000"
ran = maeotis("run", BAY, "--quiet")
holds("the bay runs", ran.returncode == 0)
files = sorted(Path("bay").glob("*.nc"))
holds("eight files", len(files) == 8)
for path in files:
    holds(f"{path.name} is CDF-2", path.read_bytes()[:4] == b"CDF\x02")
    with netCDF4.Dataset(path) as file:
        faces = path.name == "faces.nc"
        holds(f"{path.name}: faces {faces}", ("lon_u" in file.variables) == faces and ("grid" in file.variables) == faces)
        holds(f"{path.name}: SGRID {faces}", ("SGRID" in file.Conventions) == faces)
        holds(f"{path.name}: no date but the one that is given", file.date_created == "2024-05-18T02:40:00Z")
        holds(f"{path.name}: attributes of /about", file.license == "CC0-1.0" and file.id == "bay")
        if "station" in file.dimensions:
            holds(f"{path.name}: names", [str(n) for n in file["station"][:]] == ["Port", "Mouth"])
            continue
        lat, lon = np.radians(file["lat"][:]), np.radians(file["lon"][:])
        along = EARTH_M * np.cos(lat) * (lon[1] - lon[0])
        cases.below(f"{path.name}: dx", np.abs(file["dx"][:] / along[:, None] - 1).max(), 1e-6)
        cases.below(f"{path.name}: dy", np.abs(file["dy"][:] / (EARTH_M * (lat[1] - lat[0])) - 1).max(), 1e-6)
with netCDF4.Dataset("bay/faces.nc") as file:
    at = np.radians(file["lat_v"][:])
    along = EARTH_M * np.cos(at) * np.radians(file["lon"][1] - file["lon"][0])
    cases.below("dx_v", np.abs(file["dx_v"][:] / along[:, None] - 1).max(), 1e-6)
    holds("dx_u", np.array_equal(file["dx_u"][:, 3], file["dx"][:, 3]) and file["dx_u"].shape == file["u"].shape[-2:])

with netCDF4.Dataset("bay/surface.nc") as file, netCDF4.Dataset("bay/centred.nc") as whole:
    for name, centred in (("u", "u_east"), ("v", "v_north")):
        same = np.array_equal(np.ma.filled(file[name][:, -1], -99), np.ma.filled(whole[centred][:, -1], -99))
        holds(f"{name} by default is {centred}", same and file[name].standard_name == whole[centred].standard_name)

# older files hold the digests of the states as text, newer ones as two numbers: nobody needs to know
def age(path, old):
    """Writes a file as older versions did; the digests."""
    with netCDF4.Dataset(path) as file, netCDF4.Dataset(old, "w", format="NETCDF3_64BIT_OFFSET") as copy:
        digests = reading.state_digests(file.variables)
        copy.setncatts(file.__dict__)
        for name, dim in file.dimensions.items():
            copy.createDimension(name, None if dim.isunlimited() else len(dim))
        copy.createDimension("digest_length", 16)
        for name, variable in file.variables.items():
            if not name.startswith("digest"):
                words = {key: value for key, value in variable.__dict__.items() if key != "_FillValue"}
                one = copy.createVariable(name, variable.dtype, variable.dimensions, fill_value=variable.__dict__.get("_FillValue"))
                one.setncatts(words)
                one[:] = variable[:]
        copy.createVariable("digest", "S1", ("time", "digest_length"))[:] = [[letter.encode() for letter in text] for text in digests]
    return digests


digests = age("bay/centred.nc", "old.nc")
with netCDF4.Dataset("old.nc") as old, netCDF4.Dataset("bay/centred.nc") as file:
    holds("no text along time", all(v.dtype.kind != "S" for v in file.variables.values()))
    holds("digests of both", len(set(digests)) == len(digests) > 9 and reading.state_digests(old.variables) == digests)
holds("the last is that of the run", digests[-1] == json.loads(Path("bay/run_record.json").read_text())["digest"])
for path in ("bay/centred.nc", "old.nc"):
    holds(f"info of {path}", f", digest {digests[-1]}\n" in maeotis("info", path).stdout)
sums = [line.split()[0] for line in maeotis("digest", "bay/centred.nc", "old.nc").stdout.splitlines()]
holds("one digest of both files", len(sums) == 2 and sums[0] == sums[1])

# and a run goes on with such a file
shutil.rmtree("older", ignore_errors=True)
words = ["run", BAY, "--quiet", "--set", '/output_folder="older"', "--set", "/output/7={\"file\": \"last.nc\", \"extremes\": [\"max_eta\"]}"]
holds("half of a run", maeotis(*words, "--until", "2024-05-01T06:00:00Z", "--set", "/restart/at_end=true").returncode == 0)
age("older/centred.nc", "older/aged")
os.replace("older/aged", "older/centred.nc")
restart = next(Path("older").glob("restart_*.nc"))
holds("goes on", maeotis(*words, "--set", "/restart/at_end=true", "--restart", restart).returncode == 0)
sums = [line.split()[0] for line in maeotis("digest", "bay/centred.nc", "older/centred.nc").stdout.splitlines()]
holds("with an old file, to the same data", len(sums) == 2 and sums[0] == sums[1])

packed = maeotis("pack", *files, "-o", "packed")
holds("files are packed", packed.returncode == 0 and packed.stdout.count("equal") == 8)
for path in files:
    sums = [line.split()[0] for line in maeotis("digest", path, f"packed/{path.name}").stdout.splitlines()]
    holds(f"{path.name} is equal when packed", len(sums) == 2 and sums[0] == sums[1])
    with netCDF4.Dataset(path) as one, netCDF4.Dataset(f"packed/{path.name}") as other:
        holds(f"{path.name} keeps its attributes", one.__dict__ == other.__dict__ and all(
            str(one[v].__dict__) == str(other[v].__dict__) for v in one.variables))
        holds(f"{path.name} keeps its records", other.dimensions["time"].isunlimited() == one.dimensions["time"].isunlimited())
holds("a copy is not replaced", maeotis("pack", files[0], "-o", "packed").returncode == 2)
holds("a file is not packed onto itself", maeotis("pack", "packed/bay.nc", "-o", "packed").returncode == 2)
Path("packed/other").mkdir(exist_ok=True)
shutil.copy(files[0], f"packed/other/{files[1].name}")
both = maeotis("pack", files[1], f"packed/other/{files[1].name}", "-o", "packed/both", "--overwrite")
holds("two files of one name are not packed into one", both.returncode == 2 and "copy of both" in both.stderr)
holds("a scenario is no file", maeotis("pack", BAY).returncode == 2)
Path("pipe.nc").unlink(missing_ok=True)
os.mkfifo("pipe.nc")
holds("nobody waits for a pipe", "it is not a file" in maeotis("pack", "pipe.nc").stderr)
holds("a missing date is told", "--at needs a value" in maeotis("tides", "--at").stderr)
cases.finish()
