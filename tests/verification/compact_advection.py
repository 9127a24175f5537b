# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Compact advection and viscosity: sixth order in space along both directions, second in time, energy in a closed basin, and what it refuses."""

import subprocess

import cases
import numpy as np

LENGTH = 1600.0


def wave(cells, settings, along_x=True, steps=0):
    """The wave's last amplitude and phase, as one complex number over that at the start."""
    sizes = {"/grid/length_x_m": LENGTH if along_x else 8 * LENGTH / cells,
             "/grid/length_y_m": 8 * LENGTH / cells if along_x else LENGTH, "/grid/dx_m": LENGTH / cells}
    x = "x" if along_x else "y"
    flow = {"/initial/u_m_s": 1, "/initial/v_m_s": f"0.3*sin(2*pi*{x}/1600)"}
    if not along_x:
        flow = {"/initial/v_m_s": 1, "/initial/u_m_s": f"0.3*sin(2*pi*{x}/1600)"}
    run = cases.run("verification/shear_wave", {**sizes, **flow, **settings})
    fields = run.fields()
    field = fields["v" if along_x else "u"][:, -1]
    line = field[:, 2, :] if along_x else field[:, :, 2]
    cases.below("a flat surface [m]", np.nanmax(np.abs(fields["eta"])), 1e-12)
    waves = np.fft.fft(line, axis=-1)[:, 1]
    return waves[-1] / waves[0]


# with viscosity; that of second order would leave 1.9 % too much of a wave of 8 cells
VISCOUS = {"/physics/momentum/compact_viscosity": True, "/physics/momentum/horizontal_viscosity_m2_s": 150}
SHORT = {"/time/step_s": 0.2, "/time/duration_s": 160, "/output/0/every_s": 160, "/physics/momentum/filter": 0, **VISCOUS}
decay = np.exp(-150 * (2 * np.pi / LENGTH) ** 2 * 160)
for along_x in (True, False):
    fine = wave(64, SHORT, along_x)
    found = [wave(cells, SHORT, along_x) for cells in (8, 16)]
    for cells, one, bound in ((8, found[0], 3e-5), (64, fine, 1e-6)):
        cases.close(f"compact viscosity: decay of a wave of {cells} cells over the exact one", abs(one) / decay, 1, bound)
    errors = [abs(one - fine) for one in found]  # fields are written in single precision
    for order in cases.orders(errors):
        cases.between(f"order in space along {'x' if along_x else 'y'}", order, 5.8, 6.2)


def oblique(cells):
    """The same of a wave along the diagonal, in a flow that crosses it."""
    wave = "0.3*sin(2*pi*(x+y)/1600)"
    run = cases.run("verification/shear_wave", {**SHORT, "/grid/length_y_m": LENGTH, "/grid/dx_m": LENGTH / cells, "/grid/levels/dz_m": 20,
                                                "/initial/u_m_s": f"1+{wave}", "/initial/v_m_s": f"0.5-{wave}"})
    waves = [np.fft.fft2(np.nan_to_num(run.fields()[name][:, -1, :cells, :cells]))[:, 1, 1] for name in ("u", "v")]
    return np.array([one[-1] / one[0] for one in waves])


fine = oblique(32)
for order in cases.orders([np.max(np.abs(oblique(cells) - fine)) for cells in (8, 16)]):
    cases.between("order in space along the diagonal", order, 5.8, 6.3)

STEPS = {"/physics/momentum/filter": 0, "/output/0/every_s": 1600}
found = [wave(64, {**STEPS, "/time/step_s": step}) for step in ((5, 2.5, 1.25) if cases.THOROUGH else (5, 2.5))]
for order in cases.orders([abs(one - 1) for one in found]):
    cases.between("order in the step", order, 1.9, 2.1)
cases.close("amplitude with the filter, a way of 4 waves on 16 cells",
            abs(wave(16, {"/time/duration_s": 6400, "/time/step_s": 5, "/output/0/every_s": 6400})), 1, 0.02)


# automatic steps stay where the scheme is stable: at 0.3 and more the flow breaks
AUTO = {"step_s": "auto", "step_bounds_s": [0.1, 300], "step_wave_courant": 0, "start": "2000-01-01T00:00:00Z", "duration_s": 16000}
auto = cases.run("verification/shear_wave", {"/time": AUTO, "/output/0/every_s": 1600, "/initial/u_m_s": "1+0.001*cos(pi*x/100)*sin(pi*y/100)"})
cases.between("automatic steps: Courant number", np.max(auto.column("advective_courant")[1:]), 0.0975, 0.1003)
cases.between("automatic steps: fastest [m/s]", auto.column("max_speed_m_s")[-1], 0.9995, 1.001)
told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/shear_wave.json")], capture_output=True, text=True).stdout
cases.equal("check knows the limit", "best below 0.2" in told, True)


def energy(settings, **more):
    run = cases.run("verification/vortex_pair", settings, **more)
    fields = run.fields()
    u, v, eta = (np.nan_to_num(fields[name]) for name in ("u", "v", "eta"))
    cases.conserves(run, 1e-13)
    kinetic = 0.5 * 20 * (np.sum(u**2, axis=(1, 2, 3)) + np.sum(v**2, axis=(1, 2, 3)))
    return kinetic + 0.5 * 9.81 * np.sum(eta**2, axis=(1, 2))


kept = {name: one[-1] / one[0] for name, one in (
    ("compact6 with its filter", energy({})),
    ("compact6 without", energy({"/physics/momentum/filter": 0})),
    ("tvd", energy({"/physics/momentum/advection": "tvd"})))}
# an inner region: none of it left is "tvd" to the last bit, and the vortices are in the middle of the sea
inner = cases.run("verification/vortex_pair", {"/physics/momentum/inner_cells": 40}, options=["--steps", "20"])
cases.equal("no inner region: digest", inner.digest,
            cases.run("verification/vortex_pair", {"/physics/momentum/advection": "tvd"}, options=["--steps", "20"]).digest)
kept["inner region"] = (lambda one: one[-1] / one[0])(energy({"/physics/momentum/inner_cells": 4}))
cases.between("energy kept, compact6 from 4 to 8 cells from the coast on", kept["inner region"], 0.995, 1.0)
cases.between("energy kept, with the filter", kept["compact6 with its filter"], 0.995, 1.0)
cases.between("energy kept, without", kept["compact6 without"], 0.9995, 1.0005)
cases.between("energy kept, tvd for comparison", kept["tvd"], 0.8, 0.9)

# steps in the bed, islands, no slip, many levels: nothing grows
rough = {"/grid/levels": {"bottom_m": -20, "dz_m": 5}, "/physics/momentum/filter": 0.1,
         "/bathymetry/bed_m": "(x-2000)^2+(y-2400)^2 < 90000 ? 5 : -20 + 8*sin(x/500)*cos(y/700)"}
for walls in ("free-slip", "no-slip") if cases.THOROUGH else ("no-slip",):
    run = cases.run("verification/vortex_pair", {**rough, "/physics/momentum/side_walls": walls, "/output": []})
    cases.conserves(run, 1e-13)
    cases.below(f"fastest over a rough bed, {walls} [m/s]", np.max(run.column("max_speed_m_s")[500:]), 0.7)

for reason, settings in (
    ("explicit-z", {"/physics/momentum/scheme": "matm"}),
    ("theta", {"/physics/free_surface/theta": 0.5}),
    ("stays dry", {"/grid/flood_to_m": 1}),
    ("inner_cells", {"/physics/momentum/inner_cells": 3}),
    ("everywhere", {**VISCOUS, "/physics/momentum/inner_cells": 4}),
    ("at most 1.25 s", {**VISCOUS, "/physics/momentum/horizontal_viscosity_m2_s": 500}),
    ("open boundaries", {"/boundaries": [{"name": "w", "edge": "west", "kind": "elevation", "eta_m": 0}]}),
):
    refused = cases.run("verification/vortex_pair", settings, may_fail=True, options=["--steps", "1"])
    cases.equal(f"refused: {reason}", (refused.code, "compact" in refused.message and reason in refused.message), (2, True))
partial = {"/grid/dx_m": 2000, "/bathymetry/fullness": True, "/output": [], "/physics/momentum/advection": "compact6"}
cases.run("peer_basin", {**partial, "/physics/momentum/inner_cells": 6}, options=["--steps", "1"])
refused = cases.run("peer_basin", partial, may_fail=True, options=["--steps", "1"])
cases.equal("refused: partial cells", (refused.code, "/bathymetry/fullness" in refused.message), (2, True))
cases.finish()
