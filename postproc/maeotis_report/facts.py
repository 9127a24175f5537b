# SPDX-License-Identifier: Apache-2.0
"""What the page says in words and tables: set-up, budgets, solver, speed, messages, how to repeat the run."""

import re
import shlex

import numpy as np
from maeotis_plot import style
from maeotis_results import beside, reading, run
from maeotis_results.options import wished_gauges
from maeotis_results.reading import seconds


def date(at):
    """24 Sep 2014, 16:00 UTC, from seconds since 1970."""
    if not np.isfinite(at):
        return ""
    return style.date(np.datetime64(int(round(1e3 * at)), "ms"))


def figure(value, unit="", digits=3):
    """A number for people: not more digits than mean something, a true minus, groups of thousands."""
    if value is None or not np.isfinite(value):
        return "–"
    if value == 0:
        text = "0"
    elif 1e-3 <= abs(value) < 1e7:
        places = max(0, digits - 1 - int(np.floor(np.log10(abs(value)))))
        text = f"{value:,.{places}f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    else:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        text = f"{mantissa}·10{superscript(int(exponent))}"
    return f"{text} {unit}".strip().replace("-", "\N{MINUS SIGN}")


def height(value, among=0.0):
    """A level, with its sign, in centimetres; a small one, in tenths of a millimetre, unless it stands among levels of metres."""
    if 0 < abs(value) < 0.1 and among < 1:
        return f"{value:+.4f} m".replace("+0.0000", "0.0000").replace("-0.0000", "0.0000").replace("-", "\N{MINUS SIGN}")
    return f"{value:+.2f} m".replace("-0.00", "0.00").replace("+0.00", "0.00").replace("-", "\N{MINUS SIGN}")


def numbers(values):
    """For the page's scripts, which know no NaN."""
    return [float(value) if np.isfinite(value) else None for value in values]


def superscript(n):
    return str(n).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def ends(data):
    """When each record's budgets were taken: a mean's at the end of its interval."""
    if "time_bnds" in data:
        return seconds(data["time_bnds"].values[:, 1])
    return seconds(data["time"].values)


SOURCES = (("volume_from_sources", "rivers and other sources"), ("volume_from_air", "rain less evaporation"),
           ("volume_from_boundaries", "open boundaries"))
LOSSES = (("volume_intercepted", "leaves, roofs and hollows"), ("volume_infiltrated", "the ground"), ("volume_drained", "drains"))


def start_of_volume(data):
    """The volume when the run began, for which each record holds all it takes. The first record may be later: a mean, or a file of
    a run that was continued."""
    last = {name: float(data[name].values[-1]) for name in ("volume", "volume_error", *dict(SOURCES)) if name in data}
    lost = sum(float(data[name].values[-1]) for name, _ in LOSSES if name in data)
    return last.pop("volume") - sum(last.values()) + lost


def common_places(values):
    """Decimals with which a column adds up: six digits of the largest, three of the smallest but zero."""
    sizes = [abs(value) for value in values if value != 0]
    if not sizes:
        return 0
    return int(np.clip(max(5 - np.floor(np.log10(max(sizes))), 2 - np.floor(np.log10(min(sizes)))), 0, 9))


def fixed(value, places):
    text = f"{value:,.{places}f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    return "0" if value == 0 else text.replace("-", "\N{MINUS SIGN}")


def budgets(data):
    """Series and closing figures of the budgets that a fields file holds."""
    if "volume" not in data or data["volume"].size == 0:
        return None
    volume, start = data["volume"].values.astype(float), start_of_volume(data)
    scale, unit = (1e-9, "km³") if volume[-1] > 1e9 else (1e-6, "million m³") if volume[-1] > 1e7 else (1.0, "m³")
    series = [("change of volume", volume - start)]
    lines = [("Volume at the start", start)]
    for name, label in SOURCES:
        if name in data:
            values = data[name].values.astype(float)
            lines.append((f"From {label}", values[-1]))
            if np.any(values != 0):
                series.append((label, values))
    for name, label in LOSSES:
        if name in data and np.any(data[name].values != 0):
            values = -data[name].values.astype(float)
            lines.append((f"Lost to {label}", values[-1]))
            series.append((f"to {label}", values))
    lines += [("Change", volume[-1] - start), ("Volume at the end", volume[-1])]
    places = common_places([scale * value for _, value in lines])
    rows = [(label, f"{fixed(scale * value, places)} {unit}") for label, value in lines]
    if "volume_error" in data:
        worst = np.max(np.abs(data["volume_error"].values.astype(float)))
        rows.append(("Largest error of the budget", f"{figure(worst, 'm³', 2)}, {figure(worst / volume[-1], '', 2)} of the volume"))
    return {"rows": rows, "times": numbers(ends(data)), "unit": unit,
            "series": [{"label": label, "values": numbers(scale * values)} for label, values in series]}


UNITS = {"m3": "m³", "degree_C": "°C", "m-3": "m⁻³", "kg-1": "kg⁻¹"}


HEAT_CAPACITY = 3991.87  # [J kg-1 K-1], of TEOS-10's conservative temperature


def content_scale(units, density):
    """(factor, unit) in which a reader can weigh a content: volume times value, in units such as `1e-3 m3` or `kg m-3 m3`. Heat in TJ,
    by the capacity of TEOS-10."""
    amount = units.removesuffix(" m-3 m3")
    if units in ("1e-3 m3", "g kg-1 m3"):  # salinity: a share of the mass
        return 1e-6 * density, "t"
    if units.removesuffix(" m3") in ("degree_C", "degC"):  # heat above water of 0 °C
        return 1e-12 * density * HEAT_CAPACITY, "TJ"
    if amount == "kg":
        return 1e-3, "t"
    if amount != units:
        return {"mmol": (1e-3, "mol"), "g": (1e-3, "kg"), "mg": (1e-6, "kg"), "ug": (1e-9, "kg")}.get(amount, (1.0, amount))
    return 1.0, " ".join(UNITS.get(word, word) for word in units.split())


def tracers(data, density):
    """Closing rows of the tracers' budgets: name, content of the first and the last record, largest relative error."""
    rows = []
    for name in (str(n) for n in data.data_vars if str(n).endswith("_content") and data[n].dims == ("time",)):
        tracer = name.removesuffix("_content")
        content = data[name].values.astype(float)
        error = data[f"{tracer}_error"].values.astype(float) if f"{tracer}_error" in data else np.zeros(1)
        largest = max(np.max(np.abs(content)), 1e-300)
        scale, unit = content_scale(str(data[name].attrs.get("units", "")), density)
        if unit == "TJ" and scale * largest >= 1e6:
            scale, unit = 1e-6 * scale, "EJ"
        if unit == "t" and not 1 <= scale * largest < 1e7:
            scale, unit = (1e3 * scale, "kg") if scale * largest < 1 else (1e-6 * scale, "million t")
        rows.append((tracer, figure(scale * content[0], unit, 5), figure(scale * content[-1], unit, 5),
                     figure(np.max(np.abs(error)) / largest, "", 2)))
    return rows


def solver(data):
    """Iterations and residuals of the records: rows (system, mean, most, largest residual) and series to draw."""
    names = (("surface", "Free surface"), ("u", "Implicit u"), ("v", "Implicit v"), ("pressure", "Non-hydrostatic pressure"))
    rows, series = [], []
    for key, label in names:
        count = f"{key}_iterations"
        solved = data[count].values > 0 if count in data else np.zeros(1, bool)
        if not solved.any():
            continue
        iterations = data[count].values[solved].astype(float)
        residual = data[f"{key}_residual"].values[solved].astype(float) if f"{key}_residual" in data else np.array([np.nan])
        rows.append((label, figure(iterations.mean(), "", 3), f"{iterations.max():.0f}", figure(np.nanmax(residual), "", 2)))
        series.append({"label": label, "values": numbers(data[count].values)})
    return {"rows": rows, "times": numbers(seconds(data["time"].values)), "unit": "iterations", "series": series}


def digest_of(data):
    """The digest of the last record."""
    return (reading.state_digests(data.variables) or [""])[-1]


# ---- how the run was made


def brief(value):
    """A setting in few words."""
    if isinstance(value, dict):
        if "file" in value:
            return f"from {value['file']}" + (f", times {value['factor']:g}" if value.get("factor", 1) != 1 else "")
        return ", ".join(f"{key} {brief(part)}" for key, part in value.items() if part not in ([], {}, ""))
    if isinstance(value, list):
        return ", ".join(map(brief, value)) if len(value) <= 6 else f"{len(value)} values"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def at(tree, path, default=None):
    for key in path.split("/"):
        if not isinstance(tree, dict) or key not in tree:
            return default
        tree = tree[key]
    return tree


def grid_of(s):
    grid = s.get("grid", {})
    levels = at(grid, "levels/interfaces_m") or []
    if grid.get("dlon_deg"):
        cells = f"{brief(grid['dlon_deg'])} × {brief(grid.get('dlat_deg', grid['dlon_deg']))} degrees"
    else:
        cells = f"{brief(grid.get('dx_m', '?'))} × {brief(grid.get('dy_m', grid.get('dx_m', '?')))} m"
    text = f"{grid.get('kind', '')}, cells of {cells}"
    if len(levels) > 1:
        text += f", {len(levels) - 1} {'layer' if len(levels) == 2 else 'layers'} from {levels[0]:g} to {levels[-1]:g} m"
    return text


def time_of(s):
    time = s.get("time", {})
    step = time.get("step_s")
    steps = f"steps of {brief(step)} s" if not isinstance(step, str) else f"automatic steps ({step})"
    end = time.get("end") or f"{brief(time.get('duration_s', '?'))} s later"
    return f"{time.get('start', '')} to {end}, {steps}"


def drag_of(s):
    drag = at(s, "physics/drag", {})
    parameter = {"manning": "n", "chezy": "c", "constant": "cd", "log": "z0_m"}.get(drag.get("law"), "")
    return f"{drag.get('law', '')}" + (f", {parameter} {brief(drag[parameter])}" if parameter in drag else "")


def wind_of(s):
    wind = at(s, "forcing/wind")
    if not wind:
        return None
    text = brief({key: wind[key] for key in ("file", "factor", "u_m_s", "v_m_s", "stress_x_Pa", "stress_y_Pa") if key in wind})
    law = at(wind, "drag/law")
    return text + (f"; drag law {law}" if law else "")


def settings(scenario):
    """[(name, value)] of what shapes a run most."""
    s = scenario
    rivers = "; ".join(f"{r.get('name', 'unnamed')}" + (f" {brief(r['discharge_m3_s'])} m³/s" if "discharge_m3_s" in r else "")
                       for r in s.get("rivers", []))
    edges = "; ".join(f"{b.get('name') or b.get('edge', '')}: {b.get('kind', '')}" for b in s.get("boundaries", []))
    turbulence = at(s, "physics/turbulence/closure")
    rows = [
        ("Grid", grid_of(s)),
        ("Bathymetry", brief(at(s, "bathymetry/file") or s.get("bathymetry", {}))),
        ("Time", time_of(s)),
        ("Pressure", at(s, "physics/pressure")),
        ("Density", at(s, "physics/density/equation")),
        ("Momentum", ", ".join(filter(None, (at(s, "physics/momentum/scheme"), f"advection {at(s, 'physics/momentum/advection')}")))),
        ("Turbulence", turbulence),
        ("Bed", drag_of(s)),
        ("Rotation", brief(at(s, "physics/coriolis"))),
        ("Wind", wind_of(s)),
        ("Rivers", rivers),
        ("Open boundaries", edges),
        ("Tracers", ", ".join(t.get("name", "") for t in s.get("tracers", []))),
    ]
    return [(name, value) for name, value in rows if value]


def command_of(attributes):
    """The command of the run as one would type it."""
    words = run.command_of(attributes).partition("maeotis ")[2]
    return f"./maeotis {words}" if words else ""


# ---- the program's own record of the run


def speed(record, scenario):
    """[(name, value)] about what the run cost."""
    rows = []
    steps, took = record.get("steps"), record.get("seconds_of_steps")
    if record.get("ended"):
        rows.append(("Ended", record["ended"]))
    shape = record.get("processes", record.get("ranks"))  # the name before 1.0.0
    if isinstance(shape, list):
        x, y = shape
        rows.append(("Processes", f"{x * y} ({x} × {y}), on {record.get('device', 'cpu')}"))
    if steps is not None and took:
        rows.append(("Steps", f"{steps:,}".replace(",", "\N{NARROW NO-BREAK SPACE}") + f" in {figure(took, 's')}, {figure(1e3 * took / max(steps, 1), 'ms')} each"))
        rows.append(("Set-up", figure(record.get("seconds_before_first_step", np.nan), "s")))
        if record.get("wet_cells"):
            rows.append(("Cells and steps", figure(record["wet_cells"] * steps / took / 1e6, "million a second")))
        if record.get("simulated_s"):
            rows.append(("Simulated time", f"{figure(record['simulated_s'] / 86400 / (took / 3600), 'days')} in an hour of computing"))
    variants = {name: at(scenario, f"solver/{name}/variant") for name in ("surface", "momentum", "pressure")}
    if variants["surface"]:
        rows.append(("Surface solver", f"{at(scenario, 'solver/surface/method')}, variant {variants['surface']}, tolerance "
                     f"{brief(at(scenario, 'solver/surface/tolerance'))}"))
    return rows


def messages(record):
    """(warnings, notes) of the run."""
    texts = record.get("messages")
    texts = [str(text).strip() for text in texts] if isinstance(texts, list) else []
    if "files:" in texts:
        texts = texts[:texts.index("files:")]
    warnings = [text.removeprefix("warning: ") for text in texts if text.startswith("warning: ")]
    failures = [text.removeprefix("error: ") for text in texts if text.startswith("error: ")]
    notes = [text for text in texts if not text.startswith(("warning: ", "error: "))]
    return failures, warnings, notes


# ---- observations


def observed(data, options):
    """For each --gauge: its station, its series within the run, and the measures of `compare`."""
    out = []
    for station, file in wished_gauges(options):
        both = beside.of_file(data, station, file, options)
        inside = (both.gauge[0] >= both.model[0][0]) & (both.gauge[0] <= both.model[0][-1])
        out.append({"station": station, "variable": options.variable, "shift": both.shift, "times": numbers(both.gauge[0][inside]),
                    "values": numbers(both.gauge[1][inside]), "measures": both.measures})
    return out


def station_rows(data, gauges_):
    """For each station: highest and lowest level with their times, and how well they fit."""
    if "eta" not in data:
        return []
    times, rows = seconds(data["time"].values), []
    by_station = {g["station"]: g for g in gauges_ if g["variable"] == "eta"}
    among = float(np.nanmax(np.abs(data["eta"].values))) if np.isfinite(data["eta"].values).any() else 0.0
    for n, name in enumerate(reading.station_names(data)):
        values = data["eta"].isel(station=n).values.astype(float)
        if not np.isfinite(values).any():
            rows.append((name, "–", "", "–", "", "–"))
            continue
        high, low = int(np.nanargmax(values)), int(np.nanargmin(values))
        fit = "not compared"
        if name in by_station:
            m = by_station[name]["measures"]
            fit = f"rms {figure(m['rmse'], 'm')}, bias {figure(m['bias'], 'm')}, skill {m['skill']:.3f}"
        rows.append((name, height(values[high], among), date(times[high]), height(values[low], among), date(times[low]), fit))
    return rows


def quoted(words):
    return " ".join(shlex.quote(str(word)) for word in words)
