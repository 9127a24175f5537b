# SPDX-License-Identifier: Apache-2.0
"""maeotis, an ocean simulator for shallow coastal seas, from Python.

    import maeotis
    run = maeotis.run("scenarios/lagoon.json", set={"/time/end": "2024-03-01T06:00:00Z"})
    sea = run.open()                                # an xarray dataset
    with maeotis.Simulation("scenarios/lagoon.json", files=False) as sim:
        while not sim.done:
            sim.step()
            print(sim.date, sim["eta"].max())
"""

from ._where import MaeotisError, Refused, example, version
from .bmi import MaeotisBmi
from .results import compare, open, parcels_dataset, plot, xgcm_grid
from .runs import Run, check, run, scenario
from .simulation import Simulation

__all__ = ["MaeotisBmi", "MaeotisError", "Refused", "Run", "Simulation", "check", "compare", "example", "open", "parcels_dataset", "plot", "run",
           "scenario", "version", "xgcm_grid"]
