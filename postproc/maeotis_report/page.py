# SPDX-License-Identifier: Apache-2.0
"""Puts the page together: the results of facts.py and sets.py, in the frame of page.html, with its style and its scripts inside."""

import json
import math
import os
import re
import time
from contextlib import ExitStack
from html import escape
from pathlib import Path

import numpy as np
from maeotis_plot import maps
from maeotis_results import reading, run, zoom
from maeotis_results.reading import seconds

from . import facts, members, reached, sets

HERE = Path(__file__).parent
SCRIPTS = ("decode.js", "chart.js", "map.js", "section.js", "main.js")
TRIES = 6  # to get below the largest size
REST = 300_000  # bytes of the page beside its chunks
SAMPLES = 2, 6  # records, whose difference tells what one more takes


class Files:
    """The run and its files, open, by kind."""

    def __init__(self, folder, stack):
        self.run = run.Run(folder)
        found = self.run.open_all(stack)
        if (folder / zoom.FOLDER).is_dir():  # of the finer grid of a zoom, behind those of the grid around
            inside = run.Run(folder / zoom.FOLDER)
            for kind, files in inside.open_all(stack).items():
                found[kind] += [(f"{zoom.FOLDER}/{name}", data) for name, data in files]
            self.run.outputs |= inside.outputs
            self.run.left_out |= inside.left_out
        found = {kind: [(name, reading.one_by_one(data)) for name, data in files] for kind, files in found.items()}
        self.fields, self.extremes = found["fields"], found["extremes"]
        self.stations = [item for item in found["stations"] if reading.structures_of(item[1]) is None]
        self.flows = self.structures(found)
        self.all = self.fields + self.extremes + self.stations
        if not self.all:
            raise reading.Refused("\n".join(self.run.left_out.values()) or f"{folder} holds no file of a run (*.nc)")

    @staticmethod
    def structures(found):
        """The densest series of what flows over structures."""
        flows = [(name, reading.structures_of(data)) for name, data in found["stations"] + found["fields"]]
        return sorted((item for item in flows if item[1] is not None), key=lambda item: -item[1].sizes["time"])[:1]

    def grids(self):
        """The grid around, and the finer one of a zoom or None, as those who look for what was reached take them."""
        around, finer = (reached.Grid(*(reached.telling([data for name, data in files if name.startswith(f"{zoom.FOLDER}/") == inside])
                                        for files in (self.extremes, self.fields))) for inside in (False, True))
        return around, finer if finer.extremes is not None or finer.fields is not None else None

    def attributes(self):
        return self.all[0][1].attrs

    def of_members(self):
        """Is it the summary of an ensemble?"""
        return "members" in self.attributes()

    def left_out(self):
        """What the page lacks: files that are damaged or of another run, and times without a record between those that have one."""
        said = [f"left out: {why}" for why in self.run.left_out.values()]
        for name, data in self.fields + self.stations:
            times = seconds(data["time"].values)
            for n in np.flatnonzero(np.diff(times) > 1.5 * np.median(np.diff(times))) if times.size > 2 else ():
                said.append(f"{name}: there is no record between {facts.date(times[n])} and {facts.date(times[n + 1])}")
        return said


def every(data):
    """every hour"""
    times = seconds(data["time"].values)
    if len(times) < 2:
        return "one record"
    step = float(times[1] - times[0])
    for unit, length in (("day", 86400), ("h", 3600), ("min", 60)):
        if step >= length and abs(step / length - round(step / length)) < 1e-6:
            return f"every {round(step / length)} {unit}"
    return f"every {step:.4g} s"


def maps_and_series(files, thinning):
    """The sets of the page, with their chunks."""
    chunks = sets.Chunks()
    found = [sets.fields(data, f"{name}, {every(data)}", thinning, chunks) for name, data in files.fields]
    whole = [sets.of_extremes(data, f"{name}, the whole run", thinning, chunks) for name, data in files.extremes]
    found = members.first(whole) + found if files.of_members() else found + whole
    stations = [sets.stations(data, chunks) for _, data in files.stations + files.flows]
    return [s for s in found if s["variables"]], stations, chunks


def below(files, megabytes):
    """Leaves out records until the page is small enough. How many, a sample of each file tells, packed as the page has it."""
    room = megabytes * 1e6 - REST
    records = every_how_many(files, room)
    for _ in range(TRIES):
        found = maps_and_series(files, sets.Thinning(records))
        size = found[2].size()
        if size <= room:
            break
        records = max(records + 1, math.ceil(records * size / room))
    return found


def every_how_many(files, room):
    """The least number n such that every n-th record fits in so many bytes, as far as a sample tells."""
    records = 1
    for _ in range(TRIES):
        size = 0.0
        for _, data in files.fields:
            few, more = (packed(data, sets.Thinning(records, count)) for count in SAMPLES)
            count = len(sets.Thinning(records).chosen(data.sizes["time"]))
            size += more + max(0, count - SAMPLES[1]) * max(0, more - few) / (SAMPLES[1] - SAMPLES[0])
        if size <= room:
            break
        records = max(records + 1, math.floor(records * size / room))
    return records


def packed(data, thinning):
    """The size of a file's maps on the page."""
    chunks = sets.Chunks()
    sets.fields(data, "", thinning, chunks)
    return chunks.size()


def table(rows, head=None, classes=""):
    out = [f'<div class="scroll"><table class="{classes}">']
    if head:
        out.append("<thead><tr>" + "".join(f"<th scope=\"col\">{escape(h)}</th>" for h in head) + "</tr></thead>")
    for first, *rest in rows:
        heads = head[1:] if head else [None] * len(rest)
        cells = (f"<td data-head=\"{escape(h)}\">{escape(str(v))}</td>" if h else f"<td>{escape(str(v))}</td>" for h, v in zip(heads, rest))
        out.append(f'<tr><th scope="row">{escape(str(first))}</th>' + "".join(cells) + "</tr>")
    return "".join(out) + "</table></div>"


def cards(found):
    return "".join(f'<div class="card"><dt>{escape(label)}</dt><dd>{escape(value)}</dd><p>{escape(note)}</p></div>'
                   for label, value, note in found)


def listed(texts, kind):
    return "".join(f'<li class="{kind}">{escape(text)}</li>' for text in texts)


def messages(record, files):
    failures, warnings, notes = facts.messages(record)
    scenarios = {str(data.attrs.get("effective_scenario", "")) for _, data in files.all}
    if len(scenarios) > 1:
        warnings.insert(0, "the files of this folder come from different runs: their scenarios differ")
    text = listed(failures, "error") + listed(warnings, "warning") + listed(notes, "note")
    if not record:
        return "<p>The folder contains no record of the run (run_record.json), so its messages are unknown.</p>"
    said = "" if failures or warnings else "<p>The run gave no warning.</p>"
    return said + (f'<ul class="messages">{text}</ul>' if text else "")


def reproduce(files, digest):
    attributes = files.attributes()
    path = next(iter(files.run.outputs.values()))[0]
    rows = [("Program", f"maeotis {attributes.get('maeotis_version', '?')}, commit {attributes.get('maeotis_commit', '?')}"),
            ("Build", attributes.get("maeotis_build", "?")),
            ("Digest at the end", digest or "not in the files")]
    rows += [(f"Input {name}", f"fnv1a64 {checksum}") for name, checksum in run.inputs_of(attributes).items()]
    command = facts.command_of(attributes)
    return (f"<p>Every file of the run holds its scenario, the checksums of its inputs and the version. This command rebuilds the run "
            f"from one of them, lists inputs that have changed, and compares the digests:</p>"
            f"<pre>{escape(facts.quoted(['./maeotis', 'reproduce', path]))}</pre>"
            + (f"<p>The run was started with</p><pre>{escape(command)}</pre>" if command else "") + table(rows, classes="facts"))


def source(attributes):
    out = ""
    ground = str(attributes.get("ground", "")).strip()
    if ground:
        out += f"<details><summary>Origin of the depths</summary><pre class=\"wrap\">{escape(ground)}</pre></details>"
    for key, label in (("scenario_text", "The scenario as its author wrote it"), ("effective_scenario", "The scenario with all defaults")):
        if attributes.get(key):
            out += f"<details><summary>{label}</summary><pre>{escape(str(attributes[key]))}</pre></details>"
    return out


def stations_part(files, gauges_):
    rows = [row for _, data in files.stations for row in facts.station_rows(data, gauges_)]
    head = ("Station", "Highest", "at", "Lowest", "at", "Observations")
    return table(rows, head, "numbers") if rows else ""


def budget_part(data, scenario):
    found = facts.budgets(data) if data is not None else None
    if not found:
        return "", None
    rows = facts.tracers(data, facts.at(scenario, "physics/water_density_kg_m3", 1000.0))
    text = table(found.pop("rows"), classes="facts")
    if rows:
        first, last = (facts.date(facts.ends(data)[n]) for n in (0, -1))
        text += table(rows, ("Tracer", f"Content on {first}", f"on {last}", "Largest relative error"), "numbers")
    return text, found


def section(key, title, body):
    return f'<section id="{key}"><h2>{escape(title)}</h2>{body}</section>' if body else ""


def parts(files, options, record):
    """The parts of the page below the maps as {key: (title, html)}, and the series that its charts draw."""
    scenario = run.scenario_of(files.attributes())
    longest = files.fields[0][1] if files.fields else None
    gauges_ = facts.observed(files.stations[0][1], options) if files.stations else []
    if options.gauge and not files.stations:
        raise reading.Refused("--gauge: the run wrote no series at stations")
    budget_text, budget = budget_part(longest, scenario)
    solved = facts.solver(longest) if longest is not None and "surface_iterations" in longest else {"rows": [], "series": []}
    rows = solved.pop("rows")
    cost = facts.speed(record, scenario)
    series_title = "Stations and structures" if files.stations and files.flows else "Structures" if files.flows else "Stations"
    body = {
        "stations": (series_title, (stations_part(files, gauges_) + '<div class="chart-tools" id="station-tools"></div>'
                                    '<div id="station-charts" class="charts"></div>') if files.stations or files.flows else ""),
        "budgets": ("Budgets", budget_text + '<div id="budget-chart"></div>' if budget_text else ""),
        "cost": ("Solver and speed", (table(cost, classes="facts") if cost else "") + (table(
            rows, ("System", "Mean iterations", "Most", "Largest residual"), "numbers") + '<div id="solver-chart"></div>' if rows else "")),
        "messages": ("Messages of the run", messages(record, files)),
        "setup": ("How it was made", table(facts.settings(scenario), classes="facts") + source(files.attributes())),
        "repeat": ("How to repeat it", reproduce(files, facts.digest_of(longest) if longest is not None else "")),
    }
    if files.of_members():
        body = {"stations": body["stations"], "members": ("Members", members.part(files.run.folder, files.attributes(), table))}
    return body, {"budget": budget, "solver": solved if rows else None,
                  "gauges": [{key: g[key] for key in ("station", "variable", "shift", "times", "values")} for g in gauges_]}


def how_far(files):
    """at 1 Mar 2024, 05:30 UTC, 11 % of the way"""
    times = [seconds(data["time"].values[-1:])[0] for _, data in files.fields + files.stations]
    if not times:
        return ""
    start, end = coverage(files.attributes())
    part = f", {100 * (max(times) - start) / (end - start):.0f} % of the way" if end > start else ""
    return f" at {facts.date(max(times))}{part}"


def state(files, live):
    """Of a run that still computes: (what makes a browser without scripts reload the page, what is said of it)."""
    if live is None:
        return "", ""
    says = f"The run is computing{how_far(files)}. Written at {time.strftime('%H:%M:%S', time.gmtime())} UTC"
    if not live:
        return "", f'<p class="state">{says}, not updated since.</p>'
    return (f'<noscript><meta http-equiv="refresh" content="{live:.0f}"></noscript>',
            f'<p class="state" id="live" data-every="{live:g}" data-written="{time.time():.0f}">{says}, updated every {live:g} s.</p>')


def page_of(files, options, live, left_out):
    record = files.run.record
    found, stations, chunks = below(files, options.megabytes)
    body, charts = parts(files, options, record)
    key = members.key_figures(files.extremes, files.attributes()) if files.of_members() else reached.key_figures(*files.grids())
    attributes = files.attributes()
    payload = {"sets": found, "stations": stations, "peak": peak_of(files), **charts}
    thinned = max((s["left_out"] for s in found), default=0)
    coarse = max((s["coarse"] for s in found), default=1)
    note = f"{thinned} records of a file are left out to keep the page small. " if thinned else ""
    note += f"Maps show means of {coarse} × {coarse} cells." if coarse > 1 else ""
    shown = {name: title for name, (title, text) in body.items() if text}
    refresh, said = state(files, live)
    fill = {
        "title": escape(maps.title_of(files.all[0][1])),
        "period": escape(period(attributes)),
        "institution": escape(" · ".join(str(attributes[k]) for k in ("institution", "creator_name", "project") if attributes.get(k))),
        "origin": escape(f"maeotis {attributes.get('maeotis_version', '')}"),
        "refresh": refresh,
        "state": said + (f'<ul class="messages">{listed(left_out, "error")}</ul>' if left_out else ""),
        "cards": cards(key),
        "nav": "".join(f'<a href="#{name}">{escape(title)}</a>' for name, title in shown.items()),
        "parts": "".join(section(name, *body[name]) for name in shown),
        "note": escape(note),
        "style": (HERE / "page.css").read_text(),
        "payload": json.dumps(payload, allow_nan=False).replace("<", "\\u003c"),
        "chunks": "\n".join(f'<script type="text/plain" id="chunk{n}">{text}</script>' for n, text in enumerate(chunks.texts)),
        "script": "\n".join((HERE / name).read_text() for name in SCRIPTS),
    }
    # In one pass: what a user wrote may look like another place to fill.
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], (HERE / "page.html").read_text())


def peak_of(files):
    """When the level was highest anywhere, to begin with; None where there is no level."""
    for _, data in files.fields:
        if "eta" in data:
            return float(seconds(data["time"].values)[reading.record_of_highest(data)])
    return None


def coverage(attributes):
    """The run's first and last moment, seconds since 1970; NaN where they are no dates."""
    try:
        return [float(np.datetime64(str(attributes[f"time_coverage_{k}"]).removesuffix("Z")).astype("datetime64[ms]").astype(float)) / 1e3
                for k in ("start", "end")]
    except (KeyError, ValueError):
        return [np.nan, np.nan]


def period(attributes):
    moments = coverage(attributes)
    if np.isfinite(moments).all():
        return " to ".join(map(facts.date, moments))
    start, end = (str(attributes.get(f"time_coverage_{k}", "")) for k in ("start", "end"))
    return f"{start} to {end}" if start and end else ""


def write(options, target, live=None):
    """Writes the page under another name first, so that a browser never sees half of it; returns its size, and what it lacks.
    `live`: None when the run has ended, else after how many seconds the page is rewritten; 0: never."""
    with ExitStack() as stack:
        files = Files(options.folder, stack)
        left_out = files.left_out()
        text = page_of(files, options, live, left_out).encode("utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        half.write_bytes(text)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)
    return len(text), left_out
