# SPDX-License-Identifier: Apache-2.0
"""Fields as text that a page can hold: 16-bit whole numbers of a decimal step, differences in time, zlib, base64.

A chunk is all records of one variable at one level. Only the cells that have a value at some time are kept: first one bit for
each cell, then the low bytes of all numbers, then the high bytes. `decode.js` is the other half."""

import base64
import math
import zlib

import numpy as np

MISSING = -32768
FINEST = 4000  # steps in the range of a variable, at least


def step_for(low, high):
    """A power of ten that divides the range into FINEST to ten times as many steps; and the middle, in steps."""
    span = max(high - low, 1e-6 * max(abs(low), abs(high)), 1e-12)
    step = 10.0 ** math.floor(math.log10(span / FINEST))
    while span / step > 60000:
        step *= 10
    return step, round(0.5 * (low + high) / step)


def numbers(values, step, offset):
    """Whole numbers of `step` above `offset`; what lies outside the 16 bits is missing, as NaN is. Record by record: the division
    wants more digits than files have."""
    out = np.full(values.shape, MISSING, np.int16)
    for row, record in zip(out, values):
        with np.errstate(invalid="ignore"):
            whole = np.rint(record.astype(float) / step) - offset
            known = np.abs(whole) < 32768  # NaN is not
        row[known] = whole[known]
    return out


def differences(whole):
    """Each record less the one before; the first one, each cell less its neighbour. Overflow wraps, here and there."""
    out = whole.copy()
    out[1:] -= whole[:-1]
    out[0, 1:] -= whole[0, :-1]
    return out


def chunk(values, step, offset):
    """`values`: records x cells."""
    whole = numbers(values.reshape(values.shape[0], -1), step, offset)
    used = (whole != MISSING).any(axis=0)
    planes = differences(whole[:, used]).astype("<i2").view(np.uint8).reshape(-1, 2)
    data = np.packbits(used, bitorder="little").tobytes() + planes[:, 0].tobytes() + planes[:, 1].tobytes()
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def unpack(text, records, cells, step, offset):
    """The inverse, as decode.js does it; for the tests."""
    data = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    bits = -(-cells // 8)
    used = np.unpackbits(data[:bits], bitorder="little")[:cells].astype(bool)
    count = records * int(used.sum())
    planes = np.stack([data[bits:bits + count], data[bits + count:]], axis=1)
    whole = np.ascontiguousarray(planes).view("<i2").reshape(records, -1).copy()
    whole[0] = np.cumsum(whole[0], dtype=np.int16)
    whole = np.cumsum(whole, axis=0, dtype=np.int16)
    values = np.full((records, cells), np.nan)
    values[:, used] = np.where(whole == MISSING, np.nan, (whole.astype(float) + offset) * step)
    return values
