# SPDX-License-Identifier: Apache-2.0
"""A run by its folder: its outputs, of which each is a file or several by day, month or year, what it recorded, what of it is
damaged; and what each of its files says of how it was made."""

import fcntl
import json
import re

from . import part_files, reading
from .program import Refused


class Run:
    """`outputs`: {the output's name: its files, in the order of time}; `left_out`: {a file that cannot be read: why}."""

    def __init__(self, folder, within="*.nc"):
        if not folder.is_dir():
            raise Refused(f"{folder} is not a folder: name the run's output folder" if folder.exists() else f"there is no folder {folder}")
        self.folder, self.left_out = folder, {}
        self.outputs = part_files.grouped((file for file in folder.glob(within) if file.name != "autopsy.nc"), self.left_out)

    @property
    def record(self):
        return record_of(self.folder)

    def open_all(self, stack):
        """{kind: [(name, dataset)]} of what can be read, closed with the stack; those with the most records first."""
        found = {"fields": [], "extremes": [], "stations": []}
        for output, files in self.outputs.items():
            data = stack.enter_context(reading.open_parts(output, files))
            found[reading.kind_of(data)].append((output.name, data))
        for kind in ("fields", "stations"):
            found[kind] = sorted((item for item in found[kind] if item[1].sizes["time"]), key=lambda item: -item[1].sizes["time"])
        return found


def is_running(folder):
    """A run holds a lock on its folder as long as it writes there."""
    try:
        with open(folder / ".maeotis.lock", "rb") as lock:
            fcntl.lockf(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except FileNotFoundError:
        return False
    except OSError:
        return True


def record_of(folder):
    """run_record.json; nothing where there is none."""
    try:
        found = json.loads((folder / "run_record.json").read_text(encoding="utf-8", errors="replace"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def scenario_of(attributes):
    """The scenario of a file with all its defaults; nothing where the file holds none that can be read."""
    try:
        return dict(json.loads(attributes.get("effective_scenario", "{}")))
    except (ValueError, TypeError):
        return {}


def command_of(attributes):
    """The words of the command that wrote a file, from the program on."""
    found = re.match(r"maeotis \S+ \(.*?\): (.*)", str(attributes.get("history", "")), re.S)
    return found[1] if found else ""


def inputs_of(attributes):
    """{name: checksum} of what the run read."""
    lines = [line.split(" ", 1) for line in str(attributes.get("inputs", "")).splitlines() if " " in line]
    return {name: checksum for checksum, name in lines}
