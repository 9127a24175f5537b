# SPDX-License-Identifier: Apache-2.0
"""Runs in separate processes, as many as wanted."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Union

from . import _where
from ._where import MaeotisError, Refused  # and the path of what follows

from maeotis_results.program import asked  # isort: skip
from maeotis_results.run import record_of  # isort: skip

Progress = Union[bool, Callable[[float, str], None]]


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, its record (run_record.json), and the program's messages."""

    folder: Path
    record: dict[str, Any]
    messages: str

    @property
    def digest(self) -> str:
        return str(self.record.get("digest", ""))

    def open(self, kind: str = "fields", name: str | None = None) -> Any:
        from .results import open as open_results

        return open_results(self.folder, kind, name)


def _ask(arguments: list[str], scenario: _where.Scenario) -> str:
    _where.program()
    try:
        return asked(*arguments)
    except Refused as refused:
        raise Refused(_where.in_python(str(refused), scenario)) from None


def _trusted(trust: bool) -> list[str]:
    return ["--trust"] if trust else []


def scenario(path: str | os.PathLike, set: _where.Settings | None = None, *, trust: bool = False) -> dict[str, Any]:
    """A scenario with all its defaults as a dict, to be changed and run; its files have absolute paths. Executes no code of the
    scenario unless you `trust` its kinetics module."""
    found = json.loads(_ask(["check", str(path), "--print-effective", *_trusted(trust), *_where.options(set)], path))
    return _where.with_whole_paths(found, Path(path).resolve().parent)


def check(scenario: _where.Scenario, set: _where.Settings | None = None, *, trust: bool = False) -> str:
    """The output of `maeotis check`: Courant numbers, memory, file sizes. Raises Refused with the reasons if the scenario cannot run.
    Executes no code of the scenario unless you `trust` its kinetics module, as with scenario()."""
    with _where.scenario_file(scenario) as file:
        return _ask(["check", str(file), *_trusted(trust), *_where.options(set)], scenario)


def run(scenario: _where.Scenario, ranks: int | None = None, set: _where.Settings | None = None, *, folder: str | os.PathLike | None = None,
        name: str | None = None, steps: int | None = None, until: str | None = None, restart: str | os.PathLike | None = None,
        force: bool | str = False, device: str | None = None, overwrite: bool = False, progress: Progress = True) -> Run:
    """Runs a scenario, a path or a dict, to its end. `ranks`: processes (default: one). `folder`: for the results; a dict writes to
    results/NAME without it. `progress`: a bar, none, or a function that gets the part done and the progress line."""
    settings = dict(set or {})
    if folder is not None:
        settings["/output_folder"] = os.fspath(folder)
    words = _where.options(settings, steps=steps, until=until, restart=restart, force=force, device=device, overwrite=overwrite)
    with _where.scenario_file(scenario, name) as file:
        effective = json.loads(_ask(["check", str(file), "--trust", "--print-effective", *_where.options(settings, restart=restart)], scenario))
        code, messages = _execute([*_command(ranks), str(file), *words], _bar() if progress is True else progress)
    if code == 3:
        raise KeyboardInterrupt(messages)
    if code != 0:
        raise (Refused if code == 2 else MaeotisError)(_where.in_python(_reasons(messages), scenario))
    return Run(Path(effective["output_folder"]), record_of(Path(effective["output_folder"])), messages)


def _command(ranks: int | None) -> list[str]:
    if ranks is None or ranks == 1:
        return [str(_where.program()), "run"]
    launcher = _where.launcher()
    if launcher is None:
        return ["mpirun", "-n", str(ranks), str(_where.program()), "run"]
    return [str(launcher), "run", "-n", str(ranks)]


def _reasons(messages: str) -> str:
    reasons = [line.removeprefix("error: ") for line in messages.splitlines() if line.startswith("error: ")]
    return "\n".join(reasons) or messages.strip()


def _bar() -> Callable[[float, str], None]:
    def show(part: float, line: str) -> None:
        words = re.search(r"left ([0-9a-z ]+?)  ", line)
        date = re.search(r"\d{4}-\d\d-\d\dT[0-9:]+Z", line)
        done = round(30 * part)
        sys.stderr.write(f"\r[{'#' * done}{'.' * (30 - done)}] {100 * part:3.0f} %  {date[0] if date else ''}  left {words[1] if words else '?'}   ")
        if part >= 1:
            sys.stderr.write("\n")
        sys.stderr.flush()

    return show


def _execute(command: list[str], progress: Progress) -> tuple[int, str]:
    """Exit code and messages; the progress lines, which the program writes as on a terminal, go to `progress`."""
    environment = {**os.environ, "MAEOTIS_TERMINAL": "1"}
    if not progress:
        command = [*command, "--quiet"]
    said: list[str] = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stderr
        rest = b""
        try:
            while piece := os.read(process.stderr.fileno(), 65536):
                *lines, rest = re.split(rb"[\r\n]", rest + piece)
                for line in (text.decode(errors="replace").removeprefix("\033[K") for text in [*lines, rest]):
                    found = re.match(r" *(\d+) %  ", line)
                    if found and callable(progress) and re.search(r"[0-9a-f]{16}$", line):
                        progress(int(found[1]) / 100, line)
                said += [text.decode(errors="replace") for text in lines if not re.match(rb"(\x1b\[K)? *\d+ %  ", text)]
        except KeyboardInterrupt:  # the program got it, too: it stops after a restart file
            said.append(process.stderr.read().decode(errors="replace"))
            process.wait()
    return process.returncode, "\n".join(line for line in [*said, rest.decode(errors="replace")] if line)
