# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""nesting.py with the comparison against a fine grid over all of the sea."""

import runpy
import sys
from pathlib import Path

sys.argv = ["nesting.py", "--all"]
runpy.run_path(str(Path(__file__).with_name("nesting.py")))
