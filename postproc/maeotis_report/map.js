// SPDX-License-Identifier: Apache-2.0
// The map: coloured cells, coast, current, axes; nearer and farther; the cell under the pointer.
"use strict";

const cssColour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function tableOf(variable) {
    if (!variable.table) variable.table = fromBase64(variable.colours);
    return variable.table;
}

function colourAt(table, fraction) {
    return 3 * Math.max(0, Math.min(255, Math.floor(fraction * 256)));
}

/* Where a value stands between the ends of the scale, from 0 to 1; or its logarithm does. */
function fractionOf(value, { low, high, log }) {
    if (!log) return (value - low) / (high - low);
    return value > low ? Math.log(value / low) / Math.log(high / low) : 0;
}

/* The ends of a scale: of the usual values of the run, of those shown now, or of all, with a logarithm where there are positive ones. */
function scaleOf(choice, values, variable) {
    const reach = Math.max(-variable.least, variable.most);
    const all = variable.signed ? [-reach, reach] : [variable.least, variable.most];
    let [low, high] = choice === "now" ? rangeOf(values, variable) : choice === "run" ? [variable.low, variable.high] : all;
    const log = choice === "log" && high > 0 && !variable.signed && !variable.dated;
    if (log) low = Math.max(low, variable.step * (variable.factor || 1)); // finer the page does not know them
    return low < high ? { low, high, log } : { low, high: low + (Math.abs(low) * 1e-3 || 1e-3), log: false };
}

/* The smallest and largest value shown; symmetric where the sign means something. */
function rangeOf(values, variable) {
    let low = Infinity, high = -Infinity;
    for (const value of values)
        if (value === value) { if (value < low) low = value; if (value > high) high = value; }
    if (low > high) return [variable.low, variable.high];
    if (variable.signed) {
        const reach = Math.max(-low, high) || 1e-3;
        return [-reach, reach];
    }
    return low === high ? [low, low + (Math.abs(low) * 1e-3 || 1e-3)] : [low, high];
}

/* The canvas as many pixels as the screen has there; returns its context in the page's units. */
function sharp(canvas, wide, tall) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(tall * ratio);
    canvas.style.height = tall + "px";
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
}

/* Axes are in kilometres, or in metres where the sea is small. */
function lengthsOf(set) {
    if (set.geographic) return { scale: 1, unit: "" };
    const longest = Math.max(set.x[1] - set.x[0], set.y[1] - set.y[0]);
    return longest > 0 && longest < 2000 ? { scale: 1, unit: "m" } : { scale: 1e-3, unit: "km" };
}

/* Where the cells of a set lie, in degrees or kilometres, and which of them are sea. */
class Cells {
    constructor(set, scale) {
        [this.x0, this.dx, this.nx] = Cells.axis(set.x, scale);
        [this.y0, this.dy, this.ny] = Cells.axis(set.y, scale);
        this.sea = new Uint8Array(this.nx * this.ny);
        this.walls = set.walls || [];
        for (const cell of placesOf(fromBase64(set.sea), this.nx * this.ny)) this.sea[cell] = 1;
        this.image = document.createElement("canvas");
        this.image.width = this.nx;
        this.image.height = this.ny;
    }
    static axis([first, last, count], scale) {
        const step = count > 1 ? (last - first) / (count - 1) * scale : 1;
        return [first * scale - step / 2, step, count];
    }
    cellX(i) { return this.x0 + (i + 0.5) * this.dx; }
    cellY(j) { return this.y0 + (j + 0.5) * this.dy; }
    /* The cell at a place, or null. */
    at(x, y) {
        const i = Math.floor((x - this.x0) / this.dx), j = Math.floor((y - this.y0) / this.dy);
        return i >= 0 && i < this.nx && j >= 0 && j < this.ny ? { i, j, cell: j * this.nx + i } : null;
    }
}

class MapView {
    constructor(box) {
        this.box = box;
        this.canvas = box.querySelector("canvas");
        this.zoom = 1;
        this.pointers = new Map();
    }
    /* Another grid: where its cells lie, in degrees or kilometres. */
    place(set) {
        if (this.set === set) return;
        const before = this.set;
        this.set = set;
        this.unit = lengthsOf(set).unit;
        this.row = (set.x[2] === 1) !== (set.y[2] === 1); // a flume: drawn as a line along it
        this.cells = new Cells(set, lengthsOf(set).scale);
        for (const name of ["x0", "dx", "nx", "y0", "dy", "ny", "sea", "image"]) this[name] = this.cells[name];
        this.stretch = set.geographic ? Math.cos((this.y0 + this.dy * this.ny / 2) * Math.PI / 180) : 1;
        const same = before && before.x.join() === set.x.join() && before.y.join() === set.y.join();
        if (!same) this.whole();
    }
    whole() {
        this.zoom = 1;
        this.centre = [this.x0 + this.dx * this.nx / 2, this.y0 + this.dy * this.ny / 2];
    }
    /* The window in the page's units, and how many of them a unit of x and y takes. */
    layout() {
        const full = this.box.clientWidth, left = 54, below = 22;
        this.left = left;
        this.wide = full - left - 4;
        const shape = this.dy * this.ny / (this.dx * this.nx * this.stretch);
        this.true = shape >= 0.12 && shape <= 2.2;
        this.tall = this.wide * Math.min(2.2, Math.max(0.12, shape));
        this.tall = Math.min(this.tall, Math.max(320, window.innerHeight * 0.82));
        let scale = Math.min(this.wide / (this.dx * this.nx * this.stretch), this.tall / (this.dy * this.ny));
        if (this.true) {
            [this.sx, this.sy] = [scale * this.stretch * this.zoom, scale * this.zoom];
            this.wide = Math.min(this.wide, this.dx * this.nx * this.stretch * scale); // no empty bands beside a narrow sea
        } else [this.sx, this.sy] = [this.wide / (this.dx * this.nx) * this.zoom, this.tall / (this.dy * this.ny) * this.zoom];
        const context = sharp(this.canvas, full, this.tall + below);
        this.keepInside();
        return context;
    }
    keepInside() {
        for (const [n, start, size, view] of [[0, this.x0, this.dx * this.nx, this.wide / this.sx], [1, this.y0, this.dy * this.ny, this.tall / this.sy]]) {
            const half = Math.min(view, size) / 2;
            this.centre[n] = Math.min(start + size - half, Math.max(start + half, this.centre[n]));
        }
    }
    px(x) { return this.left + this.wide / 2 + (x - this.centre[0]) * this.sx; }
    py(y) { return this.tall / 2 - (y - this.centre[1]) * this.sy; }
    ux(px) { return this.centre[0] + (px - this.left - this.wide / 2) / this.sx; }
    uy(py) { return this.centre[1] - (py - this.tall / 2) / this.sy; }
    cellX(i) { return this.x0 + (i + 0.5) * this.dx; }
    cellY(j) { return this.y0 + (j + 0.5) * this.dy; }
    /* The cell at a point of the page, or null. */
    cellAt(event) {
        const box = this.canvas.getBoundingClientRect();
        if (this.row) {
            const n = Math.floor((event.clientX - box.left - this.left) / this.wide * this.count());
            return n >= 0 && n < this.count() ? { i: this.nx > 1 ? n : 0, j: this.nx > 1 ? 0 : n, cell: n } : null;
        }
        return this.cells.at(this.ux(event.clientX - box.left), this.uy(event.clientY - box.top));
    }
    /* The cell of the finer grid there, or null. */
    finerAt(event) {
        const box = this.canvas.getBoundingClientRect(), finer = !this.row && this.shown && this.shown.finer;
        return finer ? finer.cells.at(this.ux(event.clientX - box.left), this.uy(event.clientY - box.top)) : null;
    }
    placeText(i, j, cells = this) {
        const x = cells.cellX(i), y = cells.cellY(j);
        const length = (name, value, step) => `${name} ${value.toFixed(Math.min(4, digitsOf(step / 2)))} ${this.unit}`;
        if (!this.set.geographic)
            return [this.row && this.nx === 1 ? "" : length("x", x, this.dx), this.row && this.ny === 1 ? "" : length("y", y, this.dy)].filter(Boolean).join(", ");
        return `${Math.abs(y).toFixed(3)}° ${y < 0 ? "S" : "N"}, ${Math.abs(x).toFixed(3)}° ${x < 0 ? "W" : "E"}`;
    }
    /* shown: {values, variable, scale: {low, high, log}, current: [u, v] or null, line, marked, box and finer: {cells, values,
       current} of a zoom or null} */
    draw(shown) {
        this.shown = shown;
        if (!this.box.clientWidth) return;
        if (this.row) return this.drawRow(shown);
        const c = this.layout();
        c.save();
        c.beginPath();
        c.rect(this.left, 0, this.wide, this.tall);
        c.clip();
        c.fillStyle = cssColour("--land"); // not beyond the grid, where nobody knows what is sea
        c.fillRect(this.px(this.x0), this.py(this.y0 + this.dy * this.ny), this.dx * this.nx * this.sx, this.dy * this.ny * this.sy);
        this.layer(c, shown, this.cells);
        if (shown.finer) {
            const cells = shown.finer.cells;
            c.fillStyle = cssColour("--land");
            c.fillRect(this.px(cells.x0), this.py(cells.y0 + cells.dy * cells.ny), cells.dx * cells.nx * this.sx, cells.dy * cells.ny * this.sy);
            this.layer(c, { ...shown, values: shown.finer.values }, cells);
        }
        if (shown.box) this.outline(c, shown.box);
        if (shown.current) this.arrows(c, ...shown.current, shown.reference, this.cells, shown.values, shown.finer && shown.finer.current ? shown.box : null);
        if (shown.finer && shown.finer.current) this.arrows(c, ...shown.finer.current, shown.reference, shown.finer.cells, shown.finer.values);
        if (shown.line) this.lineOf(c, shown.line);
        if (shown.stations) this.stations(c, shown.stations);
        if (shown.marked) this.mark(c, shown.marked);
        c.restore();
        this.axes(c);
    }
    /* The field of one grid, and its coast. */
    layer(c, shown, cells) {
        this.paint(shown, cells);
        c.imageSmoothingEnabled = false;
        c.drawImage(cells.image, this.px(cells.x0), this.py(cells.y0 + cells.dy * cells.ny), cells.dx * cells.nx * this.sx, cells.dy * cells.ny * this.sy);
        this.coast(c, cells);
        this.dikes(c, cells);
    }
    /* The box of a zoom: west, east, south, north on the page's axes. */
    outline(c, [west, east, south, north]) {
        for (const [colour, wide] of [["rgba(255,255,255,0.8)", 3], ["#14181b", 1.3]]) {
            c.strokeStyle = colour;
            c.lineWidth = wide;
            c.strokeRect(this.px(west), this.py(north), (east - west) * this.sx, (north - south) * this.sy);
        }
    }
    count() { return this.nx * this.ny; }
    /* A sea that is one cell wide: the values along it. */
    drawRow({ values, variable, scale: { low, high }, marked, stations }) {
        const full = this.box.clientWidth, tall = 260, below = 38, top = 26, left = 62, n = this.count();
        Object.assign(this, { left, wide: full - left - 6, tall });
        const c = sharp(this.canvas, full, tall + below), along = this.nx > 1;
        const [start, step] = along ? [this.x0, this.dx] : [this.y0, this.dy];
        const room = 0.06 * (high - low) || 1e-3 * Math.abs(low) || 1e-3, z0 = low - room, z1 = high + room;
        const x = m => left + (m + 0.5) / n * this.wide, y = v => top + (z1 - v) / (z1 - z0) * (tall - top);
        c.font = "11.5px " + getComputedStyle(document.body).fontFamily;
        c.fillStyle = cssColour("--quiet");
        c.textAlign = "left";
        c.fillText(variable.label + (variable.unit ? ` [${variable.unit}]` : ""), 0, 12);
        const ticks = roundTicks(z0, z1, 5);
        c.textAlign = "right";
        for (const value of ticks.ticks) {
            c.strokeStyle = cssColour(Math.abs(value) < ticks.step * 1e-6 ? "--coast" : "--grid");
            c.beginPath();
            c.moveTo(left, y(value));
            c.lineTo(left + this.wide, y(value));
            c.stroke();
            c.fillText(numberText(value, ticks.step), left - 6, y(value) + 4);
        }
        c.textAlign = "center";
        const places = roundTicks(start, start + n * step, Math.max(2, this.wide / 110));
        for (const value of places.ticks) c.fillText(numberText(value, places.step), left + (value - start) / (n * step) * this.wide, tall + 16);
        c.fillText(this.set.geographic ? "degrees" : `${this.unit} along ${along ? "x" : "y"}`, left + this.wide / 2, tall + 33);
        const upright = (m, colour, dashes) => {
            c.strokeStyle = cssColour(colour);
            c.setLineDash(dashes);
            c.beginPath();
            c.moveTo(x(m), top);
            c.lineTo(x(m), tall);
            c.stroke();
            c.setLineDash([]);
        };
        let taken = -Infinity;
        for (const place of stations || []) {
            const m = ((along ? place.x : place.y) - start) / step - 0.5, long = c.measureText(place.name).width;
            upright(m, "--rule", [2, 3]);
            if (x(m) - long / 2 < taken) continue;
            c.fillText(place.name, x(m), top - 3);
            taken = x(m) + long / 2 + 8;
        }
        if (marked) upright(along ? marked.i : marked.j, "--second", [4, 3]);
        c.beginPath();
        let pen = false;
        for (let m = 0; m < n; m++) {
            if (values[m] === values[m]) c[pen ? "lineTo" : "moveTo"](x(m), y(values[m]));
            pen = values[m] === values[m];
        }
        c.strokeStyle = cssColour("--accent");
        c.lineWidth = 1.8;
        c.lineJoin = "round";
        c.stroke();
    }
    paint({ values, variable, scale }, { nx, ny, sea, image } = this.cells) {
        const c = image.getContext("2d"), pixels = c.createImageData(nx, ny), out = pixels.data;
        const table = tableOf(variable), dry = parseColour(cssColour(variable.empty ? "--water" : "--dry"));
        for (let j = 0; j < ny; j++)
            for (let i = 0; i < nx; i++) {
                const cell = j * nx + i, at = 4 * ((ny - 1 - j) * nx + i), value = values[cell];
                if (value === value) {
                    const n = colourAt(table, fractionOf(value, scale));
                    out[at] = table[n]; out[at + 1] = table[n + 1]; out[at + 2] = table[n + 2]; out[at + 3] = 255;
                } else if (sea[cell]) {
                    [out[at], out[at + 1], out[at + 2]] = dry;
                    out[at + 3] = 255;
                }
            }
        c.putImageData(pixels, 0, 0);
    }
    /* The border between land and sea along the cells' edges. */
    coast(c, cells = this.cells) {
        c.beginPath();
        const { nx, ny, dx, dy } = cells, sea = (i, j) => i >= 0 && i < nx && j >= 0 && j < ny ? cells.sea[j * nx + i] : -1;
        for (let j = 0; j < ny; j++)
            for (let i = 0; i < nx; i++) {
                const here = sea(i, j), x = this.px(cells.x0 + (i + 1) * dx), y = this.py(cells.y0 + (j + 1) * dy);
                if (sea(i + 1, j) >= 0 && sea(i + 1, j) !== here) { c.moveTo(x, y); c.lineTo(x, y + dy * this.sy); }
                if (sea(i, j + 1) >= 0 && sea(i, j + 1) !== here) { c.moveTo(x - dx * this.sx, y); c.lineTo(x, y); }
            }
        c.strokeStyle = cssColour("--coast");
        c.lineWidth = 0.8;
        c.stroke();
    }
    /* Sides that are closed between two cells of sea. */
    dikes(c, { walls, x0, y0, dx, dy }) {
        c.beginPath();
        for (const [side, j, i] of walls) {
            const x = this.px(x0 + i * dx), y = this.py(y0 + j * dy);
            c.moveTo(x, y);
            if (side === "x") c.lineTo(x, y - dy * this.sy);
            else c.lineTo(x + dx * this.sx, y);
        }
        c.strokeStyle = "#14181b";
        c.lineWidth = 2;
        c.stroke();
    }
    /* Means over squares of about 26 units of the page; an arrow of the reference speed is as long as a square. None in the box. */
    arrows(c, u, v, reference, cells = this.cells, values = null, box = null) {
        if (!(reference > 0)) return;
        const { nx, ny, dx, dy } = cells, size = 26, ni = Math.max(1, Math.round(size / (dx * this.sx))), nj = Math.max(1, Math.round(size / (dy * this.sy)));
        const found = { dark: [], pale: [] };
        for (let j0 = 0; j0 < ny; j0 += nj)
            for (let i0 = 0; i0 < nx; i0 += ni) {
                let su = 0, sv = 0, count = 0, middle = j0 * nx + i0;
                for (let j = j0; j < Math.min(j0 + nj, ny); j++)
                    for (let i = i0; i < Math.min(i0 + ni, nx); i++) {
                        const cell = j * nx + i;
                        if (u[cell] === u[cell] && v[cell] === v[cell]) { su += u[cell]; sv += v[cell]; if (count++ * 2 < ni * nj) middle = cell; }
                    }
                const x = cells.x0 + (i0 + ni / 2) * dx, y = cells.y0 + (j0 + nj / 2) * dy;
                if (count * 2 < ni * nj || box && x > box[0] && x < box[1] && y > box[2] && y < box[3]) continue;
                found[values && this.isDark(values[middle]) ? "pale" : "dark"].push([this.px(x), this.py(y), su / count / reference * size, -sv / count / reference * size]);
            }
        for (const [kind, colour] of [["dark", "#14181b"], ["pale", "#ffffff"]]) { // told apart on any colour
            c.beginPath();
            for (const arrow of found[kind]) this.arrow(c, ...arrow);
            c.strokeStyle = colour;
            c.lineWidth = 1.2;
            c.stroke();
        }
    }
    /* Is the colour of a value dark? */
    isDark(value) {
        if (value !== value) return false;
        const table = tableOf(this.shown.variable), n = colourAt(table, fractionOf(value, this.shown.scale));
        return 0.299 * table[n] ** 2 + 0.587 * table[n + 1] ** 2 + 0.114 * table[n + 2] ** 2 < (0.52 * 255) ** 2;
    }
    arrow(c, x, y, dx, dy) {
        const length = Math.hypot(dx, dy);
        if (length < 2.5) return;
        if (length > 40) { dx *= 40 / length; dy *= 40 / length; }
        const head = Math.min(5.5, length * 0.45), ax = x + dx / 2, ay = y + dy / 2, angle = Math.atan2(dy, dx);
        c.moveTo(x - dx / 2, y - dy / 2);
        c.lineTo(ax, ay);
        for (const turn of [2.6, -2.6]) {
            c.moveTo(ax, ay);
            c.lineTo(ax + head * Math.cos(angle + turn), ay + head * Math.sin(angle + turn));
        }
    }
    mark(c, { i, j }) {
        c.beginPath();
        c.arc(this.px(this.cellX(i)), this.py(this.cellY(j)), 6, 0, 7);
        for (const [colour, wide] of [["#ffffff", 4], ["#14181b", 2]]) {
            c.strokeStyle = colour;
            c.lineWidth = wide;
            c.stroke();
        }
    }
    stations(c, places) {
        c.font = "12px " + getComputedStyle(document.body).fontFamily;
        c.lineWidth = 3;
        c.lineJoin = "round";
        c.textAlign = "left";
        const taken = places.map(({ x, y }) => [this.px(x) - 4, this.py(y) - 4, this.px(x) + 4, this.py(y) + 4]);
        for (const { x, y, name } of places) {
            const px = this.px(x), py = this.py(y), long = c.measureText(name).width;
            c.strokeStyle = cssColour("--paper");
            c.fillStyle = cssColour("--ink");
            c.beginPath();
            c.arc(px, py, 3, 0, 7);
            c.stroke();
            c.fill();
            const above = py - 8, below = py + 17;
            const free = [[px + 6, py + 4], [px - 6 - long, py + 4], [px - long / 2, above], [px - long / 2, below],
                          [px - long, above], [px - long, below], [px, above], [px, below]]
                .find(([left, base]) => left > this.left && left + long < this.left + this.wide && base > 12 && base < this.tall
                    && !taken.some(box => left < box[2] && left + long > box[0] && base - 11 < box[3] && base + 3 > box[1]));
            if (!free) continue; // rather no name than two on top of each other
            taken.push([free[0], free[1] - 11, free[0] + long, free[1] + 3]);
            c.strokeText(name, ...free);
            c.fillText(name, ...free);
        }
    }
    lineOf(c, [a, b]) {
        c.beginPath();
        c.moveTo(this.px(this.cellX(a.i)), this.py(this.cellY(a.j)));
        c.lineTo(this.px(this.cellX(b.i)), this.py(this.cellY(b.j)));
        for (const [colour, wide] of [["#ffffff", 3.4], [cssColour("--second"), 2]]) {
            c.strokeStyle = colour;
            c.lineWidth = wide;
            c.stroke();
        }
    }
    axes(c) {
        c.font = "11.5px " + getComputedStyle(document.body).fontFamily;
        c.fillStyle = cssColour("--quiet");
        c.strokeStyle = cssColour("--coast");
        c.lineWidth = 1;
        c.strokeRect(this.left + 0.5, 0.5, this.wide - 1, this.tall - 1);
        const name = (value, step, signs) => this.set.geographic ? numberText(Math.abs(value), step) + "°" + signs[value < 0 ? 1 : 0] : numberText(value, step);
        const x = roundTicks(this.ux(this.left), this.ux(this.left + this.wide), Math.max(2, this.wide / 110));
        c.textAlign = "center";
        for (const value of x.ticks) {
            const px = this.px(value);
            if (px > this.left + 18 && px < this.left + this.wide - 18) c.fillText(name(value, x.step, "EW"), px, this.tall + 15);
        }
        const y = roundTicks(this.uy(this.tall), this.uy(0), Math.max(2, this.tall / 80));
        c.textAlign = "right";
        for (const value of y.ticks) c.fillText(name(value, y.step, "NS"), this.left - 5, Math.min(this.tall - 2, Math.max(10, this.py(value) + 4)));
        if (!this.set.geographic) { c.textAlign = "left"; c.fillText(this.unit, 0, this.tall + 15); }
    }
    /* Nearer or farther by a factor, about a point of the page or the middle. */
    scale(factor, event) {
        if (this.row) return;
        const box = this.canvas.getBoundingClientRect();
        const at = event ? [event.clientX - box.left, event.clientY - box.top] : [this.left + this.wide / 2, this.tall / 2];
        const x = this.ux(at[0]), y = this.uy(at[1]), next = Math.min(40, Math.max(1, this.zoom * factor)), by = next / this.zoom;
        this.zoom = next;
        this.centre = [x - (x - this.centre[0]) / by, y - (y - this.centre[1]) / by];
        this.draw(this.shown);
    }
    move(dx, dy) {
        this.centre = [this.centre[0] - dx / this.sx, this.centre[1] + dy / this.sy];
        this.draw(this.shown);
    }
}

function parseColour(text) {
    const n = parseInt(text.slice(1), 16);
    return [n >> 16, n >> 8 & 255, n & 255];
}

/* The scale of colours below a picture. */
function drawBar(canvas, ticksBox, labelBox, variable, scale) {
    const { low, high, log } = scale;
    const wide = canvas.clientWidth, c = sharp(canvas, wide, 14), table = tableOf(variable);
    for (let x = 0; x < wide; x++) {
        const n = colourAt(table, x / wide);
        c.fillStyle = `rgb(${table[n]},${table[n + 1]},${table[n + 2]})`;
        c.fillRect(x, 0, 1.5, 14);
    }
    ticksBox.replaceChildren();
    const add = (fraction, text) => {
        html("span", text, ticksBox).style.left = Math.min(wide - 8, Math.max(8, fraction * wide)) + "px";
    };
    if (log)
        for (let value = 10 ** Math.ceil(Math.log10(low)); value <= high; value *= 10) add(fractionOf(value, scale), numberText(value, 0.1 * value));
    else if (variable.dated)
        for (const tick of timeTicks(low, high, wide / 70)) add((tick.seconds - low) / (high - low), tick.text);
    else {
        const { ticks, step } = roundTicks(low, high, Math.max(3, wide / 80));
        for (const value of ticks) add((value - low) / (high - low), numberText(value, step));
    }
    const boxes = [...ticksBox.children].map(tick => [tick, tick.getBoundingClientRect()]).sort((a, b) => a[1].left - b[1].left);
    let end = -Infinity;
    for (const [tick, box] of boxes)
        if (box.left < end) tick.remove(); // no room for it
        else end = box.right + 6;
    // Few cells would take the colours from all others: the scale of the run leaves them out, and says so.
    const usual = low === variable.low && high === variable.high && !variable.dated;
    const zero = v => Math.abs(v) < 1e-9 * (high - low) ? 0 : v; // round-off is no value
    const ends = [["down to", variable.least, zero(variable.least) < low], ["up to", variable.most, zero(variable.most) > high]].filter(end => usual && end[2]);
    const beyond = ends.length ? `, ${ends.map(([word, v]) => `${word} ${numberText(zero(v), 0.01 * Math.abs(v))}`).join(" and ")} in a few cells` : "";
    labelBox.textContent = variable.label + (variable.unit ? ` [${variable.unit}]` : "") + beyond + (variable.empty ? ` (blue: ${variable.empty})` : "");
}
