// SPDX-License-Identifier: Apache-2.0
// Chunks of the page back into numbers, when they are first asked for; pack.py is the other half.
"use strict";

const MISSING = -32768;

async function inflate(bytes) {
    if (typeof DecompressionStream === "undefined")
        throw new Error("This browser is too old to show the maps: it lacks DecompressionStream (since 2020 to 2023).");
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text) {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let n = 0; n < raw.length; n++) bytes[n] = raw.charCodeAt(n);
    return bytes;
}

/* The places of the bits that are set. */
function placesOf(bytes, cells) {
    const places = [];
    for (let n = 0; n < cells; n++)
        if (bytes[n >> 3] >> (n & 7) & 1) places.push(n);
    return Int32Array.from(places);
}

/* Undoes the differences in place: along the first record, then from record to record; overflow wraps. */
function addUp(whole, count, records) {
    for (let n = 1; n < count; n++) whole[n] += whole[n - 1];
    for (let n = count; n < records * count; n++) whole[n] += whole[n - count];
}

/* One variable at one level: at(record) is an array of all cells, NaN where there is no value. */
class Chunk {
    constructor(bytes, cells, step, offset, factor) {
        const bits = cells + 7 >> 3;
        this.places = placesOf(bytes, cells);
        this.count = this.places.length;
        this.records = this.count ? (bytes.length - bits) / 2 / this.count : 0;
        this.whole = new Int16Array(this.records * this.count);
        const low = bytes.subarray(bits), high = low.subarray(this.whole.length);
        for (let n = 0; n < this.whole.length; n++) this.whole[n] = low[n] | high[n] << 8;
        addUp(this.whole, this.count, this.records);
        Object.assign(this, { cells, step, offset, factor });
    }
    number(whole) {
        return whole === MISSING ? NaN : (whole + this.offset) * this.step * this.factor;
    }
    at(record) {
        const values = new Float64Array(this.cells).fill(NaN), first = Math.min(record, this.records - 1) * this.count;
        for (let n = 0; n < this.count; n++) values[this.places[n]] = this.number(this.whole[first + n]);
        return values;
    }
    /* All records of one cell. */
    series(cell) {
        const n = this.places.indexOf(cell), values = new Float64Array(this.records).fill(NaN);
        if (n >= 0)
            for (let r = 0; r < this.records; r++) values[r] = this.number(this.whole[r * this.count + n]);
        return values;
    }
}

const decoded = new Map(); // the chunks that were used last; older ones are forgotten
const KEPT_NUMBERS = 4e7;

function chunkOf(description, level, cells) {
    const id = description.chunks[level];
    let found = decoded.get(id);
    if (!found) {
        found = inflate(fromBase64(document.getElementById("chunk" + id).textContent))
            .then(bytes => new Chunk(bytes, cells, description.step, description.offset, description.factor || 1));
        forgetOld();
    }
    decoded.delete(id);
    decoded.set(id, found);
    found.then(chunk => { found.numbers = chunk.whole.length; });
    return found;
}

function forgetOld() {
    let numbers = 0;
    for (const chunk of decoded.values()) numbers += chunk.numbers || 0;
    for (const [id, chunk] of decoded) {
        if (numbers <= KEPT_NUMBERS) return;
        numbers -= chunk.numbers || 0;
        decoded.delete(id);
    }
}

/* Of each cell the lowest layer that has a value. */
async function atTheBed(variable, cells) {
    const parts = await Promise.all(variable.chunks.map((_, level) => chunkOf(variable, level, cells)));
    const lowest = rows => rows[0].map((_, n) => { const row = rows.find(values => values[n] === values[n]); return row ? row[n] : NaN; });
    return { at: record => lowest(parts.map(part => part.at(record))), series: cell => lowest(parts.map(part => part.series(cell))) };
}

/* A variable's source of values at a level (after the last one: at the bed): of one chunk, or the length of two. */
async function sourceOf(set, variable, level, cells) {
    if (!variable.of) return level < variable.chunks.length ? chunkOf(variable, level, cells) : atTheBed(variable, cells);
    const parts = await Promise.all(variable.of.map(name => sourceOf(set, set.variables.find(v => v.name === name), level, cells)));
    const both = (a, b) => a.map((value, n) => Math.hypot(value, b[n]));
    return {
        at: record => both(parts[0].at(record), parts[1].at(record)),
        series: cell => both(parts[0].series(cell), parts[1].series(cell)),
    };
}
