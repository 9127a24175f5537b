# SPDX-License-Identifier: Apache-2.0
"""The scripts of a run's page, one by one: numbers, dates, axes, cells under a pointer, distances, arrows, sections, unpacked fields."""

import json
import sys

import numpy as np

import cases

try:
    from maeotis_report import pack
except ImportError:
    print("xarray and matplotlib are not here: not checked")
    sys.exit(77)
import browser

if not browser.PROGRAM:
    print("there is no Chromium: not checked")
    sys.exit(77)

SCRIPTS = [cases.SOURCE / "postproc" / "maeotis_report" / name for name in ("decode.js", "chart.js", "map.js", "section.js")]

# A map of 6 x 4 cells of 0.1 by 0.05 degrees around 20 W, 60 S: the two southern rows are sea, but for the cell in the south-west.
SETUP = """
document.body.innerHTML = '<div id="map" style="width:658px"><canvas></canvas></div>';
document.body.style.margin = 0;
const bits = cells => btoa(String.fromCharCode(...Array.from({length: Math.ceil(cells.length / 8)}, (_, n) => cells.slice(8 * n, 8 * n + 8).reduce((sum, bit, m) => sum | bit << m, 0))));
const seaOf = [0, ...Array(11).fill(1), ...Array(12).fill(0)];
const globe = {geographic: true, x: [-20.25, -19.75, 6], y: [-60.075, -59.925, 4], sea: bits(seaOf)};
const map = new MapView(document.getElementById('map'));
map.place(globe);
map.layout();
const at = (x, y) => { const box = map.canvas.getBoundingClientRect(); return {clientX: box.left + map.px(x), clientY: box.top + map.py(y)}; };
const pen = () => { const lines = []; return {lines, beginPath() {}, stroke() {}, moveTo: (...p) => lines.push(['M', ...p]), lineTo: (...p) => lines.push(['L', ...p])}; };
const plain = {least: -2, most: 8, low: -1, high: 3, signed: false, dated: false, step: 0.5};
null
"""


def near(found, expected):
    found, expected = np.array(found, float), np.array(expected, float)
    return found.shape == expected.shape and bool(np.allclose(found, expected, rtol=1e-9, atol=1e-9))


with browser.Browser() as page:
    for script in SCRIPTS:
        page.ask(script.read_text() + "\nnull")
    page.ask(SETUP)

    def says(name, script, expected):
        cases.equal(name, page.ask(script), expected)

    def gives(name, script, expected):
        found = page.ask(script)
        cases.equal(name, near(found, expected) or found, True)

    # ---- numbers and dates ----
    says("numbers", "[numberText(-0.254, 0.1), numberText(2, 0.25), numberText(-0.001, 0.1), numberText(1234567, 1), numberText(2e-7, 1e-8), numberText(NaN, 1)]",
         ["−0.3", "2.00", "0.0", "1.23·10⁶", "2·10⁻⁷", "no value"])
    says("digits of steps", "[0.25, 0.5, 1, 20, 0.01].map(digitsOf)", [2, 1, 0, 0, 2])
    says("dates", "[dateText(1411572600), dateText(1411572607), dateText(1411572600.25)]",
         ["24 Sep 2014, 15:30 UTC", "24 Sep 2014, 15:30:07 UTC", "24 Sep 2014, 15:30:00.25 UTC"])
    gives("round ticks", "roundTicks(-0.9, 4.1, 5).ticks", [0, 1, 2, 3, 4])
    gives("ticks at both ends", "roundTicks(-1, 1, 4).ticks", [-1, -0.5, 0, 0.5, 1])
    says("ticks of time", "timeTicks(1411516800 - 7200, 1411516800 + 7200, 4).map(t => t.text)", ["22:00", "23:00", "24 Sep", "01:00", "02:00"])
    says("the nearest record", "[[0, 10, 20, 30], [0, 10, 20, 30], [0, 10, 20, 30], [0, 10, 20, 30]].map((times, n) => nearest(times, [-5, 14, 16, 99][n]))", [0, 1, 2, 3])
    says("a line with a gap", "pathOf([0, 1, 2, 3], [1, NaN, 2, 3], t => 10 * t, v => v)", "M0.0 1.0M20.0 2.0L30.0 3.0")

    # ---- packed fields ----
    values = np.round(np.random.default_rng(3).uniform(-3, 5, (3, 10)), 2)
    values[:, 4], values[1, 7] = np.nan, np.nan
    step, offset = pack.step_for(-3, 5)
    page.ask(f"""document.body.insertAdjacentHTML('beforeend', '<script type="text/plain" id="chunk0">{pack.chunk(values, step, offset)}</' + 'script>');
        const packed = {{name: 'u', chunks: [0], step: {step}, offset: {offset}}}, other = {{...packed, name: 'v'}},
              fast = {{name: 'speed', of: ['u', 'v']}}, known = v => [...v].map(x => x === x ? x : null); null""")
    filled = np.where(np.isnan(values), -99, values)
    for name, script, expected in (("a record", "(await chunkOf(packed, 0, 10)).at(1)", filled[1]), ("beyond the last one", "(await chunkOf(packed, 0, 10)).at(9)", filled[2]),
                                   ("a cell's series", "(await chunkOf(packed, 0, 10)).series(7)", filled[:, 7]),
                                   ("a cell without values", "(await chunkOf(packed, 0, 10)).series(4)", [-99, -99, -99]),
                                   ("the speed", "(await sourceOf({variables: [packed, other]}, fast, 0, 10)).at(0)", np.where(filled[0] == -99, -99, np.abs(values[0]) * 2**0.5))):
        found = page.ask(f"(async () => known({script}))()")
        cases.below(f"unpacked, {name} [steps]", float(np.max(np.abs(np.array([-99 if x is None else x for x in found]) - expected))) / step, 0.75)

    page.ask("decoded.set(8, Promise.resolve({at: () => [NaN, 2, NaN], series: () => [NaN, 4], whole: []})), decoded.set(9, Promise.resolve({at: () => [5, 6, NaN], series: () => [7, 8], whole: []})); null")
    for name, script, expected in (("a record", "at(0)", [5, 2, None]), ("a series", "series(0)", [7, 4])):
        cases.equal(f"the lowest layer with a value, {name}", page.ask(f"(async () => known((await sourceOf({{}}, {{chunks: [8, 9]}}, 2, 3)).{script}))()"), expected)

    # ---- scales of colours ----
    gives("a scale of the run, of now, of all", "['run', 'now', 'all'].map(c => scaleOf(c, [NaN, 2, 1, 2.5], plain)).map(s => [s.low, s.high])", [[-1, 3], [1, 2.5], [-2, 8]])
    gives("signed scales", "['run', 'now', 'all'].map(c => scaleOf(c, [2, -3], {...plain, signed: true, low: -1, high: 1})).map(s => [s.low, s.high])", [[-1, 1], [-3, 3], [-8, 8]])
    gives("signed by the least, too", "(s => [s.low, s.high])(scaleOf('all', [], {...plain, signed: true, least: -9}))", [-9, 9])
    gives("a logarithm begins at the step", "[scaleOf('log', [], plain)].map(s => [s.low, s.high, s.log])[0]", [0.5, 8, 1])
    gives("places on a scale and on a logarithmic one", "[[1, 2.5], [10, 100]].flatMap(([v, w]) => [fractionOf(v, {low: 0, high: 4}), fractionOf(w, {low: 2.5, high: 250, log: true})])", [0.25, 0, 2.5, 0.8010299956639812])
    gives("one value alone", "[rangeOf([2, 2], plain)].flat()", [2, 2.002])
    gives("colours", "[-0.1, 0, 0.5, 0.999, 1, 7].map(f => colourAt(null, f))", [0, 0, 384, 765, 765, 765])

    # ---- the map ----
    says("axes in metres or kilometres", "[[0, 1999, 9], [0, 2001, 9]].map(x => lengthsOf({x, y: [0, 10, 3]}).unit)", ["m", "km"])
    gives("the cells' middles", "[map.cellX(0), map.cellX(5), map.cellY(0), map.cellY(3)]", [-20.25, -19.75, -60.075, -59.925])
    gives("true to scale: lengths of a degree on the page", "[map.sx / map.sy]", [np.cos(np.radians(60))])
    says("the cell under a point", "[[-20.26, -60.08], [-19.71, -59.91], [-20.04, -60.06]].map(p => map.cellAt(at(...p)).cell)", [0, 23, 2])
    says("beside the map there is none", "[map.cellAt(at(-20.31, -60)), map.cellAt(at(-20, -60.11))]", [None, None])
    says("a place", "map.placeText(0, 3)", "59.925° S, 20.250° W")
    says("north is up, east is right", "[map.py(-59.95) < map.py(-60.05), map.px(-19.8) > map.px(-20.2)]", [True, True])
    page.ask("let flow = []; map.arrow = (c, ...what) => flow.push(what); map.arrows(pen(), Array(24).fill(0.5), Array(24).fill(0.25), 1); delete map.arrow; null")
    gives("arrows point where the water goes", "flow.map(f => [f[2], f[3]])[0]", [13, -6.5])
    says("an arrow over each cell, in its middle", "[flow.length, Math.abs(flow[0][0] - map.px(map.cellX(0))) < 1e-6, Math.abs(flow[23][1] - map.py(map.cellY(3))) < 1e-6]", [24, True, True])
    page.ask("""map.shown = {variable: {table: new Uint8Array(768).map((_, n) => Math.floor(n / 3))}, scale: {low: 0, high: 24}};
        map.arrow = (c, ...what) => flow.push(what); flow = []; const pens = [];
        const colours = {beginPath() {}, stroke() { pens.push([this.strokeStyle, flow.length]); }};
        map.arrows(colours, Array(24).fill(0.5), Array(24).fill(0.25), 1, map.cells, Array.from({length: 24}, (_, n) => n < 6 ? 0 : 23), [-20.31, -20.2, -61, -59]);
        delete map.arrow; delete map.shown; null""")
    says("none in the box of a zoom; pale on dark, dark on light", "pens", [["#14181b", 15], ["#ffffff", 20]])
    page.ask("const tip = pen(); map.arrow(tip, 100, 100, 10, -20); null")
    gives("an arrow's tail and tip", "[tip.lines[0].slice(1), tip.lines[1].slice(1)]", [[95, 110], [105, 90]])
    says("its head lies behind the tip", "tip.lines.slice(3).filter(l => l[0] === 'L').every(([, x, y]) => Math.hypot(x - 95, y - 110) < Math.hypot(10, 20))", True)
    page.ask("const shore = pen(); map.coast(shore); null")
    page.ask("const edge = (x, y) => [map.px(x), map.py(y)], drawn = shore.lines.map(l => l.slice(1)); null")
    says("the coast", "drawn.length", 2 * (2 + 5 + 1))
    gives("it stands between land and sea", "[drawn[0], drawn[1], drawn[2], drawn[3]]",
          page.ask("[edge(-20.2, -60.05), edge(-20.2, -60.1), edge(-20.3, -60.05), edge(-20.2, -60.05)]"))
    page.ask("const wall = pen(); map.dikes(wall, {...map.cells, walls: [['x', 1, 2], ['y', 2, 3]]}); null")
    gives("walls in the sea, west and south of their cells", "wall.lines.map(l => l.slice(1))", page.ask("[edge(-20.1, -60.05), edge(-20.1, -60), edge(-20, -60), edge(-19.9, -60)]"))
    page.ask("""const shades = new Uint8Array(768).map((_, n) => Math.floor(n / 3)), field = Array.from({length: 24}, (_, n) => n < 12 ? NaN : n);
        map.paint({values: field, variable: {table: shades}, scale: {low: 0, high: 24}});
        const pixel = (x, y) => [...map.image.getContext('2d').getImageData(x, y, 1, 1).data]; null""")
    says("colours: north on top, land without one, water without a value as dry", "[pixel(0, 0)[0], pixel(5, 0)[0], pixel(5, 1)[0], pixel(0, 3)[3], pixel(1, 3)[3]]",
         [int(256 * 18 / 24), int(256 * 23 / 24), int(256 * 17 / 24), 0, 255])
    page.ask("map.draw = () => {}; const before = at(-20.1, -60.02); map.scale(2, before); map.sx *= 2, map.sy *= 2; null")
    gives("nearer: the point stays where it was", "[at(-20.1, -60.02).clientX - before.clientX, at(-20.1, -60.02).clientY - before.clientY, map.zoom]", [0, 0, 2])
    gives("moved by the hand", "(() => { const x = map.centre[0], y = map.centre[1]; map.move(10, 20); return [(x - map.centre[0]) * map.sx, (map.centre[1] - y) * map.sy]; })()", [10, 20])
    page.ask("map.whole(); map.layout(); null")

    # ---- sections ----
    says("cells of a line", "cellsAlong([{i: 1, j: 0}, {i: 5, j: 2}], 6).map(c => c.cell)", [1, 8, 9, 16, 17])
    lengths = page.ask("[distances(cellsAlong([{i: 0, j: 1}, {i: 5, j: 1}], 6), map), distances(cellsAlong([{i: 2, j: 0}, {i: 2, j: 3}], 6), map)]")
    earth = 6371.0 * np.pi / 180
    cases.close("length along a circle of latitude [km]", lengths[0][-1], 0.5 * earth * np.cos(np.radians(60.025)), 1e-4)
    cases.close("and along a meridian [km]", lengths[1][-1], 0.15 * earth, 1e-4)
    gives("in kilometres of a plane", "distances([{i: 0, j: 0}, {i: 3, j: 4}], {dx: 1, dy: 1, set: {}})", [0, 5])
    says("the usual line: the longest way over deep water", "usualLine(map, seaOf.map((s, n) => s ? (n < 6 ? -10 : -2) : 1))", [{"i": 1, "j": 0}, {"i": 5, "j": 0}])
    says("down a column where that is longer", """usualLine({nx: 2, ny: 5, sea: [1, 0, 1, 0, 1, 0, 1, 0, 1, 1]}, Array(10).fill(-3))""", [{"i": 0, "j": 0}, {"i": 0, "j": 4}])
    page.ask("""const layers = [[30, 31, 32], [20, 21, 22]], shares = [[0.25, 0.25, 0], [0.75, 0.75, 1]], beds = [-8, -4, -2], tops = [0, 0, 1];
        const rows = {2: layers[0], 3: layers[1], 4: shares[0], 5: shares[1], 6: beds, 7: tops};
        for (const [id, values] of Object.entries(rows)) decoded.set(Number(id), Promise.resolve({at: () => values, whole: []}));
        const salt = {name: 'salt', levels: ['', ''], chunks: [2, 3], timed: true}, cut = new Section(document.getElementById('map'));
        const row = {geographic: false, x: [500, 2500, 3], y: [500, 500, 1], sea: bits([1, 1, 1]), bed: {chunks: [6]}, share: {chunks: [4, 5]}, variables: [salt, {name: 'eta', chunks: [7]}]};
        null""")
    found = page.ask("""(async () => { await cut.load(row, salt, 0, [{i: 0, j: 0}, {i: 2, j: 0}], {nx: 3, ny: 1, dx: 1, dy: 1, sea: [1, 1, 1], set: row, unit: 'km'});
        return cut.columns.map(c => [c.bed, c.eta, c.layers.map(l => [l.bottom, l.top, l.value])]); })()""")
    cases.equal("columns of a section: layers by their shares, none where there is no share", found,
                [[-8, 0, [[-8, -6, 30], [-6, 0, 20]]], [-4, 0, [[-4, -3, 31], [-3, 0, 21]]], [-2, 1, [[-2, 1, 22]]]])
    page.ask("""decoded.set(10, Promise.resolve({at: () => [2, 1, NaN], whole: []})), decoded.set(11, Promise.resolve({at: () => [6.5, 3, 3], whole: []}));
        const cutBy = async others => { const other = new Section(document.getElementById('map')); await other.load({...row, variables: [salt, ...others]}, salt, 0,
            [{i: 0, j: 0}, {i: 2, j: 0}], {nx: 3, ny: 1, dx: 1, dy: 1, sea: [1, 1, 1], set: row, unit: 'km'}); return [other.columns.map(c => c.eta), other.atDatum]; };
        null""")
    says("the surface without the level: by all layers' thicknesses, or else at the datum", "(async () => [await cutBy([{name: 'thickness', levels: ['', ''], chunks: [10, 11]}]), await cutBy([])])()",
         [[[0.5, 0, 1], False], [[0, 0, 0], True]])
    gives("their places [km]", "cut.distance", [0, 1, 2])
    page.ask("""salt.table = new Uint8Array(768), cut.draw({low: 20, high: 32});
        const spot = (n, z) => { const box = cut.canvas.getBoundingClientRect(); return {clientX: box.left + cut.x(cut.distance[n]), clientY: box.top + cut.y(z)}; }; null""")
    says("what lies under a pointer", "[[0, -7], [0, -5], [1, -3.5], [2, 0.5]].map(([n, z]) => cut.at(spot(n, z)).layer.value)", [30, 20, 31, 22])
    says("below the bed there is nothing", "cut.at(spot(2, -4)).layer === undefined", True)
    cases.equal("no error", page.errors, [])
cases.finish()
