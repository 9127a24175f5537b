// SPDX-License-Identifier: Apache-2.0
// Lines over time as SVG, with the values under the pointer.
"use strict";

const LINE_COLOURS = ["var(--accent)", "var(--second)", "var(--third)", "var(--fourth)"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = n => String(n).padStart(2, "0");

function dateText(seconds) {
    const d = new Date(Math.round(seconds * 1000)), parts = d.getUTCMilliseconds();
    const small = d.getUTCSeconds() || parts ? ":" + secondsText(d) : "";
    return `${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()}, ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}${small} UTC`;
}

/* 04 or 12.5 */
function secondsText(d) {
    const parts = d.getUTCMilliseconds();
    return two(d.getUTCSeconds()) + (parts ? (parts / 1000).toFixed(3).slice(1).replace(/0+$/, "") : "");
}

/* Digits behind the point that a step has: 2 for 0.25. */
function digitsOf(step) {
    let digits = Math.min(6, Math.max(0, Math.floor(-Math.log10(step) + 1e-9)));
    while (digits < 6 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6 * step * 10 ** digits) digits++;
    return digits;
}

/* As many digits as tell the steps of an axis apart, or as the packed numbers have. */
function numberText(value, step) {
    if (!Number.isFinite(value)) return "no value";
    if (value === 0) return "0";
    if ((Math.abs(value) >= 1e6 || step < 0.9e-5)) {
        const [mantissa, power] = value.toExponential(2).split("e");
        return (Number(mantissa) + "·10" + [...String(Number(power))].map(c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")).replace("-", "−");
    }
    const text = value.toFixed(digitsOf(step));
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/* Round numbers from low to high, about `count` of them. */
function roundTicks(low, high, count) {
    const raw = (high - low) / Math.max(count, 1) || 1, power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 2.5, 5, 10].find(m => m * power >= raw * 0.999);
    const ticks = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) ticks.push(n * step);
    return { ticks, step };
}

const TIME_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000, 2592000, 7776000, 31536000];

/* {seconds, text}: the hour, and the day where it begins. */
function timeTicks(low, high, count) {
    const step = TIME_STEPS.find(s => (high - low) / s <= count) || (high - low) / count;
    const ticks = [];
    for (let n = Math.ceil(low / step - 1e-6); n * step <= high + 1e-6; n++) {
        const t = n * step, d = new Date(Math.round(t * 1000)), midnight = t % 86400 === 0;
        const day = `${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]}`;
        const clock = step < 60 ? `${two(d.getUTCMinutes())}:${secondsText(d)}` : `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}`;
        ticks.push({ seconds: t, text: step >= 7776000 ? `${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()}` : midnight ? day : clock });
    }
    return ticks;
}

function svg(name, attributes, parent) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.append(element);
    return element;
}

function html(name, text, parent, className) {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (className) element.className = className;
    if (parent) parent.append(element);
    return element;
}

/* A line that is broken where there is no value. */
function pathOf(times, values, x, y) {
    let path = "", pen = false;
    for (let n = 0; n < values.length; n++) {
        if (!Number.isFinite(values[n])) { pen = false; continue; }
        path += `${pen ? "L" : "M"}${x(times[n]).toFixed(1)} ${y(values[n]).toFixed(1)}`;
        pen = true;
    }
    return path;
}

function nearest(times, at) {
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
        const middle = low + high >> 1;
        if (times[middle] <= at) low = middle; else high = middle;
    }
    return Math.abs(times[low] - at) <= Math.abs(times[high] - at) ? low : high;
}

/* lines: [{label, times, values, dots}]; `range` may be shared by several charts; `mark`: a time shown as a cursor. */
class Chart {
    constructor(parent, title, unit, lines, options = {}) {
        Object.assign(this, { unit, lines, options, mark: null });
        this.box = html("div", "", parent, "chart");
        const head = html("h3", title, this.box);
        this.value = html("span", "", head);
        this.picture = svg("svg", { role: "img", "aria-label": title }, this.box);
        if (lines.length > 1) this.keys();
        this.watch = new ResizeObserver(() => requestAnimationFrame(() => this.draw()));
        this.watch.observe(this.box);
        this.picture.addEventListener("pointermove", event => this.point(event));
        this.picture.addEventListener("pointerleave", () => { this.mark = null; this.draw(); });
        if (options.pick) this.picture.addEventListener("click", event => options.pick(this.timeAt(event)));
    }
    keys() {
        const keys = html("div", "", this.box, "keys");
        this.lines.forEach((line, n) => {
            const key = html("div", "", keys);
            html("i", "", key).style.background = LINE_COLOURS[n % 4];
            key.append(line.label);
        });
    }
    remove() {
        this.watch.disconnect();
        this.box.remove();
    }
    range() {
        if (this.options.range) return this.options.range;
        let low = Infinity, high = -Infinity;
        for (const line of this.lines)
            for (const value of line.values)
                if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
        if (low > high) return [0, 1];
        if (low === high) return [low - (Math.abs(low) * 0.01 || 1), high + (Math.abs(high) * 0.01 || 1)];
        return [low, high];
    }
    timeAt(event) {
        const box = this.picture.getBoundingClientRect();
        return this.t0 + (event.clientX - box.left - this.left) / this.wide * (this.t1 - this.t0);
    }
    point(event) {
        this.mark = Math.min(this.t1, Math.max(this.t0, this.timeAt(event)));
        this.draw();
    }
    draw() {
        const full = this.box.clientWidth, tall = this.options.height || 165;
        if (!full) return;
        const [low, high] = this.range(), margin = (high - low) * 0.06;
        const { ticks, step } = roundTicks(low - margin, high + margin, 4);
        const labels = ticks.map(v => numberText(v, step));
        this.left = 10 + 6.6 * Math.max(...labels.map(l => l.length), 2);
        this.wide = full - this.left - 6;
        const times = this.lines[0].times;
        this.t0 = times[0];
        this.t1 = times.length > 1 ? times[times.length - 1] : times[0] + 1;
        const x = t => this.left + (t - this.t0) / (this.t1 - this.t0) * this.wide;
        const top = this.unit ? 22 : 6; // the unit stands above the axis
        const y = v => top + (high + margin - v) / (high - low + 2 * margin) * (tall - 24 - top);
        this.picture.replaceChildren();
        this.picture.setAttribute("viewBox", `0 0 ${full} ${tall}`);
        this.picture.setAttribute("height", tall);
        ticks.forEach((v, n) => {
            svg("line", { x1: this.left, x2: full - 6, y1: y(v), y2: y(v), class: Math.abs(v) < step * 1e-6 ? "zero" : "rule" }, this.picture);
            svg("text", { x: this.left - 6, y: y(v) + 4, "text-anchor": "end" }, this.picture).textContent = labels[n];
        });
        if (this.unit) svg("text", { x: 0, y: 11 }, this.picture).textContent = this.unit;
        for (const tick of timeTicks(this.t0, this.t1, this.wide / 62))
            svg("text", { x: x(tick.seconds), y: tall - 6, "text-anchor": "middle" }, this.picture).textContent = tick.text;
        this.lines.forEach((line, n) => this.drawLine(line, LINE_COLOURS[n % 4], x, y));
        this.say(x, tall);
    }
    drawLine(line, colour, x, y) {
        if (!line.dots) {
            svg("path", { d: pathOf(line.times, line.values, x, y), fill: "none", stroke: colour, "stroke-width": 1.6, "stroke-linejoin": "round" }, this.picture);
            return;
        }
        line.times.forEach((t, n) => {
            if (Number.isFinite(line.values[n]) && t >= this.t0 && t <= this.t1)
                svg("circle", { cx: x(t), cy: y(line.values[n]), r: 1.8, fill: colour }, this.picture);
        });
    }
    /* The cursor, and the values there beside the title. */
    say(x, tall) {
        const at = this.mark === null ? this.options.cursor && this.options.cursor() : this.mark;
        this.value.textContent = this.mark === null ? this.options.note || "" : "";
        if (at === null || at === undefined || at < this.t0 || at > this.t1) return;
        svg("line", { x1: x(at), x2: x(at), y1: 4, y2: tall - 22, class: "cursor" }, this.picture);
        if (this.mark === null) return;
        const step = this.options.step || (this.range()[1] - this.range()[0]) / 500;
        const texts = this.lines.map(line => numberText(line.values[nearest(line.times, at)], step));
        const moment = this.lines[0].times[nearest(this.lines[0].times, at)];
        this.value.textContent = `${texts.join("  /  ")} ${this.unit}  ${dateText(moment)}`;
    }
}
