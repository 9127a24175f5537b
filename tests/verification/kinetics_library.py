# SPDX-License-Identifier: Apache-2.0
"""Kinetics modules from libraries: the example of the docs, built with its five lines of CMake, in a box and in a sea; and what is
refused of wrong ones, with the name of the module."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import cases
import netCDF4
import numpy as np

FOLDER = Path.cwd()
SOURCE = cases.SOURCE
CC = os.environ.get("MAEOTIS_CC", "cc")
EXAMPLE = (SOURCE / "docs/kinetics_module/mine.c").read_text()


def maeotis(*arguments):
    return subprocess.run([cases.PROGRAM, "kinetics", *map(str, arguments)], capture_output=True, text=True)


def library(name, old="", new=""):
    """The example with a change, compiled."""
    assert old in EXAMPLE, old
    (FOLDER / f"{name}.c").write_text(EXAMPLE.replace(old, new) if old else EXAMPLE)
    path = FOLDER / f"lib{name}.so"
    subprocess.run([CC, "-O1", "-shared", "-fPIC", f"-I{SOURCE}/kinetics", f"{name}.c", "-o", path], check=True, cwd=FOLDER)
    return path


shutil.rmtree("example", ignore_errors=True)
shutil.copytree(SOURCE / "docs/kinetics_module", "example")
for command in (["cmake", "-S", "example", "-B", "example/build", f"-Dmaeotis_DIR={SOURCE}/cmake", f"-DCMAKE_C_COMPILER={CC}"],
                ["cmake", "--build", "example/build"]):
    subprocess.run(command, check=True, capture_output=True)
mine = FOLDER / "example/build/libmine.so"
checked = maeotis("check", mine)
cases.equal("check of the example", checked.returncode, 0)
cases.below("its nitrogen", float(re.search(r"N +conserved to (\S+)", checked.stdout)[1]), 1e-13)
cases.equal("a box", maeotis("run", "example/box.json", "-o", "box.csv").returncode, 0)
table = np.genfromtxt("box.csv", delimiter=",", names=True)
heads = Path("box.csv").read_text().splitlines()[0].split(",")
cases.equal("units of the table", heads[:4], ["days", "solute [mmol m-3]", "particles [mmol m-3]", "total_N [mmol m-2]"])
maeotis("run", SOURCE / "scenarios/boxes/npzd.json", "--set", "/time/duration_s=86400", "--set", '/kinetics={"module": "oxygen"}', "-o", "bed.csv")
heads = Path("bed.csv").read_text().splitlines()[0].split(",")
cases.equal("units on the bed", [head for head in heads if "_bed" in head], ["pom_bed [mmol m-2]"])
nitrogen = table["total_N_mmol_m2"]
cases.close("decay of both together", nitrogen[-1], nitrogen[0] * np.exp(-0.1 * 10), 1e-5)

sea = {"/kinetics": {"module": str(mine), "initial": {"solute": "2 + sin(x/3000)"}}, "/tracers": [], "/output": [],
       "/rivers/0/tracers": {"solute": 5}, "/forcing/heat": {}}
checked = maeotis("check", library("backwards", "a[DECAY] / DAY * c[Q][p]", "-a[DECAY] / DAY * c[Q][p]"))
cases.equal("negative rates are told", "negative rates, which reverse their process: decay_of_particles\n" in checked.stdout, True)
short = maeotis("run", "example/box.json", "--set", "/time/step_s=1e-9")
cases.equal("too many steps", (short.returncode, "at most 1e+09 are possible" in short.stderr), (2, True))

changing = {**sea, "/kinetics/module": str(shutil.copy(mine, FOLDER / "libchanging.so"))}
half = cases.run("verification/kinetics_marsh", {**changing, "/restart/at_end": True}, options=["--steps", "2"], label="half")
shutil.copy(FOLDER / "libbackwards.so", FOLDER / "libchanging.so")
rest = cases.run("verification/kinetics_marsh", changing, options=["--restart", str(next(half.folder.glob("**/restart_*.nc")))], may_fail=True)
cases.equal("a library that has changed", (rest.code, "libchanging.so has changed" in rest.message), (2, True))
run = cases.run("verification/kinetics_marsh", sea, options=["--steps", "4"])
account = run.log[-1]["tracers"]
cases.below("budget in a sea", max(abs(a["error"]) / (abs(a["content"]) + 1) for a in account.values()), 1e-13)
cases.between("what was taken up", account["particles"]["content"], 1, 1e12)
cases.equal("two ranks", cases.run("verification/kinetics_marsh", sea, 2, ["--steps", "4"]).digest == run.digest, True)

# a forcing of the module's own, which nothing else in the program knows: what falls from the air, from a number, a formula, a file
FALLING = EXAMPLE
for old, new in (("TAKE_UP };", "TAKE_UP, FALL };"),
                 ("static const MaeotisDiagnostic", """static const MaeotisInput inputs[] = {{"deposition", "mmol m-2 s-1", "what falls from the air", 1e-6, 0, 1}};
static void surface(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    (void)a, (void)c;
    rate[FALL][0] = e->input[0];
}
static const MaeotisDiagnostic"""),
                 ("    [TAKE_UP] = {", '    [FALL] = {"fall", "", MAEOTIS_SURFACE, {{"solute", 1}}, .open = MAEOTIS_OPEN_N},\n    [TAKE_UP] = {'),
                 (".water = water,", ".water = water, .surface = surface, .n_inputs = 1, .inputs = inputs,")):
    assert FALLING.count(old) == 1, old
    FALLING = FALLING.replace(old, new)
falling = library("falling", EXAMPLE, FALLING)
cases.equal("check of a module with an input", maeotis("check", falling).returncode, 0)
cases.equal("its input in the list", "what falls from the air; 0 to 1" in maeotis("list", falling).stdout, True)
LAKE = {**sea, "/bathymetry/bed_m": -5, "/rivers": [], "/forcing": {}, "/initial/eta_m": 0, "/time/duration_s": 3600}
AREA, SECONDS = 24000 * 16000, 4 * 900


def fallen(given, settings=None, ranks=0, may_fail=False):
    kinetics = {"module": str(falling), **({} if given is None else {"inputs": {"deposition": given}})}
    return cases.run("verification/kinetics_marsh", {**LAKE, "/kinetics": kinetics, **(settings or {})}, ranks, ["--steps", "4"], may_fail=may_fail)


with netCDF4.Dataset("deposition.nc", "w") as data:
    for axis, unit, values in (("time", "hours since 2000-06-01", [-1, 0.5, 2]), ("y", "m", [-1000, 17000]), ("x", "m", [-1000, 9000, 25000])):
        data.createDimension(axis, len(values))
        data.createVariable(axis, "f8", (axis,)).units = unit
        data[axis][:] = values
    data.createVariable("deposition", "f8", ("time", "y", "x")).units = "umol m-2 s-1"
    time, y, x = np.meshgrid(3600 * data["time"][:], data["y"][:], data["x"][:], indexing="ij")
    data["deposition"][:] = 10 + x / 1e4 + y / 1e5 + time / 1e3
from_file = {"file": str(FOLDER / "deposition.nc")}
formula = "1e-3*(10 + x/1e4 + y/1e5 + t/1e3)"
for name, given, mean in (("the module's own", None, 1e-6), ("a number", 2e-3, 2e-3), ("a formula", formula, 1e-3 * (10 + 1.2 + 0.08 + 2.25)),
                          ("a file", from_file, 1e-3 * (10 + 1.2 + 0.08 + 2.25))):
    run = fallen(given)
    cases.close(f"deposition from {name}", run.log[-1]["processes"]["fall"], mean * AREA * SECONDS, 1e-12)
    cases.below(f"its budget, from {name}", abs(run.log[-1]["tracers"]["solute"]["error"]) / AREA, 1e-12)
cases.equal("deposition from a file on two ranks", fallen(from_file, ranks=2).digest == run.digest, True)
cases.equal("a run names it and its unit", "kinetics deposition [mmol m-2 s-1]: " in run.message and "deposition.nc" in run.message, True)
shutil.copy("deposition.nc", "much.nc")
with netCDF4.Dataset("much.nc", "a") as data:
    data["deposition"][:] = 1e5 * data["deposition"][:]
for name, given, settings, words in (("a file beyond its range", {"file": str(FOLDER / "much.nc")}, {}, "much.nc"), ("another name", 1, {"/kinetics/inputs": {"depositon": 1}}, 'did you mean "deposition"?'),
                                     ("beyond its range", 2, {}, "from 0 to 1"), ("a formula beyond it", "1 + x", {}, "from 0 to 1"),
                                     ("a file that ends too early", from_file, {"/time/duration_s": 14400}, "deposition.nc")):
    refused = fallen(given, settings, may_fail=True)
    cases.equal(f"{name}: refused", (refused.code, words in refused.message), (2, True))
cases.equal("a module of the version before inputs", maeotis("check", library("older", ".abi = MAEOTIS_KINETICS_ABI", ".abi = 2, .n_inputs = 77")).returncode, 0)

WRONG = {  # what is changed, and words of the refusal
    "abi": (".abi = MAEOTIS_KINETICS_ABI", ".abi = 99", "version 99 of the interface"),
    "entry": ("maeotis_kinetics(void) {", "another_name(void) {", 'no function "maeotis_kinetics"'),
    "endless": ('"something dissolved", NULL, 1,', '"something dissolved", NULL, 1.0 / 0.0,', 'initial value of "solute" is inf'),
    "term": ('{{"solute", -1}, {"particles", 1}}', '{{"solute", -1}, {"particle", 1}}', '"particle", which is not one'),
    "leak": ('{{"solute", -1}, {"particles", 1}}', '{{"solute", -1}, {"particles", 2}}', '"uptake" creates 1 of N per unit from nothing'),
    "sum": ('{{"solute", 1}, {"particles", 1}}}', '{{"solute", 1}, {"particle", 1}}}', 'diagnostic "total" needs "particle"'),
    "twice": ('{"total", "mmol m-3"', '{"solute", "mmol m-3"', 'two variables or diagnostics are called "solute"'),
    "symbol": ("rate[TAKE_UP][p] =", "extern double not_there(void); rate[TAKE_UP][p] = not_there() *", "not_there"),
    "nan": ("rate[TAKE_UP][p] =", "rate[TAKE_UP][p] = (0.0 / 0.0) *", 'rate of "uptake"'),
    "memory": ("rate[TAKE_UP][p] =", "static double before; before += 1e-9; rate[TAKE_UP][p] = before +", "depends on earlier calls"),
    "exit": ("rate[TAKE_UP][p] =", "extern void exit(int); exit(0); rate[TAKE_UP][p] =", "libexit.so ended the program"),
    "crash": ("rate[TAKE_UP][p] =", "*(volatile int *)0 = 1; rate[TAKE_UP][p] =", "libcrash.so crashed"),
}
for name, (old, new, words) in WRONG.items():
    path = library(name, old, new)
    tried = maeotis("check", path)
    cases.equal(f"{name} is refused", tried.returncode in (1, 2), True)
    cases.equal(f"{name}: {words}", words in tried.stderr, True)
    cases.equal(f"{name}: its name", f"lib{name}.so" in tried.stderr or '"mine"' in tried.stderr, True)

failed = cases.run("verification/kinetics_marsh", {**sea, "/kinetics/module": str(FOLDER / "libnan.so")}, may_fail=True)
cases.equal("not a number in a sea", failed.code, 1)
cases.equal("its module and variable", '"mine" gave "solute" a non-finite value' in failed.message, True)
crashed = cases.run("verification/kinetics_marsh", {**sea, "/kinetics/module": str(FOLDER / "libcrash.so")}, may_fail=True)
cases.equal("a crash in a sea", crashed.code, 1)
cases.equal("its module", "libcrash.so crashed" in crashed.message, True)
ended = cases.run("verification/kinetics_marsh", {**sea, "/kinetics/module": str(FOLDER / "libexit.so")}, may_fail=True)
cases.equal("a module that ends the program in a sea", (ended.code, "libexit.so ended the program" in ended.message), (1, True))
ended = cases.run("verification/kinetics_marsh", {**sea, "/kinetics/module": str(FOLDER / "libexit.so")}, 2, may_fail=True)
cases.equal("the same on one of two ranks", ended.code != 0, True)
negative = cases.run("verification/kinetics_marsh", {**sea, "/kinetics/parameters": {"decay_1_d": -1}}, may_fail=True)
cases.equal("a negative rate", negative.code, 2)
cases.equal("its name and range", '"decay_1_d"' in negative.message and "from 0 to 100" in negative.message, True)
cases.finish()
