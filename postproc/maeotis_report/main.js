// SPDX-License-Identifier: Apache-2.0
// The page's controls, and what they show. The choice is kept in the address, so that a rewritten page shows the same.
"use strict";

const data = JSON.parse(document.getElementById("payload").textContent);
const $ = id => document.getElementById(id);
const wait = $("pointer");

const map = new MapView($("map"));
const section = new Section($("section-chart"));
const chosen = { set: 0, variable: 0, level: 0, record: 0, marked: null, line: null, drawing: false };
let shown = null, playing = null, pointChart = null, turn = 0;

const setNow = () => data.sets[chosen.set];
const variableNow = () => setNow().variables[chosen.variable];
const hasLayers = set => set.bed && set.variables.some(v => v.levels && v.levels.length > 1);
const recordOf = (set, seconds) => set.times.length ? nearest(set.times, seconds) : 0;
const cellsOf = set => set.x[2] * set.y[2];
const withUnit = (value, variable) => variable.dated ? dateText(value) : `${numberText(value, 10 * variable.step * (variable.factor || 1))} ${variable.unit}`;

function option(parent, text, value) {
    const element = html("option", text, parent);
    element.value = value;
    return element;
}

/* ---- what can be chosen ---- */

function fillVariables() {
    data.sets.forEach((set, s) => {
        const group = html("optgroup", "", $("variable"));
        group.label = set.title;
        const order = ["eta", "speed"], rank = v => (order.indexOf(v.name) + 9) % 9;
        set.variables.map((v, n) => [v, n]).sort((a, b) => rank(a[0]) - rank(b[0])).forEach(([v, n]) => option(group, v.label, `${s}/${n}`));
    });
}

function fillLevels() {
    const levels = variableNow().levels;
    $("level-label").hidden = !levels || levels.length < 2;
    $("level").replaceChildren();
    (levels || []).map((text, n) => [text, n]).reverse().forEach(([text, n]) => option($("level"), text, n));
    if (levels && levels.length > 1) option($("level"), "at the bed", levels.length);
    chosen.level = levels ? Math.min(chosen.level < 0 ? levels.length - 1 : chosen.level, levels.length) : 0;
    $("level").value = chosen.level;
}

function fillTimes() {
    const set = setNow();
    $("player").hidden = set.times.length < 2 || !variableNow().timed;
    $("time").max = Math.max(0, set.times.length - 1);
    $("time").value = chosen.record;
}

function takeVariable(s, n, level = -1) {
    const moment = setNow().times[chosen.record];
    Object.assign(chosen, { set: s, variable: n, level });
    if (moment !== undefined) chosen.record = recordOf(setNow(), moment);
    fillLevels();
    fillTimes();
    show();
}

/* ---- the map ---- */

async function currentOf(set, record, variable = variableNow()) {
    const with_ = set.current ? set : data.sets.find(other => other.current && other.x.join() === set.x.join() && other.y.join() === set.y.join());
    if (!with_ || !$("arrows").checked || !set.times.length || !variable.timed) return null;
    const cells = cellsOf(with_), parts = with_.current.map(name => with_.variables.find(v => v.name === name));
    const count = parts[0].levels ? parts[0].levels.length : 1;
    const level = with_ === set && variable.levels && variable.levels.length === count ? chosen.level : count - 1;
    const at = recordOf(with_, set.times[record]);
    const [u, v] = await Promise.all(parts.map(part => sourceOf(with_, part, level, cells)));
    return { pair: [u.at(at), v.at(at)], reference: with_.variables.find(v => v.name === "speed").reference };
}

/* ---- a zoom ---- */

const boxOf = set => set.box && set.box.map(edge => edge * lengthsOf(set).scale);
const cellsInside = new Map(); // of finer sets, on the axes of the map around

/* The same variable of the finer grid at the same time, to lay over the map; null where there is none. */
async function finerOf(set, variable, record) {
    if (!set.box || variable.dated) return null;
    for (const inner of data.sets) {
        const [west, east, south, north] = set.box;
        if (inner.x[0] < west || inner.x[1] > east || inner.y[0] < south || inner.y[1] > north) continue;
        const same = inner.variables.find(v => v.name === variable.name && v.timed === variable.timed), at = variable.timed ? inner.times.indexOf(set.times[record]) : 0;
        if (!same || at < 0 || (same.levels || []).length !== (variable.levels || []).length) continue;
        if (!cellsInside.has(inner)) cellsInside.set(inner, new Cells(inner, lengthsOf(set).scale));
        const values = (await sourceOf(inner, same, chosen.level, cellsOf(inner))).at(at), current = await currentOf(inner, at, variable);
        return { set: inner, cells: cellsInside.get(inner), values, current: current && current.pair };
    }
    return null;
}

function stationPlaces() {
    const { scale } = lengthsOf(setNow());
    return data.stations.flatMap(s => s.names.slice(0, s.x.length).map((name, n) => ({ name, x: s.x[n] * scale, y: s.y[n] * scale })));
}

async function show() {
    const set = setNow(), variable = variableNow(), mine = ++turn;
    try {
        const source = await sourceOf(set, variable, chosen.level, cellsOf(set));
        const values = source.at(variable.timed ? chosen.record : 0), current = await currentOf(set, chosen.record), finer = await finerOf(set, variable, chosen.record);
        if (mine !== turn) return; // something else was chosen in the meantime
        map.place(set);
        const choice = $("scale").value, scale = scaleOf(map.row && choice !== "now" ? "full" : choice, finer ? [...values, ...finer.values] : values, variable);
        shown = { values, variable, scale, current: current && current.pair, reference: current && current.reference,
                  marked: chosen.marked, stations: stationPlaces(), box: boxOf(set), finer };
        if (onGrid(set)) shown.line = chosen.line;
        map.draw(shown);
        $("bar").parentElement.hidden = $("section-draw").hidden = map.row;
        $("bar").hidden = $("bar-ticks").hidden = Boolean(variable.bare);
        for (const id of ["zoom-in", "zoom-out"]) $(id).hidden = map.row;
        $("arrows-label").hidden = map.row || !data.sets.some(other => other.current);
        if (!map.row) drawBar($("bar"), $("bar-ticks"), $("bar-label"), variable, scale);
        $("arrow-key").hidden = !current || map.row;
        if (current) $("arrow-key").lastElementChild.textContent = `current of ${numberText(current.reference, 0.01)} m/s`;
        $("date").textContent = set.times.length && variable.timed ? dateText(set.times[chosen.record]) : "";
        remember();
        await showPoint();
        await showSection();
        document.documentElement.dataset.ready = "yes";
    } catch (error) {
        wait.textContent = error.message;
        throw error;
    }
}

function sayCell(at, inside) {
    if (!at || !shown) { wait.textContent = map.row ? "Point at the line for values; click for a series." : "Point at the map for values; click for a series; +, Ctrl with the wheel, or two fingers for a nearer view."; return; }
    const cells = inside ? shown.finer.cells : map, current = inside ? shown.finer.current : shown.current;
    if (inside) at = inside;
    const value = (inside ? shown.finer.values : shown.values)[at.cell], state = cells.sea[at.cell] ? shown.variable.empty || "dry, or no value" : "land";
    let text = `${map.placeText(at.i, at.j, cells)}${inside ? " (finer grid)" : ""}: ${value === value ? shown.variable.label.toLowerCase() + " " + withUnit(value, shown.variable) : state}`;
    if (current && current[0][at.cell] === current[0][at.cell]) {
        const u = current[0][at.cell], v = current[1][at.cell];
        text += `; current ${numberText(Math.hypot(u, v), 0.01)} m/s towards ${Math.round((Math.atan2(u, v) * 180 / Math.PI + 360) % 360)}°`;
    }
    wait.textContent = text;
}

/* ---- the series at a cell ---- */

async function showPoint() {
    const set = setNow(), variable = variableNow(), at = chosen.marked;
    $("point").hidden = !at || set.times.length < 2 || !variable.timed;
    if ($("point").hidden) return;
    const source = await sourceOf(set, variable, chosen.level, cellsOf(set));
    if (pointChart) pointChart.remove();
    $("point-title").textContent = `${variable.label} at ${map.placeText(at.i, at.j)}`;
    pointChart = new Chart($("point-chart"), "", variable.unit, [{ label: variable.label, times: set.times, values: source.series(at.cell) }], {
        height: 180, step: variable.step, cursor: () => setNow().times[chosen.record],
        pick: seconds => { chosen.record = recordOf(setNow(), seconds); fillTimes(); show(); } });
}

/* ---- the section ---- */

const layered = data.sets.flatMap((set, s) => hasLayers(set) ? set.variables.filter(v => v.levels && v.levels.length > 1 && v.timed).map(v => ({ set, s, v })) : []);

/* Is the section of the grid that the map shows? */
const onGrid = set => layered.some(l => l.set.x.join() === set.x.join() && l.set.y.join() === set.y.join());

async function showSection() {
    $("section").hidden = $("nav-section").hidden = layered.length === 0;
    if (!layered.length) return;
    const { set, v } = layered[$("section-variable").value || 0], moment = setNow().times[chosen.record];
    const record = moment === undefined ? set.times.length - 1 : recordOf(set, moment);
    if (set.x.join() !== setNow().x.join() || set.y.join() !== setNow().y.join()) { $("section-note").textContent = "The section's grid is not that of the map."; return; }
    if (!chosen.line) {
        chosen.line = usualLine(map, (await chunkOf(set.bed, 0, cellsOf(set))).at(0));
        if (onGrid(setNow())) map.draw(Object.assign(shown, { line: chosen.line }));
    }
    await section.load(set, v, record, chosen.line, map);
    const scale = scaleOf($("scale").value, section.values(), v);
    section.draw(scale);
    drawBar($("section-bar"), $("section-ticks"), $("section-label"), v, scale);
    const [a, b] = chosen.line;
    $("section-note").textContent = `${set.times.length ? dateText(set.times[record]) + ", from " : "From "}${map.placeText(a.i, a.j)} (left) to ${map.placeText(b.i, b.j)}${map.row ? "" : ", the line on the map"}.`;
}

/* ---- series at stations, budgets, solver ---- */

/* Files of the same variables and levels, such as those of a grid and of its zoom, share one choice. */
async function showStations() {
    const alike = new Map();
    for (const set of data.stations) {
        const key = JSON.stringify(set.variables.map(v => [v.name, v.levels]));
        alike.set(key, [...(alike.get(key) || []), set]);
    }
    for (const sets of alike.values()) {
        const choice = alike.size === 1 ? $("station-tools") : html("div", "", $("station-tools"), "chart-tools");
        const label = html("label", "Show ", choice), variables = html("select", "", label), levelLabel = html("label", "Level ", choice), levels = html("select", "", levelLabel);
        const known = sets[0].variables, boxes = sets.map(() => html("div", "", $("station-charts"), "charts"));
        known.forEach((v, n) => option(variables, v.label, n));
        variables.value = Math.max(0, known.findIndex(v => v.name === "eta"));
        for (const box of boxes) box.style.gridColumn = "1 / -1";
        const draw = () => Promise.all(sets.map(async (set, n) => {
            const v = set.variables[variables.value];
            drawStations(set, v, await chunkOf(v, Number(levels.value) || 0, set.names.length), boxes[n]);
        }));
        const relevel = () => {
            const v = known[variables.value];
            levelLabel.hidden = !v.levels || v.levels.length < 2;
            levels.replaceChildren();
            (v.levels || []).map((text, n) => [text, n]).reverse().forEach(([text, n]) => option(levels, text, n));
            return draw();
        };
        variables.addEventListener("change", relevel);
        levels.addEventListener("change", draw);
        await relevel();
    }
}

const stationCharts = new Map();

function drawStations(set, v, chunk, box) {
    for (const chart of stationCharts.get(set) || []) chart.remove();
    const all = set.names.map((_, n) => chunk.series(n)), seen = gauge => gauge.variable === v.name;
    const range = [Infinity, -Infinity];
    for (const values of [...all, ...(data.gauges || []).filter(seen).map(g => g.values)])
        for (const value of values)
            if (value === value) { range[0] = Math.min(range[0], value); range[1] = Math.max(range[1], value); }
    if (!(range[0] < range[1])) { range[0] -= 1; range[1] = range[0] + 2; }
    stationCharts.set(set, set.names.map((name, n) => {
        const lines = [{ label: "computed", times: set.times, values: all[n] }], gauge = (data.gauges || []).find(g => seen(g) && g.station === name);
        if (gauge) lines.push({ label: gauge.shift ? "measured, shifted to the same mean" : "measured", times: gauge.times, values: gauge.values, dots: true });
        let most = -1;
        all[n].forEach((value, m) => { if (value === value && (most < 0 || Math.abs(value) > Math.abs(all[n][most]))) most = m; });
        return new Chart(box, name, v.unit, lines, { range: v.name.startsWith("structure_discharge") ? null : range, step: v.step, note: most < 0 ? "dry, or no value" : `${all[n][most] < 0 ? "lowest" : "highest"} ${withUnit(all[n][most], v)}`,
            cursor: () => setNow().times[chosen.record],
            pick: seconds => { if (setNow().times.length > 1) { chosen.record = recordOf(setNow(), seconds); fillTimes(); show(); } } });
    }));
}

function showTables() {
    for (const [key, title, height] of [["budget", "Volume since the start", 200], ["solver", "Iterations in the step of each record", 150]]) {
        const chart = data[key];
        if (chart && chart.series.length && chart.times.length > 1)
            new Chart($(key + "-chart"), title, chart.unit, chart.series.map(s => ({ ...s, times: chart.times })), { height });
    }
}

/* ---- the choice in the address ---- */

function remember() {
    const set = setNow(), v = variableNow();
    const newest = chosen.record === set.times.length - 1;
    const parts = [set.title.split(",")[0], v.name, chosen.level, set.times.length ? (newest ? "newest" : set.times[chosen.record]) : ""];
    try { sessionStorage.setItem("maeotis:" + document.title, JSON.stringify(parts)); } catch { /* a page without storage */ }
}

function recall() {
    try {
        const [title, name, level, moment] = JSON.parse(sessionStorage.getItem("maeotis:" + document.title));
        const s = data.sets.findIndex(set => set.title.startsWith(title)), n = data.sets[s].variables.findIndex(v => v.name === name);
        if (n < 0) return false;
        Object.assign(chosen, { set: s, variable: n, level });
        if (moment !== "") chosen.record = moment === "newest" ? data.sets[s].times.length - 1 : recordOf(data.sets[s], moment);
        return true;
    } catch {
        return false;
    }
}

/* While the run computes, the page is rewritten: load it then, but not while somebody plays it or holds the map. */
function keepUp() {
    const state = $("live");
    if (!state) return;
    const every = 1000 * Number(state.dataset.every), late = Date.now() - 1000 * Number(state.dataset.written) - 4 * every;
    if (late > 60000) state.textContent += " It has not been rewritten for a while: the command that writes it may have been stopped.";
    const load = () => { if (playing || held || chosen.drawing) setTimeout(load, 500); else location.reload(); };
    setTimeout(load, every);
}

/* The level at the moment when it is highest, as far as the stations or the extremes tell; of a run that computes, the newest. */
function beginAtPeak() {
    chosen.set = Math.max(0, data.sets.findIndex(set => set.times.length && set.variables.some(v => v.name === "eta")));
    const set = setNow(), n = set.variables.findIndex(v => v.name === "eta");
    chosen.variable = Math.max(0, n);
    chosen.level = -1;
    chosen.record = data.peak && set.times.length && !$("live") ? recordOf(set, data.peak) : Math.max(0, set.times.length - 1);
}

/* A level that rises and falls everywhere alike is a map of one colour: then the current, when it is fastest. */
async function beginWithSomething() {
    const set = setNow(), level = variableNow(), speed = set.variables.findIndex(v => v.name === "speed");
    if (speed < 0 || level.name !== "eta" || $("live")) return;
    const values = [...(await sourceOf(set, level, 0, cellsOf(set))).at(chosen.record)].filter(v => v === v).sort((a, b) => a - b);
    const spread = values.length ? values[Math.floor(0.98 * (values.length - 1))] - values[Math.floor(0.02 * (values.length - 1))] : 0;
    if (spread < 0.1 * (level.high - level.low)) Object.assign(chosen, { variable: speed, record: recordOf(set, set.fastest) });
}

/* ---- hands ---- */

function play() {
    if (playing) { clearInterval(playing); playing = null; $("play").textContent = "▶"; return; }
    if (chosen.record >= setNow().times.length - 1) chosen.record = -1;
    $("play").textContent = "❚❚";
    playing = setInterval(() => {
        if (chosen.record >= setNow().times.length - 1) return play();
        chosen.record++;
        $("time").value = chosen.record;
        show();
    }, 160);
}

let held = null;

function pointerDown(event) {
    map.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    held = { x: event.clientX, y: event.clientY, moved: false, from: map.cellAt(event) };
    if (chosen.drawing || map.zoom > 1) map.canvas.setPointerCapture(event.pointerId);
}

function pointerMove(event) {
    const before = map.pointers.get(event.pointerId);
    sayCell(map.cellAt(event), map.finerAt(event));
    if (!before) return;
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > 4) held.moved = true;
    if (map.pointers.size === 2) pinch(event);
    else if (chosen.drawing && held.from) {
        const to = map.cellAt(event);
        if (to) map.draw(Object.assign(shown, { line: [held.from, to] }));
    } else if (map.zoom > 1) map.move(event.clientX - before[0], event.clientY - before[1]);
    map.pointers.set(event.pointerId, [event.clientX, event.clientY]);
}

function pinch(event) {
    const [a, b] = [...map.pointers.entries()].map(([id, at]) => id === event.pointerId ? [at, [event.clientX, event.clientY]] : [at, at]);
    const length = n => Math.hypot(a[n][0] - b[n][0], a[n][1] - b[n][1]);
    if (length(0) > 0) map.scale(length(1) / length(0), { clientX: (a[1][0] + b[1][0]) / 2, clientY: (a[1][1] + b[1][1]) / 2 });
}

function pointerUp(event) {
    map.pointers.delete(event.pointerId);
    const to = map.cellAt(event);
    if (chosen.drawing && held && held.moved && held.from && to) {
        chosen.line = [held.from, to];
        draw(false);
        show();
    } else if (held && !held.moved && to && map.sea[to.cell]) {
        chosen.marked = to;
        show();
    }
    held = null;
}

function draw(on) {
    chosen.drawing = on;
    $("section-draw").textContent = on ? "Now drag a line over the map" : "Draw another line on the map";
    map.box.style.touchAction = on || map.zoom > 1 ? "none" : "pan-y";
    if (on) $("maps").scrollIntoView({ behavior: "smooth" });
}

function listen() {
    $("variable").addEventListener("change", event => takeVariable(...event.target.value.split("/").map(Number)));
    $("level").addEventListener("change", event => { chosen.level = Number(event.target.value); show(); });
    $("time").addEventListener("input", event => { chosen.record = Number(event.target.value); show(); });
    $("scale").addEventListener("change", show);
    $("arrows").addEventListener("change", show);
    $("play").addEventListener("click", play);
    const nearer = factor => { map.scale(factor); draw(chosen.drawing); };
    $("zoom-in").addEventListener("click", () => nearer(1.6));
    $("zoom-out").addEventListener("click", () => nearer(1 / 1.6));
    map.canvas.addEventListener("pointerdown", pointerDown);
    map.canvas.addEventListener("pointermove", pointerMove);
    map.canvas.addEventListener("pointerup", pointerUp);
    map.canvas.addEventListener("pointercancel", event => { map.pointers.delete(event.pointerId); held = null; });
    map.canvas.addEventListener("pointerleave", () => sayCell(null));
    map.canvas.addEventListener("dblclick", event => map.scale(2, event));
    map.canvas.addEventListener("wheel", event => {
        if (!event.ctrlKey) return; // the wheel alone scrolls the page
        event.preventDefault();
        map.scale(Math.exp(-event.deltaY / 200), event);
    }, { passive: false });
    layered.forEach(({ set, v }, n) => option($("section-variable"), `${v.label} (${set.title.split(",")[0]})`, n));
    $("section-variable").value = Math.max(0, layered.findIndex(({ v }) => v.name === "salinity"), layered.findIndex(({ v }) => v.name === "speed"));
    $("section-variable").addEventListener("change", showSection);
    $("section-draw").addEventListener("click", () => draw(!chosen.drawing));
    $("section-chart").addEventListener("pointermove", event => {
        const at = section.at(event);
        $("section-pointer").textContent = at ? `${numberText(at.distance, section.length / 500)} ${section.unit}, ${numberText(at.z, (section.z1 - section.z0) / 500)} m: ${at.layer ? withUnit(at.layer.value, section.variable) : "no water"}` : "";
    });
    new ResizeObserver(() => requestAnimationFrame(() => shown && show())).observe($("map"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
    addEventListener("beforeprint", show);
}

async function begin() {
    listen();
    if (data.sets.length) {
        if (!recall()) {
            beginAtPeak();
            await beginWithSomething();
        }
        fillVariables();
        $("variable").value = `${chosen.set}/${chosen.variable}`;
        fillLevels();
        fillTimes();
        await show();
        sayCell(null);
    } else
        $("maps").hidden = $("section").hidden = $("nav-maps").hidden = $("nav-section").hidden = true;
    await showStations();
    showTables();
    keepUp();
    document.documentElement.dataset.ready = "all";
}

begin();
