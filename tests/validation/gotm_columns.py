# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1800
"""Columns of water against GOTM, with the same closure and settings (tables/gotm_columns.csv): wind mixing of stratified water, a
channel, cooling, heating, a halocline under a storm, the mixed layer above the bed."""

import cases
import judges
import numpy as np

JUDGE = "GOTM 6.0.8"
BOX = {"/grid/length_x_m": 8000, "/grid/length_y_m": 4000}
WIND = {"/physics/gravity_m_s2": 9.81, "/physics/water_density_kg_m3": 1000}


def theirs(case, layers):
    rows = [row for row in judges.table("gotm_columns") if row["case"] == case and row["layers"] == str(layers)]
    return {name: np.array([float(row[name] or "nan") for row in rows]) for name in ("z_m", "u_m_s", "v_m_s", "temperature_C", "salinity")}


def ours(scenario, depth, layers, settings, names):
    run = cases.run(f"verification/{scenario}", {"/grid/levels": {"bottom_m": -depth, "dz_m": depth / layers}, **settings})
    fields = run.fields(f"{scenario}.nc")
    return {name: fields[name][-1, :, 1 if fields[name].shape[2] > 1 else 0, 4] for name in names}


def output(hours, *names):
    return {"/time/duration_s": hours * 3600, "/output": [{"every_s": hours * 3600, "variables": list(names)}]}


def column(depth, hours, settings, *names):
    return {"/bathymetry/bed_m": -depth, "/time/step_s": 60, **settings, **output(hours, *names)}


def half_way(values, z):
    """Depth at which `values` is half way between top and bottom, from the surface down."""
    middle = 0.5 * (values[-1] + values[0])
    k = np.flatnonzero((values[:-1] - middle) * (values[1:] - middle) <= 0)[-1]
    return -(z[k] + (middle - values[k]) / (values[k + 1] - values[k]) * (z[k + 1] - z[k]))


def mixed(temperature, z, below=0.1):
    """Depth at which it is `below` [K] colder than on top."""
    k = np.flatnonzero(temperature < temperature[-1] - below)[-1]
    part = (temperature[-1] - below - temperature[k]) / (temperature[k + 1] - temperature[k])
    return -(z[k] + part * (z[k + 1] - z[k]))


def lines(title, label, curves):
    def draw(axis):
        for (name, x, z), style in zip(curves, ("k--", "C0-", "0.6", "C1-")):
            axis.plot(x, z, style, label=name, linewidth=1.2)
        axis.set(title=title, xlabel=label, ylabel="z [m]")
        axis.legend(fontsize=6)
    return draw


panels = []

for layers, bounds in ((25, (0.005, 0.01)), (50, (0.005, 0.005)), (100, (0.005, 0.005))):
    a, b = theirs("kato_phillips", layers), ours("kato_phillips", 50, layers, output(30, "temperature", "u"), ("temperature", "u"))
    depth = mixed(b["temperature"], a["z_m"]) / mixed(a["temperature_C"], a["z_m"]) - 1
    judges.measure(f"Kato-Phillips, {layers} layers, 30 h", JUDGE, "depth of the mixed layer [%]", 100 * depth, 100 * bounds[0], "columns")
    judges.measure(f"Kato-Phillips, {layers} layers, 30 h", JUDGE, "temperature, rms of the change [%]",
                   100 * judges.rms(b["temperature"] - a["temperature_C"]) / judges.rms(a["temperature_C"] - 20 - 0.050968 * a["z_m"]), 100 * bounds[1], "columns")
    if layers == 50:
        panels.append(lines("Kato-Phillips, 30 h", "temperature [C]", ((JUDGE, a["temperature_C"], a["z_m"]), ("maeotis", b["temperature"], a["z_m"]))))

for layers, bound in ((10, 0.01), (25, 0.02), (100, 0.025)):
    a = theirs("channel", layers)
    b = ours("open_channel", 10, layers, {**output(40, "u"), "/physics/turbulence/viscosity_m2_s": 0}, ("u",))
    judges.measure(f"channel, {layers} layers", JUDGE, "flow [%]", 100 * (np.mean(b["u"]) / np.mean(a["u_m_s"]) - 1), 100 * bound, "columns")
    if layers == 10:
        panels.append(lines("channel, 10 layers", "u [m/s]", ((JUDGE, a["u_m_s"], a["z_m"]), ("maeotis", b["u"], a["z_m"]))))

calm = {"/forcing": {"heat": {"net_W_m2": -100, "capacity_J_kg_K": 3990}}}
a, b = theirs("cooling", 50), ours("kato_phillips", 50, 50, column(50, 72, calm, "temperature"), ("temperature",))
judges.measure("cooling of stratified water, 72 h", JUDGE, "temperature of the surface [K]", b["temperature"][-1] - a["temperature_C"][-1], 0.005, "columns")
judges.measure("cooling of stratified water, 72 h", JUDGE, "temperature, rms of the change [%]",
               100 * judges.rms(b["temperature"] - a["temperature_C"]) / judges.rms(a["temperature_C"] - 20 - 0.050968 * a["z_m"]), 0.5, "columns")
panels.append(lines("cooling, 72 h", "temperature [C]", ((JUDGE, a["temperature_C"][28:], a["z_m"][28:]), ("maeotis", b["temperature"][28:], a["z_m"][28:]))))

f = {"f_s": 1.0312607e-4}
warm = {"/forcing": {"wind": {"stress_x_Pa": 0.1, "stress_y_Pa": 0}, "heat": {"net_W_m2": 200, "capacity_J_kg_K": 3990}}, "/initial/temperature_C": 20, "/physics/coriolis": f}
a, b = theirs("heating", 50), ours("kato_phillips", 50, 50, column(50, 48, warm, "temperature", "u", "v"), ("temperature", "u", "v"))
judges.measure("heating under wind and rotation, 48 h", JUDGE, "depth half as warm [%]",
               100 * (half_way(b["temperature"], a["z_m"]) / half_way(a["temperature_C"], a["z_m"]) - 1), 1, "columns")
judges.measure("heating under wind and rotation, 48 h", JUDGE, "current, rms of its own [%]",
               100 * judges.rms(np.hypot(b["u"] - a["u_m_s"], b["v"] - a["v_m_s"])) / judges.rms(np.hypot(a["u_m_s"], a["v_m_s"])), 3, "columns")
panels.append(lines("heating, 48 h", "temperature [C]", ((JUDGE, a["temperature_C"], a["z_m"]), ("maeotis", b["temperature"], a["z_m"]))))

salt = {"/forcing": {"wind": {"stress_x_Pa": 0.2, "stress_y_Pa": 0}}, "/initial": {"temperature_C": 20, "salinity": "min(10, max(8, 8 + (-z - 7)))"}, "/physics/coriolis": f,
        "/physics/drag": {"law": "log", "z0_m": 0.002}, "/physics/turbulence/viscosity_m2_s": 0,
        "/physics/density": {"equation": "linear", "expansion_1_K": 2e-4, "contraction_kg_g": 8e-4, "reference_salinity": 0, "reference_temperature_C": 20}}
a, b = theirs("halocline", 40), ours("kato_phillips", 20, 40, column(20, 24, salt, "salinity", "u", "v"), ("salinity", "u", "v"))
judges.measure("halocline under a storm and rotation, 24 h", JUDGE, "depth of the halocline [%]",
               100 * (half_way(b["salinity"], a["z_m"]) / half_way(a["salinity"], a["z_m"]) - 1), 1, "columns")
judges.measure("halocline under a storm and rotation, 24 h", JUDGE, "salinity on top [g/kg]", b["salinity"][-1] - a["salinity"][-1], 0.01, "columns")
judges.measure("halocline under a storm and rotation, 24 h", JUDGE, "current, rms of its own [%]",
               100 * judges.rms(np.hypot(b["u"] - a["u_m_s"], b["v"] - a["v_m_s"])) / judges.rms(np.hypot(a["u_m_s"], a["v_m_s"])), 1, "columns")
panels.append(lines("halocline, 24 h", "salinity [g/kg]", ((JUDGE, a["salinity"], a["z_m"]), ("maeotis", b["salinity"], a["z_m"]))))
panels.append(lines("halocline, 24 h", "u, v [m/s]", (("u, " + JUDGE, a["u_m_s"], a["z_m"]), ("u", b["u"], a["z_m"]), ("v, " + JUDGE, a["v_m_s"], a["z_m"]), ("v", b["v"], a["z_m"]))))

flow = {**salt, "/forcing": {}, "/initial": {"temperature_C": 20, "salinity": "8 - 0.1*z", "u_m_s": 0.5}, "/physics/drag": {"law": "log", "z0_m": 0.005}}
a, b = theirs("bottom", 20), ours("kato_phillips", 20, 20, column(20, 24, flow, "salinity", "u", "v"), ("salinity", "u", "v"))
judges.measure("inertial current over the bed, stratified, 24 h", JUDGE, "salinity at the bed, of its change [%]",
               100 * ((b["salinity"][0] - 9.95) / (a["salinity"][0] - 9.95) - 1), 2, "columns")
judges.measure("inertial current over the bed, stratified, 24 h", JUDGE, "current in the mixed layer, rms of its own [%]",
               100 * judges.rms(np.hypot(b["u"] - a["u_m_s"], b["v"] - a["v_m_s"])[:8]) / judges.rms(np.hypot(a["u_m_s"], a["v_m_s"])[:8]), 2, "columns")
judges.picture("columns", panels, columns=3)
cases.finish()
