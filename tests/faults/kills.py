# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 7200
"""Signals at random moments, to a rank, to all ranks, to mpirun; ranks that stop; a folder that vanishes or may not be written;
two runs in one folder; clocks that jump. Random, but the same each time."""

import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import faults

faults.breaker()
TRIALS = int(os.environ.get("MAEOTIS_FAULTS_TRIALS", 5))  # of each signal and number of ranks
LONGER = ["--set", "/time/duration_s=36000", "--set", "/restart/every_s=1200"]  # about as long as the program takes to start
STOPPING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
DEADLY = (signal.SIGKILL, signal.SIGQUIT, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGALRM, signal.SIGUSR2, signal.SIGXCPU)
HARMLESS = (signal.SIGPIPE, signal.SIGUSR1, signal.SIGWINCH, signal.SIGCHLD)

begun = time.monotonic()
assert faults.run("whole", 0, *LONGER).code == 0
TAKES = time.monotonic() - begun
whole = faults.contents("whole")
tally = faults.Tally()


def ranks_in(folder):
    """Processes of the program that write into this folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"/maeotis") and f"/output_folder={folder}".encode() in words:
            found.append(int(entry.name))
    return sorted(found)


def tell(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it was quicker


def disturbed(folder, ranks, disturb, after, timeout=120):
    """A run that is disturbed so many seconds after its folder appeared; what is left of its processes is an error."""
    ended = faults.Ended.__new__(faults.Ended)
    with open(f"said-{folder.replace('/', '-')}", "w+") as said:
        process = subprocess.Popen(faults.command(folder, ranks, *LONGER), stdout=subprocess.DEVNULL, stderr=said, start_new_session=True)
        while process.poll() is None and not Path(folder, "fields.nc").exists():
            time.sleep(0.005)
        time.sleep(after)
        disturb(process, folder)
        ended.hung = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            ended.hung = True
        for _ in range(300):
            if not ranks_in(folder):
                break
            time.sleep(0.1)
        else:
            ended.hung = True
        for pid in ranks_in(folder):
            tell(pid, signal.SIGKILL)
        said.seek(0)
        ended.said = said.read()
    ended.code = process.returncode
    return ended


def judged(ended, folder, ranks, codes=None):
    """`codes`: those allowed; None: it may have died."""
    if codes is not None and not ended.hung and ended.code not in codes:
        return f"exit code {ended.code}: {ended.said[-300:]}"
    return faults.judge(ended, folder, whole, ranks, may_be_killed=True, options=LONGER)


# ---- signals ----

chance = random.Random(1)
plan = [(ranks, number, to, chance.uniform(0, TAKES))
        for ranks in (0, 2) for numbers in (STOPPING, DEADLY, HARMLESS) for number in numbers
        for to in (("a rank", "all ranks", "mpirun") if ranks else ("a rank",)) if to != "mpirun" or number in (*STOPPING, signal.SIGKILL)
        for _ in range(TRIALS)]


def signalled(case, folder):
    ranks, number, to, after = case

    def disturb(process, folder):
        targets = [process.pid] if to == "mpirun" or not ranks else ranks_in(folder)
        for pid in targets[-1:] if to == "a rank" else targets:
            tell(pid, number)

    ended = disturbed(folder, ranks, disturb, after)
    codes = (0, 3) if number in STOPPING and to != "mpirun" else (0,) if number in HARMLESS else None
    return ended, judged(ended, folder, ranks, codes)


for case, (ended, wrong) in faults.trials(plan, signalled):
    ranks, number, to, after = case
    tally.add(f"{number.name} to {to} of {ranks or 1}", case, ended, wrong)


# ---- folders ----

def vanishes(process, folder):
    shutil.rmtree(folder, ignore_errors=True)


def is_moved(process, folder):
    os.rename(folder, f"{folder}-elsewhere")


def is_a_file(process, folder):
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).write_text("in the way")


def folder_trial(case, folder):
    ranks, how, after = case
    ended = disturbed(folder, ranks, how, after)
    if ended.hung and ranks:
        return ended, None  # Open MPI's MPI_File_open waits for ever if only some of the ranks find the folder
    if ended.hung or ended.code not in (0, 1, 2):
        return ended, f"hung or code {ended.code}: {ended.said[-300:]}"
    if ended.code != 0 and "error: " not in ended.said:
        return ended, f"no message: {ended.said[-300:]}"
    for left in (Path(folder), Path(f"{folder}-elsewhere")):
        if left.is_file():
            left.unlink()
    if how is is_moved:
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(f"{folder}-elsewhere", folder)
        ended.code = 1
        return ended, faults.judge(ended, folder, whole, ranks, may_be_killed=True, options=LONGER)
    return ended, None


for case, (ended, wrong) in faults.trials([(ranks, how, chance.uniform(0, TAKES / 2)) for ranks in (0, 2)
                                           for how in (vanishes, is_moved, is_a_file) for _ in range(TRIALS)], folder_trial):
    tally.add(f"the folder: {case[1].__name__}, {case[0] or 1} ranks", case, ended, wrong)


# ---- clocks ----

def clock_trial(case, folder):
    ranks, at, by = case
    ended = faults.run(folder, ranks, *LONGER, fault={"clock": f"{at}:{by}"})
    wrong = faults.judge(ended, folder, whole, ranks, options=LONGER)
    if not wrong and re.search(r"\bafter (-|nan|inf)|left (-|nan|inf)", ended.said):
        wrong = f"said: {ended.said[-300:]}"
    return ended, wrong


for case, (ended, wrong) in faults.trials([(ranks, chance.uniform(0, TAKES), by) for ranks in (0, 2) for by in (-1e9, -3600, -1, 1, 3600, 1e9)
                                           for _ in range(max(1, TRIALS // 4))], clock_trial):
    tally.add(f"a clock that jumps, {case[0] or 1} ranks", case, ended, wrong)


# ---- two runs in one folder: one of them writes, whichever comes first ----

def two_trial(case, folder):
    words = faults.command(folder, case, *LONGER, "--overwrite")
    both = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=300)[1] for process in both]
    first = faults.Ended.__new__(faults.Ended)
    first.hung, first.said, first.code = False, "\n".join(said), 0
    if sorted(process.returncode for process in both) not in ([0, 0], [0, 2]):
        return first, f"codes {[process.returncode for process in both]}: {first.said[-400:]}"
    return first, faults.judge(first, folder, whole)


for case, (ended, wrong) in faults.trials([0, 2] * TRIALS, two_trial):
    tally.add(f"two runs at once, {case or 1} ranks", case, ended, wrong)
tally.finish()
