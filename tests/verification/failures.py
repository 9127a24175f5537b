# SPDX-License-Identifier: Apache-2.0
"""Ten ways to fail: each ends with the exit code that is promised, and with a message that names the cause and a remedy."""

import re
import signal
import subprocess
import time
from pathlib import Path

import numpy as np

import cases

LAGOON = cases.SOURCE / "scenarios" / "lagoon.json"
FAILED, REFUSED, STOPPED = 1, 2, 3


def ends(what, run, code, cause, remedy):
    """Exit code, cause and remedy, in one line each of what was said."""
    said = " ".join(run.message.split())
    cases.equal(f"{what}: exit code", run.code, code)
    for part, words in (("cause", cause), ("remedy", remedy)):
        if not cases.equal(f"{what}: {part}", re.search(words, said) is not None, True):
            print(f"      looked for {words!r} in: {said[-600:]}")


def lagoon(label, settings, *options, **more):
    return cases.run(LAGOON, {"/output_folder": "out", **settings}, options=options, label=label, may_fail=True, **more)


def limited(size):
    """The program with files of at most so many bytes, as on a disk that is full."""
    script = Path(f"limited_{size}").resolve()
    script.write_text(f'#!/bin/sh\ntrap "" XFSZ\nulimit -f {size // 512}\nexec "{cases.PROGRAM}" "$@"\n')
    script.chmod(0o755)
    return str(script)


def signalled(label, number, settings, *options):
    """A run that gets a signal after its first restart file."""
    folder = Path(label)
    subprocess.run(["rm", "-rf", label], check=True)
    folder.mkdir()
    command = [cases.PROGRAM, "run", str(LAGOON), "--quiet", *options]
    for pointer, value in {"/output_folder": "out", "/time/end": "2025-03-01T00:00:00Z", "/forcing": "{}", **settings}.items():
        command += ["--set", f"{pointer}={value}"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:
        late = time.monotonic() + 60
        while not list(folder.glob("out/restart_*Z.nc")) and process.poll() is None and time.monotonic() < late:
            time.sleep(0.01)
        process.send_signal(number)
        process.stderr_text = process.communicate()[1]
    process.stderr = process.stderr_text
    return cases.Run(folder, process)


# 1. A current that grows without bound: nothing brakes the wind. The steps before the last are told.
run = cases.run("verification/inertial_circle", {
    "/physics/coriolis/f_s": 0, "/physics/water_density_kg_m3": 1000, "/output": [],
    "/forcing": {"wind": {"stress_x_Pa": 5, "stress_y_Pa": 0}}, "/time/step_s": 21600, "/time/duration_s": 864000000},
    label="unstable", may_fail=True)
ends("unstable step", run, FAILED, r"became unstable at step \d+ .* largest term there is the wind stress", "look at the wind there")
steps = re.findall(r"step (\d+): ([0-9.]+) m/s", re.search(r"the steps before it.*", run.message)[0])
cases.equal("the last steps are told", len(steps), 6)
growth = np.diff([float(speed) for _, speed in steps])
cases.close("each adds what the stress gives, 5 Pa on 10 m", growth.mean(), 21600 * 5 / 1000 / 10, 0.02)

ends("impossible bathymetry", lagoon("dry", {"/bathymetry/bed_m": 5}), REFUSED, "no cell of the grid can be wet: no ground below 2 m",
     "are the heights positive up")

wind = (cases.SOURCE / "scenarios" / "wind" / "lagoon.csv").read_text().replace(",6,", ",nan,", 1)
Path("gap.csv").write_text(wind)
ends("NaN in the forcing", lagoon("gap", {"/forcing/wind/file": str(Path("gap.csv").resolve())}), REFUSED,
     r'gap.csv:\d+: "nan" in the column speed_m_s is not a number', "fill the gap or leave the row out")

ends("full disk", lagoon("full", {"/output/0/every_s": 60, "/output/0/mean": False}, "--steps", "600", program=limited(24_000_000)), FAILED,
     "lagoon.nc.*(disk|File too large|space|written)", "disk")

killed = signalled("killed", signal.SIGKILL, {"/restart/every_s": 600})
cases.equal("a killed run: exit code", killed.code, -signal.SIGKILL)
newest = sorted(Path("killed/out").glob("restart_*Z.nc"))[-1].resolve()
going = cases.run(LAGOON, {"/output_folder": str(Path("killed/out").resolve()), "/time/end": "2025-03-01T00:00:00Z", "/forcing": {}},
                  options=["--restart", str(newest), "--steps", "20"], label="killed_on", may_fail=True)
cases.equal("it leaves a restart file to go on from", going.code, 0)

stopped = signalled("stopped", signal.SIGTERM, {"/restart/every_s": 600})
ends("SIGTERM", stopped, STOPPED, "stopped on request", r"continue with: ./maeotis run .* --restart \S+restart_\S+Z.nc")

damaged = bytearray(newest.read_bytes())
damaged[len(damaged) // 2] ^= 0x40
Path("damaged.nc").write_bytes(damaged)
ends("damaged restart", lagoon("damaged", {"/time/end": "2025-03-01T00:00:00Z", "/forcing": {}}, "--restart", str(Path("damaged.nc").resolve())),
     REFUSED, "damaged.nc\" is damaged or was cut off", "use an earlier restart file")

ends("no convergence", lagoon("unsolved", {"/solver/surface/max_iterations": 1}, "--steps", "3"), 0,
     r"the solver of the surface stopped at a residual of [0-9.e-]+ after 1 iterations", "raise solver.surface.max_iterations")

run = cases.run("verification/swirl", {"/time/step_s": 6000, "/time/duration_s": 6000, "/physics/momentum/streamfunction_factor": 1, "/physics/tracers/scheme": "matm",
                                           "/solver/tracers/max_iterations": 20, "/output": []},
                label="slow_tracers", may_fail=True)
ends("no convergence of tracers", run, FAILED, r"did not converge: after 20 iterations the error is [0-9.e-]+ of the largest value", "raise solver.tracers.max_iterations, shorten time.step_s")

ends("absurd level at a boundary", lagoon("absurd", {"/boundaries/0/eta_m": 90}), REFUSED,
     "the level outside, with the tide, is 90 m .* the ground of this sea lies between -8 m and", "are implausible .if it is intended: ")

if not any(Path("/dev").glob("nvidia[0-9]*")):
    ends("no GPU", lagoon("no_gpu", {}, "--device", "gpu"), REFUSED, 'device "gpu":', 'choose "cpu"|use "cpu"')
cases.finish()
