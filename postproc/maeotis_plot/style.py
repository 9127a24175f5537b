# SPDX-License-Identifier: Apache-2.0
"""What all pictures have in common: type, colours, the map's frame."""

import math
import re
import textwrap
from pathlib import Path

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.ticker import MaxNLocator

LAND = "#d5d5d2"
DRY = "#efe2c2"
WATER = "#cfe2ee"
COAST = "#5a5a58"
INK = "#222222"
QUIET = "#6b6b6b"

# Blue below, red above, white at zero: even in lightness, and told apart by colour-blind eyes.
LEVEL = LinearSegmentedColormap.from_list(
    "level", ["#11304f", "#2a6699", "#6fa5cc", "#bfd8e8", "#f7f7f5", "#f3c9b0", "#de8a66", "#b5473a", "#6b1526"], N=256
)

LABELS = {
    "eta": "Level",
    "max_eta": "Highest level",
    "min_eta": "Lowest level",
    "time_of_max_eta": "Time of the highest level",
    "time_of_min_eta": "Time of the lowest level",
    "max_speed": "Greatest surface speed",
    "time_of_max_speed": "Time of the greatest surface speed",
    "max_depth": "Greatest depth",
    "inundation_duration": "Time under water",
    "structure_discharge": "Discharge from the left of a line to its right",
    "speed": "Speed",
    "u": "Eastward velocity",
    "v": "Northward velocity",
    "u_east": "Eastward velocity",
    "v_north": "Northward velocity",
    "temperature": "Temperature",
    "salinity": "Salinity",
    "depth": "Depth",
    "wave_height": "Significant height of waves",
    "wave_period": "Peak period of waves",
    "wave_from": "Direction waves come from",
    "wave_stress": "Stress of waves at the bed",
}
# Of a harmonic analysis: the name of the constituent follows.
HARMONICS = {
    "eta_amplitude": "Amplitude of the level",
    "eta_phase": "Phase lag of the level",
    "current_major": "Long half-axis of the current",
    "current_minor": "Short half-axis of the current (+ counter-clockwise)",
    "current_inclination": "Direction of the current's long half-axis",
    "current_phase": "Phase lag of the current",
}
STEPS = [1, 2, 2.5, 5, 10]
SEQUENTIAL = {"temperature": "inferno", "salinity": "viridis", "speed": "viridis", "max_speed": "viridis"}
SIGNED = {"eta", "u", "v", "w", "u_east", "v_north", "ubar", "vbar", "wind_stress_x", "wind_stress_y", "nonhydrostatic_pressure",
          "stokes_east", "stokes_north"}


def set_up():
    plt.rcParams.update({
        "font.family": "sans-serif",
        "font.size": 10,
        "axes.titlesize": 10,
        "axes.edgecolor": QUIET,
        "axes.linewidth": 0.6,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": QUIET,
        "ytick.color": QUIET,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "savefig.facecolor": "white",
    })


def one_by_one(figures):
    """Closes each when the next is asked for."""
    for figure in figures:
        yield figure
        close(figure)


def close(figure):
    plt.close(figure)


def save(figure, picture, dpi):
    """And closes it. A picture that does not fit onto the disk leaves no part of itself, and is told with its name."""
    try:
        figure.savefig(picture, dpi=dpi)
    except OSError as error:
        if error.filename is None:  # it could be opened
            Path(picture).unlink()
        raise OSError(error.errno, error.strerror, str(picture)) from None
    finally:
        close(figure)


WHOLE_UNITS = {"": "", "1": "", "1e-3": "g/kg", "degree_C": "°C", "degC": "°C", "degree_Celsius": "°C", "degree": "°", "degrees": "°"}
RAISED = str.maketrans("23456789", "²³⁴⁵⁶⁷⁸⁹")


def unit_for_people(text):
    """"kg m-2 s-1" as kg/(m² s); what is no product of units stays."""
    if text in WHOLE_UNITS:
        return WHOLE_UNITS[text]
    above, below = [], []
    for word in text.split():
        part = re.fullmatch(r"([A-Za-zµ%°_]+)(?:\^|\*\*)?(-?[1-9])?", word)
        if not part:
            return text
        power = int(part[2] or 1)
        (above if power > 0 else below).append(WHOLE_UNITS.get(part[1], part[1]) + (str(abs(power)).translate(RAISED) if abs(power) > 1 else ""))
    over = " ".join(above) or "1"
    return over if not below else f"{over}/{below[0]}" if len(below) == 1 else f"{over}/({' '.join(below)})"


def units(variable):
    return unit_for_people(str(variable.attrs.get("units", "")))


def words(variable):
    """What a variable is, in a few words."""
    prefix, _, constituent = str(variable.name).rpartition("_")
    if prefix in HARMONICS:
        return f"{HARMONICS[prefix]}, {constituent}"
    return LABELS.get(variable.name) or sentence(str(variable.attrs.get("long_name", variable.name)))


def sentence(text):
    """With a capital first; units such as mL stay as they are."""
    return text[:1].upper() + text[1:]


def label(variable):
    name = words(variable)
    return f"{name} [{units(variable)}]" if units(variable) else name


def wished_range(text, parser):
    """(low, high) of the colours; None without a wish."""
    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        low = high = np.nan
    if not low < high or not np.isfinite([low, high]).all():
        parser.error(f"--range {text}: the lowest and the highest value of the colours, such as 0.1,2")
    return low, high


def wished_contours(text, parser):
    """A number of lines, or their values; None without a wish."""
    if text is None:
        return None
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        values = []
    if not values or not np.isfinite(values).all():
        parser.error(f"--contours {text}: a number of lines, such as 8, or their values, such as 10,12.5,15")
    if len(values) == 1 and values[0] == int(values[0]) and 1 <= values[0] <= 100 and "." not in text:
        return int(values[0])
    return sorted(set(values))


def contours(axes, x, y, values, wish):
    """Lines of equal value with their numbers."""
    if not np.isfinite(values).any() or np.nanmax(values) <= np.nanmin(values):
        return
    masked = np.ma.masked_invalid(values)
    levels = MaxNLocator(wish, steps=STEPS).tick_values(masked.min(), masked.max()) if isinstance(wish, int) else wish
    lines = axes.contour(x, y, masked, levels=levels, colors=INK, linewidths=0.6, zorder=3)
    axes.clabel(lines, fontsize=7, fmt=lambda value: f"{value:g}")


def to_milliseconds(time):
    """A date of a file as one with a year, a day and so on, rounded: 0.3 s is not quite that in a file."""
    if isinstance(time, np.datetime64):
        return (time.astype("datetime64[us]") + np.timedelta64(500, "us")).astype("datetime64[ms]").item()
    return time


def date(time):
    """24 Sep 2014, 18:00 UTC; with seconds, or parts of them, where there are."""
    if isinstance(time, np.datetime64) and np.isnat(time):
        return ""
    time = to_milliseconds(time)
    seconds = time.second + round(time.microsecond * 1e-6, 3)
    small = f":{seconds:06.3f}".rstrip("0").rstrip(".") if time.microsecond else f":{seconds:02.0f}" if seconds else ""
    return f"{time.day} {time.strftime('%b %Y, %H:%M')}{small} UTC"


def date_axis(axis, most, fewest=3):
    """Dates along an axis: 1 Mar, 12:00; the year, or the day where no label has it, at the end."""
    locator = mdates.AutoDateLocator(minticks=fewest, maxticks=most)
    axis.set_major_locator(locator)
    axis.set_major_formatter(mdates.ConciseDateFormatter(
        locator, formats=["%Y", "%b", "%-d %b", "%H:%M", "%H:%M", "%H:%M:%S"], zero_formats=["", "%Y", "%-d %b", "%-d %b", "%H:%M", "%H:%M"],
        offset_formats=["", "%Y", "%Y", "%-d %b %Y", "%-d %b %Y", "%-d %b %Y"]))


def stamp(time):
    """The date as a part of a file's name, as restart files have it."""
    time = to_milliseconds(time)
    return time.strftime("%Y%m%dT%H%M%S") + (f"_{time.microsecond:06d}Z" if time.microsecond else "Z")


def fitted(text, inches):
    """For an axis of so many inches: the words in two lines at most, and the size of type that takes; the rest is cut off."""
    for size in (10, 9, 8, 7):
        lines = textwrap.wrap(text, max(10, int(inches / (0.0085 * size))))
        if len(lines) <= 2:
            break
    else:
        lines = [lines[0], lines[1] + " …"]
    return "\n".join(lines), size


def known(parts, most=1_000_000):
    """The values of these arrays that are numbers: all, or of more than `most` every so many, from all columns alike."""
    parts = [np.asarray(part) for part in parts]
    stride = 1 + sum(part.size for part in parts) // most
    while stride > 1 and any(math.gcd(stride, part.shape[-1]) > 1 for part in parts):
        stride += 1
    values = [part.reshape(-1)[::stride] for part in parts]
    return np.concatenate([part[np.isfinite(part)] for part in values] or [np.empty(0)])


def usual_range(parts):
    """For the colours the range of all but the outermost thousandth of the values, unless the whole is less than twice as wide;
    and the whole range."""
    least, most = np.inf, -np.inf
    for part in parts:
        numbers = np.isfinite(part)
        least = min(least, np.min(part, where=numbers, initial=np.inf))
        most = max(most, np.max(part, where=numbers, initial=-np.inf))
    if most < least:
        return (0.0, 1.0), (0.0, 1.0)
    values = known(parts)
    low, high = np.percentile(values, [0.1, 99.9]) if values.size else (least, most)
    if most - least < 2 * (high - low):
        low, high = least, most
    return (float(low), float(high)), (float(least), float(most))


def angles(norm):
    """Ticks of a scale of degrees."""
    return list(np.linspace(norm.vmin, norm.vmax, 5))


def colours(name, values, wish=None):
    """Colour map and usual range of these values, or the range wished for: symmetric about zero where the sign means something."""
    low, high = wish or usual_range([np.asarray(values)])[0]
    if "_probability" in name:
        return plt.get_cmap("viridis_r"), Normalize(*(wish or (0, 1)))
    if "_phase_" in name:
        return plt.get_cmap("twilight"), Normalize(0, 360)
    if "_inclination_" in name:
        return plt.get_cmap("twilight"), Normalize(0, 180)
    signed = name in SIGNED or name.endswith("_residual") or "_minor_" in name or (name in ("max_eta", "min_eta") and low < 0 < high)
    if signed:
        reach = max(abs(low), abs(high)) or 1e-3
        return LEVEL, Normalize(*(wish or (-reach, reach)))
    if high <= low:  # one value everywhere: the middle of the colours
        low, high = low - (abs(low) * 1e-3 or 1e-3), high + (abs(low) * 1e-3 or 1e-3)
    return plt.get_cmap(SEQUENTIAL.get(name, "viridis")), Normalize(low, high)
