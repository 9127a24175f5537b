# SPDX-License-Identifier: Apache-2.0
"""Nothing of the user's is lost: results are replaced only on request, inputs, links and foreign files never, and a damaged
file is not continued."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import cases

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "MAEOTIS_OVERWRITE"}
SCENARIOS = cases.SOURCE / "scenarios"
for path in Path.cwd().iterdir():
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
shutil.copytree(SCENARIOS / "wind", "wind")
shutil.copy(SCENARIOS / "lagoon.json", ".")
ETA = '[{"file": "%s", "every_s": 60, "variables": ["eta"]}]'


def run(*options, command="run", ranks=0):
    words = [cases.PROGRAM, command, "lagoon.json", *options]
    if command == "run":
        words.append("--quiet")
    return subprocess.run([cases.MPIRUN, "-n", str(ranks), *words] if ranks else words, capture_output=True, text=True, env=ENVIRONMENT)


def refused(what, process, words):
    cases.equal(f"{what}: code", process.returncode, 2)
    cases.equal(f"{what}: says why", all(word in process.stderr for word in words) or process.stderr, True)


# results of an earlier run
cases.equal("first run", run("--steps", "2").returncode, 0)
before = Path("results/lagoon/lagoon.nc").read_bytes()
for ranks in (0, 2):
    refused(f"again, {ranks or 1} ranks", run("--steps", "3", ranks=ranks), ["already exists", "--overwrite", "--new-folder", "--restart"])
cases.equal("again: the file", Path("results/lagoon/lagoon.nc").read_bytes() == before, True)
process = run(command="check")
cases.equal("check tells of them", process.returncode == 0 and "--overwrite" in process.stdout, True)
cases.equal("--new-folder", run("--steps", "3", "--new-folder", ranks=2).returncode, 0)
folders = sorted(path.name for path in Path("results").iterdir())
cases.equal("folders", len(folders) == 2 and folders[1].startswith("lagoon_20"), True)
cases.equal("--overwrite", run("--steps", "3", "--overwrite").returncode, 0)
cases.equal("--overwrite: another file", Path("results/lagoon/lagoon.nc").read_bytes() != before, True)
at_once = [subprocess.Popen([cases.PROGRAM, "run", "lagoon.json", "--quiet", "--steps", "2", "--set", "/output_folder=at_once", "--new-folder"],
                            stderr=subprocess.DEVNULL) for _ in range(3)]
cases.equal("--new-folder, three at once", ([process.wait() for process in at_once], len(list(Path().glob("at_once_*/lagoon.nc")))), ([0, 0, 0], 3))
refused("--new-folder, a device that is not there", run("--steps", "1", "--set", "/output_folder=none", "--device", "gpu,nothing", "--new-folder"), ["nothing"])
cases.equal("leaves no folder", list(Path().glob("none_*")), [])
Path("only").mkdir()
Path("only/restart_20240301T010000Z.nc").write_text("a week of computing")
refused("a restart file alone", run("--steps", "1", "--set", "/output_folder=only"), ["only/restart_20240301T010000Z.nc", "--restart"])

# inputs, links, the lock
refused("over the wind", run("--steps", "1", "--set", "/output_folder=wind", "--set", "/output=" + ETA % "lagoon.csv", "--overwrite"), ["which it reads"])
refused("over the scenario", run("--steps", "1", "--set", "/output_folder=.", "--set", "/output=" + ETA % "lagoon.json", "--overwrite"), ["which it reads"])
refused("the log over the wind", run("--steps", "1", "--log-json", "wind/lagoon.csv", "--overwrite"), ["which it reads"])
refused("over the initial values", run("--steps", "1", "--set", '/initial={"eta_m": {"file": "results/lagoon/lagoon.nc", "column": "eta"}}', "--overwrite"), ["which it reads"])
cases.equal("the wind is whole", Path("wind/lagoon.csv").read_bytes() == (SCENARIOS / "wind/lagoon.csv").read_bytes(), True)
cases.equal("the scenario is whole", Path("lagoon.json").read_bytes() == (SCENARIOS / "lagoon.json").read_bytes(), True)
Path("precious").write_text("precious")
for target, words in (("wind/lagoon.csv", "which it reads"), ("lagoon.json", "which it reads"), ("precious", "already exists: --overwrite")):
    refused(f"the grid over {target}", run("--grid", target, command="check"), [words])
refused("the grid over the wind, --overwrite", run("--grid", "wind/lagoon.csv", "--overwrite", command="check"), ["which it reads"])
cases.equal("what was there", (Path("precious").read_text(), Path("wind/lagoon.csv").read_bytes() == (SCENARIOS / "wind/lagoon.csv").read_bytes()), ("precious", True))
cases.equal("a grid", run("--grid", "grid.nc", command="check").returncode, 0)
cases.equal("a grid once more", (run("--grid", "grid.nc", command="check").returncode, run("--grid", "grid.nc", "--overwrite", command="check").returncode), (2, 0))
Path("to_grid").symlink_to("grid.nc")
refused("the grid through a link", run("--grid", "to_grid", "--overwrite", command="check"), ["symbolic link"])
# not onto the files of a run that computes; a run that waits for a pipe hears that it shall stop
with subprocess.Popen([cases.PROGRAM, "run", "lagoon.json", "--quiet", "--set", "/output_folder=busy", "--set", "/time/step_s=5"],
                      stderr=subprocess.DEVNULL) as busy:
    late = time.monotonic() + 60
    while not Path("busy/lagoon_stations.nc").exists() and busy.poll() is None and time.monotonic() < late:
        time.sleep(0.01)
    refused("the grid over a run's file", run("--grid", "busy/lagoon.nc", "--overwrite", command="check"), ["a run (process", "name a file elsewhere"])
    busy.send_signal(signal.SIGTERM)
cases.equal("the run was not disturbed", busy.returncode, 3)
cases.equal("after it the grid is written", run("--grid", "busy/lagoon.nc", "--overwrite", command="check").returncode, 0)
os.mkfifo("pipe")
def hears_sigterm(process):
    caught = [line.split()[1] for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("SigCgt")]
    return int(caught[0], 16) >> (signal.SIGTERM - 1) & 1
for words in (["pipe"], ["lagoon.json", "--set", "/forcing/wind/file=pipe", "--set", "/output_folder=piped"]):
    with subprocess.Popen([cases.PROGRAM, "run", *words], stderr=subprocess.PIPE, text=True) as waiting:
        late = time.monotonic() + 60
        while not hears_sigterm(waiting.pid) and waiting.poll() is None and time.monotonic() < late:
            time.sleep(0.01)
        time.sleep(0.5)
        waiting.send_signal(signal.SIGTERM)
        try:
            said = waiting.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            waiting.kill()
            said = waiting.communicate()[1]
    cases.equal(f"{words[-1]}: hears SIGTERM while it waits for a pipe", (waiting.returncode, "stopped on request, while waiting for" in said), (1, True))

for name in ("lagoon.nc", ".maeotis.lock"):
    Path("linked").mkdir()
    Path("linked", name).symlink_to("../precious")
    refused(f"a link, {name}", run("--steps", "1", "--set", "/output_folder=linked", "--overwrite"), ["symbolic link"])
    shutil.rmtree("linked")
Path("linked").mkdir()
Path("linked/lagoon.nc").symlink_to("../not_yet_there")
refused("a link to nowhere", run("--steps", "1", "--set", "/output_folder=linked"), ["symbolic link"])
cases.equal("what it pointed to", (Path("precious").read_text(), Path("not_yet_there").exists()), ("precious", False))
refused("the lock as output", run("--steps", "1", "--set", "/output=" + ETA % ".maeotis.lock"), [".maeotis.lock"])

# restart files: only the run's own are removed
Path("many").mkdir()
foreign = ["restart_2020_my_spinup.nc", "restart_20000101T000000Z.nc"]
for name in foreign:
    Path("many", name).write_text("a year of spin-up")
cases.equal("restart files", run("--steps", "6", "--set", "/output_folder=many", "--set", "/restart/every_s=60", "--overwrite").returncode, 0)
cases.equal("kept", sorted(path.name for path in Path("many").glob("restart_*")),
            sorted([*foreign, "restart_20240301T000500Z.nc", "restart_20240301T000600Z.nc"]))

# a file that is cut
OFTEN = ("--set", "/output/0/every_s=300", "--set", "/output/0/mean=false", "--set", "/restart/at_end=true")
cases.equal("an hour", run("--steps", "60", *OFTEN, "--set", "/output_folder=cut").returncode, 0)
restart = "cut/restart_20240301T010000Z.nc"
whole = Path("cut/lagoon.nc").read_bytes()
for part in (0.3, 0.67, 0.97):
    Path("cut/lagoon.nc").write_bytes(whole[: int(part * len(whole))])
    for ranks in (0, 2):
        process = run("--steps", "70", *OFTEN, "--set", "/output_folder=cut", "--restart", restart, ranks=ranks)
        refused(f"cut to {part}, {ranks or 1} ranks", process, ["cut off", "move it"])
    cases.equal(f"cut to {part}: as it was", len(Path("cut/lagoon.nc").read_bytes()), int(part * len(whole)))
Path("cut/lagoon.nc").unlink()
cases.equal("moved away", run("--steps", "70", *OFTEN, "--set", "/output_folder=cut", "--restart", restart).returncode, 0)


# signals: alike on one rank and on several, through the launcher, if it knows this build by a preset's name
BUILD = Path(os.environ["MAEOTIS_BUILD_DIR"])
PRESET = "release" if BUILD.name == "build" else BUILD.name.removeprefix("build-")


def launched(ranks, folder, more=(), environment={}, **how):
    words = [str(cases.SOURCE / "maeotis"), "--no-install", "--preset", PRESET, "run", "lagoon.json", "-n", str(ranks),
             "--set", f"/output_folder={folder}", "--set", "/time/end=\"2030-03-01T00:00:00Z\"", "--set", "/forcing={}", *more]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env={**ENVIRONMENT, **environment}, **how)
    while not list(Path(folder).glob("lagoon.nc")) and process.poll() is None:
        time.sleep(0.05)
    time.sleep(0.5)
    return process


def programs(folder):
    """Processes of the program that write into this folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"/maeotis") and f"/output_folder={folder}".encode() in words and b"bash" not in words[0]:
            found.append(int(entry.name))
    return found


if BUILD.parent == cases.SOURCE and f'"{PRESET}"' in (cases.SOURCE / "CMakePresets.json").read_text():
    for ranks in (1, 2):
        process = launched(ranks, f"hung_up{ranks}")
        process.send_signal(signal.SIGHUP)
        said = process.communicate(timeout=60)[1]
        cases.equal(f"SIGHUP, {ranks} ranks", (process.returncode, len(list(Path(f"hung_up{ranks}").glob("restart_*.nc")))), (3, 1))
        process = launched(ranks, f"killed{ranks}")
        process.kill()
        process.wait()
        for _ in range(200):
            left = programs(f"killed{ranks}")
            if not left:
                break
            time.sleep(0.1)
        cases.equal(f"the launcher is killed, {ranks} ranks: left after 20 s", len(left), 0)
        # as many lines as for a terminal: mpirun breaks off a run after a few that nobody reads
        process = launched(ranks, f"unread{ranks}", ["--until", "2024-03-01T03:00:00Z"], {"MAEOTIS_TERMINAL": "1"})
        process.stderr.close()  # nobody reads what it says any more
        cases.equal(f"nobody listens, {ranks} ranks", process.wait(timeout=120), 0)
cases.finish()
