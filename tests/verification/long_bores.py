# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 900
"""bores.py with all its dams, steps and cells."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).with_name("bores.py")), init_globals={"ALL": True})
