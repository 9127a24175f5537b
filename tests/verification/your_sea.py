# SPDX-License-Identifier: Apache-2.0
"""The ten commands of docs/your_sea.md, one after the other, and what they leave behind. ctest: long"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

try:
    import matplotlib  # noqa: F401
    import xarray  # noqa: F401
except ImportError:
    print("xarray and matplotlib are not here: not checked")
    sys.exit(77)

import cases
import numpy as np

PICTURES = {"plot": "maeotis_plot", "new": "maeotis_plot.new", "compare": "maeotis_plot.compare"}
page = (cases.SOURCE / "docs" / "your_sea.md").read_text()
commands = [shlex.split(line) for line in page.split("```sh\n")[1].split("```")[0].splitlines()]
cases.equal("commands", len(commands), 10)
subprocess.run(["rm", "-rf", "gulf"], check=True)
said = {}
for words in commands:
    if words[1] == "python":
        words = [sys.executable, str(cases.SOURCE / words[2]), *words[3:]]
    elif "--plot" in words:
        words = [sys.executable, "-m", "maeotis_plot.tides", *words[2:]]
    elif words[1] in PICTURES:
        words = [sys.executable, "-m", PICTURES[words[1]], *words[2:]]
    else:
        words = [cases.PROGRAM, *words[1:]]
    process = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "MAEOTIS": cases.PROGRAM})
    cases.equal(shlex.join(words)[-60:], (process.returncode, process.stderr if process.returncode else ""), (0, ""))
    said[len(said) + 1] = process.stdout
for name in ("tide.png", "gulf_grid.png", "gulf_layers.png", "results/gulf_stations_Port_compared.png"):
    cases.equal(name, (Path("gulf") / name).stat().st_size > 10000, True)
constants = {line.split()[0]: [float(word) for word in line.split()[1:]] for line in said[10].splitlines() if line.split()[:1] in (["M2"], ["K1"])}
cases.close("M2 of the gauge", constants["M2"][0], 0.35, 0.01)
# the ramp takes a part of it, and the gulf turns the phase a little
cases.between("M2 of the run", constants["M2"][2], 0.2, 0.4)
cases.between("phase of M2: later by [degrees]", (constants["M2"][3] - constants["M2"][1] + 180) % 360 - 180, -15, 25)
run = cases.Run(Path("gulf/results"), process)
cases.equal("stations", run.stations()["names"], ["Port"])
cases.close("what the brook brought", run.fields("gulf.nc")["volume_from_sources"][-1], np.mean(200 + 2 * np.arange(48)) * 2 * 86400, 0.02)
cases.finish()
