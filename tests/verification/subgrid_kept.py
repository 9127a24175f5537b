# SPDX-License-Identifier: Apache-2.0
#
# ctest: thorough
"""Tables of the ground inside cells from a file: the same sea to the last bit, on any number of processes; what does not fit is rebuilt."""

import json
import os
import subprocess
from pathlib import Path

import cases
import numpy as np

GROUND = "-1 + 2*sin(x/37)*cos(y/53) + 1.5*sin(x/11 + y/17)"
SCENARIO = {
    "grid": {"kind": "cartesian", "length_x_m": 2400, "length_y_m": 1600, "dx_m": 100, "flood_to_m": 2, "levels": {"bottom_m": -5, "dz_m": 2.5}},
    "bathymetry": {"bed_m": GROUND, "keep": "all", "subgrid": True, "pixels": 8, "dikes": [{"line": [[430, 110], [1900, 1390]], "crest_m": 1.5}]},
    "time": {"start": "2024-03-01T00:00:00Z", "duration_s": 300, "step_s": 60}, "physics": {"drag": {"law": "manning", "n": {"file": "n.asc"}}},
    "initial": {"eta_m": "0.5*cos(pi*x/Lx)"}, "boundaries": [{"name": "sea", "edge": "east", "kind": "elevation", "eta_m": -0.5}], "output": []}
MAP = "ncols 240\nnrows 160\nxllcorner 0\nyllcorner 0\ncellsize 10\n" + ("0.02 0.03 0.04 " * 80 + "\n") * 160
Path("n.asc").write_text(MAP)
Path("sea.json").write_text(json.dumps(SCENARIO))
KEPT = Path("kept/sea.tables")
KEPT.parent.mkdir(exist_ok=True)
KEPT.unlink(missing_ok=True)


def start(*options, ranks=1, folder="kept", command="run", scenario="sea.json"):
    environment = {**os.environ, **({} if folder is None else {"MAEOTIS_TABLES": folder})}
    several = [cases.MPIRUN, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.Popen([*several, cases.PROGRAM, command, scenario, *options], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(*options, **how):
    """The digest, and what was said of the tables."""
    process = start("--overwrite", *options, **how)
    errors = process.communicate()[1]
    if process.returncode != 0:
        raise SystemExit(errors)
    return errors.split("digest ")[1].split()[0], [line for line in errors.splitlines() if "tables" in line]


def without_file(*options):
    return run(*options, folder="")[0]


DIGEST = without_file()
digest, said = run("--no-files")
cases.equal("a run without files keeps none", (digest, said, KEPT.exists()), (DIGEST, [], False))
digest, said = run(ranks=2)
cases.equal("tables kept by two processes", (digest, said), (DIGEST, [f"the ground inside cells: {KEPT} keeps the tables for the next start"]))
READ = [f"the ground inside cells: tables from {KEPT}"]
for ranks in (1, 2, 3):
    cases.equal(f"tables of two processes read by {ranks}", run(ranks=ranks), (DIGEST, READ))
cases.equal("read for the emulated device", run("--device", "emu"), (DIGEST, READ))
with_file, without = (start(command="check", folder=folder).communicate()[0].splitlines() for folder in ("kept", ""))
cases.equal("check says so, and all else is the same", [line.strip() for line in with_file if "about" not in line and line not in without and "memory" not in line], [f"kept in {KEPT}"])

# what the tables depend on makes others: one more change each time
PIXEL = f"/bathymetry/bed_m={GROUND} + (abs(x - 1268.75) < 6 && abs(y - 731.25) < 6 ? 0.1 : 0)"  # not the lowest of its cell
changes = []
for change in (PIXEL, "/grid/flood_to_m=2.5", "/bathymetry/dikes/0/crest_m=1.6", "/bathymetry/pixels=9", "/physics/drag/n=0.03", "/physics/drag={\"law\": \"chezy\", \"c\": 40}"):
    changes += ["--set", change]
    digest, said = run(*changes)
    cases.equal(f"with {change[:40]}: rebuilt and kept", (len(said), "other" in said[0] if said else None), (2, True))
cases.equal("with all of these", digest, without_file(*changes))
run()
Path("n.asc").write_text(MAP.replace("0.02 0.03", "0.03 0.02", 1))  # the same mean of the cell
cases.equal("with another map of roughness", "other" in run()[1][0], True)
Path("n.asc").write_text(MAP)
run()
cases.equal("what they do not depend on", run("--set", "/initial/eta_m=0.1")[1], READ)

# files that are not as they were
run()
whole = KEPT.read_bytes()
for name, damaged in (("cut off", whole[:-9]), ("empty", b""), ("half a header", whole[:60]), ("another header", whole[:20] + b"!" + whole[21:]),
                      ("another number", whole[:-999] + b"!" + whole[-998:]), ("another version", whole[:14] + b"0" + whole[15:])):
    KEPT.write_bytes(damaged)
    digest, said = run()
    cases.equal(f"{name}: said, made and kept", (digest, len(said), KEPT.read_bytes() == whole), (DIGEST, 2, True))

# files whose checksums are forged
HEADER, HEAD, NODE = 16 + 2 * 8 + 6 * 8 + 4 * 4 * 8 + 8, 2 + 5, 4  # of kept.h, of a column and its nodes


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & 2**64 - 1
    x = (x ^ x >> 27) * 0x94D049BB133111EB & 2**64 - 1
    return x ^ x >> 31


def checksum(data):
    state = mix(len(data))
    for word in np.frombuffer(data, "<u8").tolist():
        state = mix(state ^ word)
    return state


def forge_entry(entry, value):
    """With another number in the list of blocks: list, place, size, corners, checksum of the first one."""
    return forge(lambda block, numbers: block.__setitem__(entry, value))


def forge_place(entry, value):
    """With another number of the first block's first place that has a table."""
    return forge(lambda block, numbers: numbers.__setitem__(entry, value))


def forge(change):
    data = bytearray(whole)
    block = np.frombuffer(data, "<i8", 8, HEADER)
    numbers = np.frombuffer(data, "<f8", block[2], block[1])
    place = 0
    while numbers[place + 1] == 0:
        place += HEAD
    change(block, numbers[place:])
    block.view("u8")[7] = checksum(numbers.tobytes())
    blocks = data[HEADER:HEADER + 64 * int.from_bytes(data[24:32], "little")]
    data[HEADER - 8:HEADER] = mix(checksum(data[:HEADER - 8]) ^ checksum(blocks)).to_bytes(8, "little")
    return bytes(data)


def without_end(block, numbers):
    end = HEAD + int(numbers[1])
    numbers[end - NODE:end] = numbers[end - 2 * NODE:end - NODE]


cases.equal("forged, with nothing changed", forge(lambda block, numbers: None) == whole, True)
for name, forged in (("a table of a thousand million numbers", forge_place(1, 1e9)), ("of less than none", forge_place(1, -5)), ("of no number", forge_place(1, np.nan)),
                     ("a place beyond the grid", forge_place(0, 1e30)), ("a table without end", forge(without_end)), ("a block before the file", forge_entry(1, -(2**62))),
                     ("of more numbers than there are", forge_entry(2, 2**61))):
    KEPT.write_bytes(forged)
    digest, said = run()
    cases.equal(f"{name}: said, made and kept", (digest, len(said), KEPT.read_bytes() == whole), (DIGEST, 2, True))
KEPT.write_text("my notes on tables")
digest, said = run()
cases.equal("a file of another kind stays as it is", (digest, len(said), KEPT.read_text()), (DIGEST, 1, "my notes on tables"))
digest, said = run(folder="nowhere")
cases.equal("a folder that is not there", (digest, len(said), "No such file" in said[0]), (DIGEST, 1, True))

# two at once, after one that was killed as it wrote
KEPT.unlink()
KEPT.with_name("sea.tables.part").write_bytes(2 * whole)
both = [start("--set", f"/output_folder=results/{n}", "--overwrite") for n in range(2)]
cases.equal("two runs at once", [process.communicate()[1].split("digest ")[1].split()[0] for process in both], [DIGEST, DIGEST])
cases.equal("their file, and nothing else", ([path.name for path in KEPT.parent.iterdir()], KEPT.read_bytes() == whole), (["sea.tables"], True))

# tables of few pixels lie nowhere, of many beside the scenario
cases.equal("few pixels", (run(folder=None), Path("sea.tables").exists()), ((DIGEST, []), False))
if cases.THOROUGH:
    Path("ground").mkdir(exist_ok=True)
    Path("ground/large.tables").unlink(missing_ok=True)
    Path("ground/large.json").write_text(json.dumps({**SCENARIO, "grid": {**SCENARIO["grid"], "dx_m": 50}, "bathymetry": {**SCENARIO["bathymetry"], "pixels": 64}, "physics": {}}))
    large = [run(folder=None, ranks=ranks, scenario="ground/large.json") for ranks in (2, 1)]
    cases.equal("many pixels", ([said[-1] for _, said in large], large[0][0] == large[1][0]),
                (["the ground inside cells: ground/large.tables keeps the tables for the next start", "the ground inside cells: tables from ground/large.tables"], True))
cases.finish()
