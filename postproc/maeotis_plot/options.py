# SPDX-License-Identifier: Apache-2.0
"""Options of a command: in full, and with the one that was probably meant."""

import argparse
import difflib
import re


class Parser(argparse.ArgumentParser):
    def __init__(self, **settings):
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    def error(self, message):
        unknown = re.match(r"unrecognized arguments: (--[^\s=]+)", message)
        if unknown:
            known = list(self._option_string_actions)
            near = [name for name in known if name.startswith(unknown[1])] or difflib.get_close_matches(unknown[1], known, 1)
            message = f"unknown option {unknown[1]}" + (f"; did you mean {near[0]}?" if near else "")
        super().error(f"{message} (see ./{self.prog} --help)")
