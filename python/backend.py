# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of the package and of what it shares with the command line (postproc/), as PEP 517 and 660 ask. The wheel remembers
the source tree that it was made from, whose program and library it uses."""

import base64
import hashlib
import re
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parent
SHARED = ("maeotis_plot", "maeotis_report", "maeotis_results", "maeotis_runs")


def _version():
    return re.search(r"project\(maeotis VERSION ([0-9.]+)", (TREE / "CMakeLists.txt").read_text())[1]


def _needs():
    listed = re.search(r"^dependencies = \[(.*)\]$", (HERE / "pyproject.toml").read_text(), re.M)[1]
    return re.findall(r'"([^"]+)"', listed)


def _contents(editable):
    if editable:
        yield "maeotis_tree.pth", f"{HERE}\n{TREE / 'postproc'}\n".encode()
        return
    yield "maeotis/built_from.txt", f"{TREE}\n".encode()
    for package in [HERE / "maeotis", *(TREE / "postproc" / name for name in SHARED)]:
        for file in sorted(package.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(package.parent).as_posix(), file.read_bytes()


def _wheel(directory, editable):
    version = _version()
    info, name = f"maeotis-{version}.dist-info", f"maeotis-{version}-py3-none-any.whl"
    words = ["Metadata-Version: 2.1", "Name: maeotis", f"Version: {version}", *(f"Requires-Dist: {need}" for need in _needs())]
    files = [*_contents(editable), (f"{info}/METADATA", ("\n".join(words) + "\n").encode()),
             (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: maeotis\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    record = "".join(f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for path, data in files)
    with zipfile.ZipFile(Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in [*files, (f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode())]:
            archive.writestr(path, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, editable=False)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, editable=True)
