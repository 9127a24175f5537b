# SPDX-License-Identifier: Apache-2.0
"""Members whose cyclone differs: `/track/NAME=...` of `--vary` is the option `--NAME` of the `./maeotis cyclone` that made the wind file
of the scenario. Each member gets a file of its own."""

import shlex
import threading

import netCDF4
from maeotis_results.program import Refused
from maeotis_storm import cyclone

PREFIX = "/track/"
INPUTS = ("wind", "air_pressure")
VARIABLE = (*cyclone.CHANGES, "technique", "storm", "scheme", "outside")
ALONE = threading.Lock()  # the NetCDF library serves one thread at a time


def of_storm(values):
    """The drawn values that belong to the track."""
    return {pointer: value for pointer, value in values.items() if pointer.startswith(PREFIX)}


class Storms:
    """The command that made the scenario's wind file, to be repeated with changes."""

    def __init__(self, scenario, folder):
        forcing = scenario.get("forcing", {})
        files = {name: (forcing.get(name) or {}).get("file") for name in INPUTS}
        if not isinstance(files["wind"], str):
            raise Refused("/forcing/wind/file must name one file, made by ./maeotis cyclone")
        path = folder / files["wind"]
        try:
            with netCDF4.Dataset(path) as data:
                self.words = shlex.split(getattr(data, "command", ""))[2:]
        except OSError:
            self.words = []
        if not self.words:
            raise Refused(f"{path} does not say which ./maeotis cyclone made it: make the wind file by this version's")
        self.pointers = [f"/forcing/{name}/file" for name in INPUTS if files[name] == files["wind"]]

    def command(self, values, target):
        """The same command with a member's values and its own file."""
        changes = [f"--{pointer.removeprefix(PREFIX).replace('_', '-')}={value}" for pointer, value in of_storm(values).items()]
        unknown = [change for change in changes if not change.startswith(tuple(f"--{name}=" for name in VARIABLE))]
        if unknown:
            raise Refused(f"./maeotis cyclone has no option {unknown[0].partition('=')[0]} that can vary: {', '.join(VARIABLE)}")
        return [*self.words, f"--output={target}", *changes]

    def check(self, values):
        """Refuses what cannot be made."""
        cyclone.prepared(cyclone.parse(self.command(values, "storm.nc")))

    def make(self, values, target):
        """Writes the file of a member; what of the scenario names it."""
        target.parent.mkdir(parents=True, exist_ok=True)
        with ALONE:
            options = cyclone.parse(self.command(values, target))
            cyclone.write(options, *cyclone.prepared(options))
        return {pointer: str(target.resolve()) for pointer in self.pointers}
