# SPDX-License-Identifier: Apache-2.0
"""Where the program, its launcher and its library are: named by the environment (MAEOTIS, MAEOTIS_LAUNCHER, MAEOTIS_LIBRARY), in the
source tree or the installed copy that this package belongs to, or in PATH."""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Mapping, Union

HERE = Path(__file__).resolve().parent
Scenario = Union[str, os.PathLike, Mapping[str, Any]]
Settings = Mapping[str, Any]


def _roots() -> Iterator[Path]:
    """Folders that may be a source tree or the prefix of an installed copy."""
    if (HERE.parents[1] / "CMakeLists.txt").is_file():  # TREE/python/maeotis
        yield HERE.parents[1]
    if len(HERE.parents) > 3 and (HERE.parents[3] / "libexec" / "maeotis").is_dir():  # PREFIX/share/maeotis/python/maeotis
        yield HERE.parents[3]
    built_from = HERE / "built_from.txt"  # of a package that pip copied
    if built_from.is_file():
        yield Path(built_from.read_text(encoding="utf-8").strip())


def _builds(root: Path) -> list[Path]:
    preset = os.environ.get("MAEOTIS_PRESET", "release")
    return [root / ("build" if preset == "release" else f"build-{preset}"), root / "build", root / "libexec" / "maeotis", root / "lib",
            *sorted(root.glob("lib/*-linux-gnu"))]


def _find(name: str) -> Path | None:
    for root in _roots():
        for folder in _builds(root):
            if (folder / name).is_file():
                return folder / name
    return None


for _root in _roots():  # what draws and reads results is shared with the command line
    for _folder in (_root / "postproc", _root / "share" / "maeotis" / "postproc"):
        if (_folder / "maeotis_results").is_dir() and str(_folder) not in sys.path:
            sys.path.append(str(_folder))

from maeotis_results.program import Refused  # noqa: E402


class MaeotisError(RuntimeError):
    """A run or a step failed; the message is the program's."""


def program() -> Path:
    found = os.environ.get("MAEOTIS") or _find("maeotis") or shutil.which("maeotis")
    if not found:
        raise MaeotisError("the program is missing: build it (./maeotis setup) or name it in the environment variable MAEOTIS")
    os.environ["MAEOTIS"] = str(found)  # for what is shared with the command line
    return Path(found)


def launcher() -> Path | None:
    """What starts several processes; None where there is the program alone."""
    found = os.environ.get("MAEOTIS_LAUNCHER")
    if found:
        return Path(found)
    for root in _roots():
        for file in (root / "maeotis", root / "bin" / "maeotis"):
            if file.is_file():
                return file
    return None


def library() -> Path:
    found: str | Path | None = os.environ.get("MAEOTIS_LIBRARY")
    beside = Path(os.environ.get("MAEOTIS", "")).parent / "libmaeotis_bmi.so"
    if not found:
        found = beside if "MAEOTIS" in os.environ and beside.is_file() else _find(beside.name)
    if not found:
        raise MaeotisError("libmaeotis_bmi.so is missing: build it (./maeotis setup) or name it in the environment variable MAEOTIS_LIBRARY")
    return Path(found)


def example(name: str) -> Path:
    """The path of a scenario shipped with the program, such as "lagoon" (`./maeotis list` names them)."""
    for root in _roots():
        for folder in (root / "scenarios", root / "share" / "maeotis" / "scenarios"):
            if (folder / f"{name}.json").is_file():
                return folder / f"{name}.json"
    raise MaeotisError(f"no scenario {name} is shipped with the program; ./maeotis list names them")


def version() -> str:
    """Version and commit of the library."""
    from .bmi import load

    return load().maeotis_bmi_version().decode()


def with_whole_paths(value: Any, folder: Path) -> Any:
    """Texts that name a file below the folder become absolute paths, except for outputs: the scenario's own file will lie elsewhere."""
    if isinstance(value, Mapping):
        return {key: item if key in ("output", "output_folder", "title") else with_whole_paths(item, folder) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [with_whole_paths(item, folder) for item in value]
    if isinstance(value, os.PathLike):
        return str((folder / value).resolve())
    if isinstance(value, str) and 0 < len(value) < 1000 and ("/" in value or Path(value).suffix) and (folder / value).is_file():
        return str((folder / value).resolve())
    if isinstance(value, str) and glob.has_magic(value) and glob.glob(str(folder / value)):  # a pattern, no formula
        return str(folder.resolve() / value)
    return value


@contextmanager
def scenario_file(scenario: Scenario, name: str | None = None) -> Iterator[Path]:
    """The path of a scenario; a dict gets a file called NAME.json for as long as the program reads it, beside which nothing is kept."""
    if not isinstance(scenario, Mapping):
        yield Path(scenario)
        return
    with tempfile.TemporaryDirectory(prefix="maeotis_") as folder:
        file = Path(folder) / f"{name or 'scenario'}.json"
        file.write_text(json.dumps(with_whole_paths(scenario, Path.cwd())), encoding="utf-8")
        named = "MAEOTIS_TABLES" in os.environ
        os.environ.setdefault("MAEOTIS_TABLES", "")
        try:
            yield file
        finally:
            if not named:
                os.environ.pop("MAEOTIS_TABLES", None)  # which another thread may have done


def _path_of(pointer: str) -> str:
    """/output/0/every_s as ["output"][0]["every_s"]."""
    keys = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:] if key]
    return "".join(f"[{key}]" if key.isdigit() else f'["{key}"]' for key in keys)


_WORDS = (
    (r"--new-folder writes into a new folder beside it", 'folder="..." writes into another folder'),
    (r"set /output_folder to", "write with folder=... to"),
    (r"--set (/[^\s:=]+):", r'set={"\1": ...}:'),
    (r"--set takes /json/pointer=value, for example --set /physics/drag/n=0\.03, not",
     'set takes pointers and values, for example set={"/physics/drag/n": 0.03}, not'),
    (r"--force=(\w+)", r'force="\1"'),
    (r"--(overwrite|force)\b", r"\1=True"),
    (r"--restart FILE", "restart=FILE"),
    (r"--(steps|until|device|restart|log-json)\b", lambda found: found[1].replace("-", "_")),
    (r"^maeotis: -n needs", "ranks needs"),
)


def in_python(text: str, scenario: Scenario) -> str:
    """A refusal in the words of this package: arguments in place of options, keys of the dict in place of lines of its file."""
    text = re.sub(r"^error: ", "", text, flags=re.M)
    if isinstance(scenario, Mapping):
        text = re.sub(r"^\S*maeotis_[^/\s]+/[^/\s]+\.json:\d+:\d+ \((/[^)\s]*)\)", lambda found: f"scenario{_path_of(found[1])}", text, flags=re.M)
    for words, ours in _WORDS:
        text = re.sub(words, ours, text, flags=re.M)
    return text


def options(set: Settings | None = None, **words: Any) -> list[str]:
    """Options of `maeotis run`: set={"/time/step_s": 30}, and steps=10, restart=FILE, overwrite=True and so on."""
    result: list[str] = []
    for pointer, value in (set or {}).items():
        if isinstance(value, os.PathLike):
            value = str(value)
        result += ["--set", f"{pointer}={value if isinstance(value, str) else json.dumps(value)}"]
    for name, value in words.items():
        if value is None or value is False:
            continue
        option = f"--{name.replace('_', '-')}"
        if value is True:
            result.append(option)
        else:
            result += [f"{option}={value}"] if name == "force" else [option, str(value)]
    return result
