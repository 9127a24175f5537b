# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 600
"""implicit_momentum.py in all its cases."""

import runpy
import sys
from pathlib import Path

sys.argv = ["implicit_momentum.py", "--all"]
runpy.run_path(str(Path(__file__).with_name("implicit_momentum.py")))
