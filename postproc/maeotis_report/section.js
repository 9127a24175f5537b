// SPDX-License-Identifier: Apache-2.0
// A section: a variable with layers along a line of the map, from the bed to the surface.
"use strict";

/* The cells along a straight line, one for each step of its longer side. */
function cellsAlong([a, b], nx) {
    const count = Math.max(Math.abs(b.i - a.i), Math.abs(b.j - a.j)), cells = [];
    for (let n = 0; n <= count; n++) {
        const part = count ? n / count : 0;
        const i = Math.round(a.i + (b.i - a.i) * part), j = Math.round(a.j + (b.j - a.j) * part);
        cells.push({ i, j, cell: j * nx + i });
    }
    return cells;
}

/* The longest way over water along a row or a column, counted by the depth below it; the middle one of several. */
function usualLine(map, bed) {
    let best = [{ i: 0, j: 0 }, { i: map.nx - 1, j: 0 }], most = -1;
    const look = (count, across, cellOf, lineOf) => {
        for (let n = 0; n < across; n++)
            for (let a = 0; a < count; a++) {
                let b = a, water = 0;
                for (; b < count && map.sea[cellOf(b, n)]; b++) water += Math.max(0, -bed[cellOf(b, n)]) || 0;
                const weight = (b - a) * Math.sqrt(water) * (1 - 0.05 * Math.abs(n / across - 0.5));
                if (b > a + 1 && weight > most) [most, best] = [weight, lineOf(a, b - 1, n)];
                a = b;
            }
    };
    look(map.nx, map.ny, (n, j) => j * map.nx + n, (a, b, j) => [{ i: a, j }, { i: b, j }]);
    look(map.ny, map.nx, (n, i) => n * map.nx + i, (a, b, i) => [{ i, j: a }, { i, j: b }]);
    return best;
}

/* From the line's first cell, in kilometres or, of a small sea, metres. */
function distances(cells, map) {
    const out = [0];
    for (let n = 1; n < cells.length; n++) {
        const dx = (cells[n].i - cells[n - 1].i) * map.dx, dy = (cells[n].j - cells[n - 1].j) * map.dy;
        const degree = map.set.geographic ? 111.195 : 1;
        const lean = map.set.geographic ? Math.cos(map.cellY(cells[n].j) * Math.PI / 180) : 1;
        out.push(out[n - 1] + degree * Math.hypot(dx * lean, dy));
    }
    return out;
}

/* The level of each cell, or what all its layers make above the bed; null where the page has neither. */
async function surfaceOf(set, bed, record, cells) {
    const [eta, thickness] = ["eta", "thickness"].map(name => set.variables.find(v => v.name === name));
    if (eta) return (await chunkOf(eta, 0, cells)).at(record);
    if (!thickness) return null;
    const layers = (await Promise.all(thickness.levels.map((_, n) => chunkOf(thickness, n, cells)))).map(part => part.at(record));
    return Array.from(bed, (b, cell) => layers.every(layer => layer[cell] !== layer[cell]) ? NaN
        : layers.reduce((sum, layer) => sum + (layer[cell] || 0), b));
}

class Section {
    constructor(box) {
        this.box = box;
        this.canvas = box.querySelector("canvas");
    }
    /* Everything the picture needs, at one record: columns of {bed, eta, layers: [{bottom, top, value}]}. */
    async load(set, variable, record, line, map) {
        const cells = map.nx * map.ny, along = cellsAlong(line, map.nx), levels = variable.levels.map((_, n) => n);
        const values = (await Promise.all(levels.map(n => sourceOf(set, variable, n, cells)))).map(part => part.at(variable.timed ? record : 0));
        const bed = (await chunkOf(set.bed, 0, cells)).at(0);
        const share = set.share && set.share.chunks.length === levels.length
            ? (await Promise.all(levels.map(n => chunkOf(set.share, n, cells)))).map(part => part.at(set.share.timed ? record : 0)) : null;
        const surface = await surfaceOf(set, bed, record, cells);
        this.columns = along.map(({ i, j, cell }) => {
            const top = surface ? surface[cell] : 0, depth = top - bed[cell], layers = [];
            let bottom = bed[cell];
            for (const n of levels) {
                const thickness = (share ? share[n][cell] || 0 : 1 / levels.length) * depth;
                if (!(thickness > 0)) continue;
                // Shares are packed: the lowest layer with a value begins at the bed, also where a sliver below it has none.
                const top = bottom + thickness, value = values[n][cell];
                if (value === value) layers.push({ bottom: layers.length ? bottom : bed[cell], top, value, level: n });
                bottom = top;
            }
            return { i, j, bed: map.sea[cell] ? bed[cell] : NaN, eta: top, layers };
        });
        this.follows = set.follows_bed;
        this.atDatum = !surface;
        this.distance = distances(along, map);
        this.unit = map.set.geographic ? "km" : map.unit;
        this.variable = variable;
    }
    values() {
        return this.columns.flatMap(column => column.layers.map(layer => layer.value));
    }
    draw(scale) {
        const full = this.box.clientWidth, tall = Math.min(300, Math.max(200, full * 0.4)), left = 54, below = 34;
        if (!full || !this.columns) return;
        const c = sharp(this.canvas, full, tall + below), wide = full - left - 4;
        let bottom = Infinity, top = -Infinity;
        for (const column of this.columns) {
            if (column.bed === column.bed) bottom = Math.min(bottom, column.bed);
            if (column.layers.length) top = Math.max(top, column.eta);
        }
        if (!(bottom < top)) [bottom, top] = [-1, 0];
        const room = (top - bottom) * 0.05, z0 = bottom - room, z1 = top + room, length = this.distance[this.distance.length - 1] || 1;
        const half = wide / this.columns.length / 2;
        const x = d => left + half + d / length * (wide - 2 * half), y = z => (z1 - z) / (z1 - z0) * tall;
        Object.assign(this, { left, wide, tall, half, x, y, z0, z1, length });
        c.fillStyle = cssColour("--land");
        c.fillRect(left, 0, wide, tall);
        const table = tableOf(this.variable);
        this.columns.forEach((column, n) => {
            const px = Math.round(x(this.distance[n]) - half), wider = Math.round(x(this.distance[n]) + half) - px;
            if (column.bed === column.bed) {
                c.fillStyle = cssColour("--paper"); // the air above the water
                c.fillRect(px, 0, wider, Math.round(y(Math.max(column.bed, z0))));
            }
            for (const layer of column.layers) {
                const m = colourAt(table, fractionOf(layer.value, scale));
                c.fillStyle = `rgb(${table[m]},${table[m + 1]},${table[m + 2]})`;
                const from = Math.round(y(layer.top));
                c.fillRect(px, from, wider, Math.round(y(layer.bottom)) - from);
            }
        });
        if (this.follows) this.borders(c);
        this.axes(c);
    }
    /* Between layers that follow the bed, from the middle of a column to that of the next. */
    borders(c) {
        c.beginPath();
        for (let n = 1; n < this.columns.length; n++)
            for (const layer of this.columns[n].layers) {
                const before = this.columns[n - 1].layers.find(other => other.level === layer.level);
                if (!before) continue;
                c.moveTo(this.x(this.distance[n - 1]), this.y(before.top));
                c.lineTo(this.x(this.distance[n]), this.y(layer.top));
            }
        c.strokeStyle = "rgba(255,255,255,0.55)";
        c.lineWidth = 0.7;
        c.stroke();
    }
    axes(c) {
        const { left, wide, tall } = this;
        c.font = "11.5px " + getComputedStyle(document.body).fontFamily;
        c.fillStyle = cssColour("--quiet");
        c.strokeStyle = cssColour("--coast");
        c.lineWidth = 1;
        c.strokeRect(left + 0.5, 0.5, wide - 1, tall - 1);
        const z = roundTicks(this.z0, this.z1, 5), d = roundTicks(0, this.length, Math.max(2, wide / 110));
        c.textAlign = "right";
        for (const value of z.ticks) c.fillText(numberText(value, z.step), left - 5, Math.min(tall - 2, Math.max(10, this.y(value) + 4)));
        c.textAlign = "center";
        for (const value of d.ticks) c.fillText(numberText(value, d.step), this.x(value), tall + 15);
        c.fillText(`${this.unit} along the line; heights in m${this.atDatum ? ", for water at the datum" : ""}`, left + wide / 2, tall + 31);
    }
    /* {column, layer} below a point of the page. */
    at(event) {
        if (!this.columns) return null;
        const box = this.canvas.getBoundingClientRect();
        const n = Math.floor((event.clientX - box.left - this.left) / (2 * this.half));
        const column = this.columns[n], z = this.z1 - (event.clientY - box.top) / this.tall * (this.z1 - this.z0);
        return column ? { column, distance: this.distance[n], z, layer: column.layers.find(l => z >= l.bottom && z <= l.top) } : null;
    }
}
