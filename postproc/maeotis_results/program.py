# SPDX-License-Identifier: Apache-2.0
"""The program: asked for what it knows, and started, through ./maeotis where that is known (it knows mpirun), else by itself."""

import os
import subprocess


class Refused(Exception):
    """The file or the option cannot be used; the message says why and what there is instead."""


def program():
    return os.environ.get("MAEOTIS", "maeotis")


def asked(*arguments, messages=None):
    """What a command of the program prints; refused with its words. `messages`: a list that takes what it says besides."""
    try:
        done = subprocess.run([program(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError:
        raise Refused(f"the program {program()} is missing; call this through ./maeotis") from None
    if done.returncode != 0:
        raise Refused(done.stderr.strip().removeprefix("error: ") or f"maeotis {arguments[0]} failed")
    if messages is not None:
        messages += done.stderr.splitlines()
    return done.stdout


def check(path):
    """Lets the program look at the file first: the NetCDF library crashes on damaged ones."""
    if "MAEOTIS" in os.environ:
        asked("info", "--quick", path)


def command(ranks=None):
    """The words that start a run."""
    launcher = os.environ.get("MAEOTIS_LAUNCHER")
    if launcher:
        return [launcher, "run"] + (["-n", str(ranks)] if ranks else [])
    if ranks and ranks > 1:
        raise Refused("-n: only ./maeotis starts several processes")
    return [program(), "run"]
