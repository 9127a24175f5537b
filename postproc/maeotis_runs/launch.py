# SPDX-License-Identifier: Apache-2.0
"""Starts runs, through ./maeotis where that is known (it knows mpirun), else the program itself, alone."""

import json
import os
import subprocess

from maeotis_plot.reading import Refused


def command(ranks=None):
    launcher = os.environ.get("MAEOTIS_LAUNCHER")
    if launcher:
        return [launcher, "run"] + (["-n", str(ranks)] if ranks else [])
    if ranks and ranks > 1:
        raise Refused("-n: only ./maeotis starts several processes")
    return [program(), "run"]


def program():
    return os.environ.get("MAEOTIS", "maeotis")


def asked(arguments):
    """What a command of the program prints; refused with its words."""
    done = subprocess.run([program(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(done.stderr.strip().removeprefix("error: ") or f"maeotis {arguments[0]} failed")
    return done.stdout


def record_of(folder):
    """run_record.json; nothing where there is none."""
    try:
        found = json.loads((folder / "run_record.json").read_text(encoding="utf-8", errors="replace"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}
