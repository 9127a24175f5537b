# SPDX-License-Identifier: Apache-2.0
"""What varies in an ensemble: `/pointer=normal(1,0.1)`, and the value that each member draws; `/one+/other=...`: the same value for both.

A member's value depends on the seed, the pointer and the member's number alone: more members, or another --vary beside it,
change none of those there are."""

import json
import re
import zlib

import numpy as np
from maeotis_results.program import Refused

KINDS = {
    "normal": (2, "normal(MEAN,SPREAD)"),
    "lognormal": (2, "lognormal(MEDIAN,FACTOR): two members of three lie between the median divided and multiplied by the factor"),
    "uniform": (2, "uniform(LOW,HIGH)"),
    "choice": (None, "choice(A,B,...)"),
}
FORM = re.compile(r"(/[^=]*)=\s*([a-z]+)\s*\((.*)\)\s*$", re.S)


class Variation:
    def __init__(self, text):
        found = FORM.match(text)
        if not found or found[2] not in KINDS:
            raise Refused(f"--vary {text}: write /POINTER=DISTRIBUTION, one of {'; '.join(form for _, form in KINDS.values())}")
        self.text, self.pointer, self.kind = text, found[1], found[2]
        self.pointers = re.split(r"\+(?=/)", self.pointer)
        count, form = KINDS[self.kind]
        try:
            self.numbers = json.loads(f"[{found[3]}]")
        except ValueError:
            raise Refused(f"--vary {text}: {found[3]!r} are not values; write {form}") from None
        if count and (len(self.numbers) != count or not all(isinstance(n, (int, float)) for n in self.numbers)):
            raise Refused(f"--vary {text}: {self.kind} takes two numbers: {form}")
        self.check(text)

    def check(self, text):
        a = self.numbers
        if self.kind == "normal" and a[1] < 0:
            raise Refused(f"--vary {text}: the spread {a[1]:g} is negative")
        if self.kind == "lognormal" and (a[0] <= 0 or a[1] < 1):
            raise Refused(f"--vary {text}: the median must be above 0, the factor at least 1")
        if self.kind == "uniform" and a[0] > a[1]:
            raise Refused(f"--vary {text}: {a[0]:g} is above {a[1]:g}")
        if self.kind == "choice" and not a:
            raise Refused(f"--vary {text}: nothing to choose from")

    def draw(self, seed, member):
        random = np.random.default_rng([seed, zlib.crc32(self.pointer.encode()), member])
        a = self.numbers
        if self.kind == "normal":
            return float(random.normal(a[0], a[1]))
        if self.kind == "lognormal":
            return float(a[0] * a[1] ** random.standard_normal())
        if self.kind == "uniform":
            return float(random.uniform(a[0], a[1]))
        return a[int(random.integers(len(a)))]


def setting(pointer, value):
    """As `run --set` takes it."""
    return f"{pointer}={value if isinstance(value, str) else json.dumps(value)}"
