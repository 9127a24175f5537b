# SPDX-License-Identifier: Apache-2.0
"""Operations of a node in MATM, counted by the code itself (tests/support/operations.cpp), beside what its paper counts: 14 of
a residual, 35 of an iteration with known parameters (docs/papers.md)."""

import shutil
import subprocess
import sys

import cases

if not shutil.which("g++") or not shutil.which("mpicc"):
    sys.exit(77)
mpi = next(words for flag in ("--showme:compile", "-compile_info")
           if (words := subprocess.run(["mpicc", flag], capture_output=True, text=True)).returncode == 0).stdout.split()
subprocess.run(["g++", "-std=c++17", "-O1", "-w", "-fpermissive", "-ffunction-sections", "-Wl,--gc-sections", f"-I{cases.SOURCE}",
                *(word for word in mpi if word.startswith("-I")), "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-o", "count",
                str(cases.SOURCE / "tests/support/operations.cpp")], check=True)
lines = subprocess.run(["./count"], capture_output=True, text=True, check=True).stdout.splitlines()
counted = {what: [int(n) for n in numbers.split()] for what, numbers in (line.split(": ") for line in lines)}
for what, numbers in counted.items():
    print(f"      {what}: {numbers[0]} multiplications, {numbers[1]} additions, {numbers[2]} divisions")
of = {what: sum(numbers) for what, numbers in counted.items()}
cases.equal("residual, as in the paper", of["residual"], 14)
# two of them are 0.5 w + 1, which its count leaves out; the upper system multiplies by D as well, x by a step
of_paper = of["residual"] + 2 * (of["the paper's sweep"] - 2) + 1 + 2
cases.equal("an iteration of algorithm 1, as in the paper", of_paper, 35)
cases.equal("our sweep multiplies by w and divides by nothing", (of["sweep"], counted["sweep"][2]), (9, 0))
cases.equal("an iteration of our steps from the paper, scaled to D = 1", of["residual"] + 2 * of["sweep"] + 2, 34)
cases.equal("one in place, forward and back, without a residual", 2 * of["sweep in place"], 24)
cases.finish()
