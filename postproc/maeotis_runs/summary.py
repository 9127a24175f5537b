# SPDX-License-Identifier: Apache-2.0
"""What the members of an ensemble have in common: for each file that they wrote, NAME_ensemble.nc with mean, spread, quantiles
(series and extremes only) and the probability that levels, and depths, are exceeded; and pictures of both.

Statistics are over the members that have water; a probability counts the others as members that stay below, where there are some
with water."""

import warnings

import matplotlib.pyplot as plt
import netCDF4
import numpy as np
from maeotis_plot import frame, style
from maeotis_results import reading
from maeotis_results.run import Run
from matplotlib.colors import Normalize

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
LEVELS = ("eta", "max_eta")  # whose exceedance is counted
DEPTH = "max_depth"  # the same, on land: bed above the datum
DEPTHS = (0.1, 0.3, 0.5, 1.0, 2.0, 3.0)
GEOMETRY = {"bed", "sea_floor_depth", "cell_area", "wet_fraction", "layer_share", "layer_height_share", "dx", "dy", "dx_u", "dy_u", "dx_v", "dy_v", "moved", "asked_lon", "asked_lat",
            "asked_x", "asked_y"}
FILL = np.float32(9.96921e36)
METHODS = {"mean": "mean", "spread": "standard_deviation"}  # as CF calls them


def is_summed(variable):
    """Floats that differ from member to member: not axes, bounds, or the ground."""
    return (variable.dtype in (np.dtype("f4"), np.dtype("f8")) and variable.ndim > 1 and variable.name not in GEOMETRY
            and not variable.name.endswith("_bnds") and not getattr(variable, "units", "").startswith("seconds since"))


def of_one_member(name, variable):
    """Series of a member's budgets and solvers, and dates of its extremes: they differ, and have no summary."""
    return name.startswith("time_of_") or variable.dimensions[:1] == ("time",) and name not in ("time", "time_bnds")


def values_of(files, name, part):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.stack([np.ma.filled(file[name][part].astype(float), np.nan) for file in files])


def statistics(values, with_quantiles):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where no member has water
        out = {"mean": np.nanmean(values, axis=0), "spread": np.nanstd(values, axis=0, ddof=1)}
        if with_quantiles:
            out["quantiles"] = np.nanquantile(values, QUANTILES, axis=0)
    return out


def depths_of(file):
    """The greatest depth of a file of extremes, of its own or above the bed; None where it tells none."""
    if DEPTH in file.variables:
        return np.ma.filled(file[DEPTH][:].astype(float), np.nan)
    if {"max_eta", "bed"} <= set(file.variables):
        return np.ma.filled(file["max_eta"][:].astype(float), np.nan) - np.ma.filled(file["bed"][:].astype(float), np.nan)
    return None


def default_depths(files):
    """Those that a member reaches on land."""
    most = max((np.max(depths, initial=0.0, where=np.isfinite(depths) & (np.ma.filled(file["bed"][:], -1) > 0))
                for file in files if "bed" in file.variables and (depths := depths_of(file)) is not None), default=0.0)
    return [depth for depth in DEPTHS if depth < most] or [DEPTHS[0]]


def exceeded(values, levels):
    """The share of the members that are above each level; no number where none has water."""
    wet = np.isfinite(values).any(axis=0)
    with np.errstate(invalid="ignore"):
        return np.stack([np.where(wet, (values > level).mean(axis=0), np.nan) for level in levels])


class Target:
    """A summary file: the axes and the ground of the first member, and what is said of all."""

    def __init__(self, path, source, members, ensemble, levels, depths):
        self.data = netCDF4.Dataset(path, "w", format="NETCDF4")
        self.source = source
        for name, dimension in source.dimensions.items():
            self.data.createDimension(name, None if dimension.isunlimited() else len(dimension))
        self.data.createDimension("quantile", len(QUANTILES))
        quantiles = self.data.createVariable("quantile", "f8", ("quantile",))
        quantiles[:] = QUANTILES
        quantiles.setncatts({"units": "1", "long_name": "share of the members below"})
        for name, what, values in (("threshold", "level", levels), ("depth_threshold", "depth", depths)):
            self.data.createDimension(name, len(values))
            thresholds = self.data.createVariable(name, "f8", (name,))
            thresholds[:] = values
            thresholds.setncatts({"units": "m", "long_name": f"{what} that members exceed"})
        for name, variable in source.variables.items():
            if not is_summed(variable) and variable.dtype.kind in "fiuS" and not of_one_member(name, variable):
                self.copy(name, variable)
        self.data.setncatts({name: source.getncattr(name) for name in ("title", "institution", "maeotis_version", "maeotis_commit")
                             if name in source.ncattrs()})
        self.data.setncatts({"Conventions": "CF-1.11", "summary": f"An ensemble of {len(members)} members; at each moment and place, of those that are wet",
                             "members": np.int32(len(members)),
                             "vary": "; ".join(ensemble.options.vary), "seed": np.int32(ensemble.options.seed), "command": ensemble.options.command})

    def copy(self, name, variable):
        fill = variable.getncattr("_FillValue") if "_FillValue" in variable.ncattrs() else None
        copy = self.data.createVariable(name, variable.dtype, variable.dimensions, fill_value=fill)
        copy.setncatts({key: variable.getncattr(key) for key in variable.ncattrs() if key != "_FillValue"})
        for either in (variable, copy):
            either.set_auto_chartostring(False)
        copy[:] = variable[:]

    def variable(self, name, kind, axis=()):
        full = f"{name}_{kind}"
        if full not in self.data.variables:
            source = self.source[name if name in self.source.variables else "max_eta"]
            new = self.data.createVariable(full, "f4", (*axis, *source.dimensions), fill_value=FILL, zlib=True, complevel=4)
            words = {"mean": "mean of the members", "spread": "standard deviation of the members", "quantiles": "quantiles of the members",
                     "probability": "share of the members above the threshold"}[kind]
            new.long_name = f"{getattr(source, 'long_name', name) if name != DEPTH else 'greatest depth of the water column'}: {words}"
            new.units = "1" if kind == "probability" else getattr(source, "units", "1")
            own = {key: source.getncattr(key) for key in source.ncattrs()}
            places = {key: own[key] for key in ("grid", "location", "grid_mapping", "cell_measures") if key in own}
            if "coordinates" in own:  # heights differ from member to member
                places["coordinates"] = " ".join("z_mean" if word == "z" else word for word in own["coordinates"].split())
            if name == "z" and kind == "mean":
                places |= {key: own[key] for key in ("positive", "axis", "standard_name") if key in own}
            elif kind in METHODS:
                places["cell_methods"] = f"{own.get('cell_methods', '')} realization: {METHODS[kind]}".strip()
                if "standard_name" in own:
                    places["standard_name"] = own["standard_name"]
            new.setncatts(places)
        return self.data[full]

    def put(self, name, part, found):
        for kind, values in found.items():
            axis = {"quantiles": ("quantile",), "probability": ("depth_threshold" if name == DEPTH else "threshold",)}.get(kind, ())
            place = (slice(None), part) if axis else part
            self.variable(name, kind, axis)[place] = np.where(np.isfinite(values), values, FILL)


def default_levels(files):
    """Half metres below the highest level of all members, at most twelve."""
    highest = 0.0
    for file in files:
        for name in LEVELS:
            if name in file.variables:
                highest = max(highest, float(np.ma.max(file[name][:])))
    step = 0.5 if highest <= 6 else 1.0 if highest <= 12 else 10 ** np.ceil(np.log10(highest / 12))
    return [float(v) for v in np.arange(step, highest + step / 2, step)] or [0.5]


def summarise(path, files, members, ensemble, levels, depths):
    """One file of all members."""
    first = files[0]
    quick = "station" in first.dimensions or any(name.startswith("max_") for name in first.variables)
    target = Target(path, first, members, ensemble, levels, depths)
    for name, variable in first.variables.items():
        if not is_summed(variable) or any(name not in file.variables or file[name].shape != variable.shape for file in files):
            continue
        parts = range(variable.shape[0]) if not quick else [slice(None)]  # maps one record at a time, for their size
        for part in parts:
            values = values_of(files, name, part)
            found = statistics(values, quick)
            if name in LEVELS:
                found["probability"] = exceeded(values, levels)
            target.put(name, part, found)
    reached = [depths_of(file) for file in files]
    if all(one is not None and one.shape == reached[0].shape for one in reached):
        target.put(DEPTH, slice(None), {"probability": exceeded(np.stack(reached), depths)})
    target.data.close()


def names_of(ensemble, members):
    """The files that every member has."""
    sets = [{file.name for files in Run(ensemble.member_folder(k)).outputs.values() for file in files} for k in members]
    return sorted(set.intersection(*sets))


def write(ensemble, members):
    """Writes all summaries and pictures; yields what to say about them."""
    all_files = {name: [netCDF4.Dataset(ensemble.member_folder(k) / name) for k in members] for name in names_of(ensemble, members)}
    try:
        levels = ensemble.levels or default_levels([file for files in all_files.values() for file in files
                                                    if any(n in file.variables for n in ("max_eta", "station"))])
        depths = ensemble.depths or default_depths([file for files in all_files.values() for file in files])
        for name, files in all_files.items():
            path = ensemble.folder / name.replace(".nc", "_ensemble.nc")
            summarise(path, files, members, ensemble, levels, depths)
            yield str(path)
        for name, files in all_files.items():
            if "station" in files[0].dimensions and "eta" in files[0].variables:
                yield from station_table(files, levels, len(members))
        for name in all_files:
            yield from pictures(ensemble.folder / name.replace(".nc", "_ensemble.nc"), len(members), ensemble.depths)
    finally:
        for files in all_files.values():
            for file in files:
                file.close()


def station_table(files, levels, count):
    """The highest level at each station, and how likely it is above the thresholds."""
    files[0]["station"].set_auto_chartostring(False)
    names = [str(n).strip("\0 ") for n in netCDF4.chartostring(np.ma.filled(files[0]["station"][:], b""))]
    highest = np.stack([np.nanmax(np.ma.filled(file["eta"][:].astype(float), np.nan), axis=0, initial=-np.inf, where=~np.ma.getmaskarray(file["eta"][:]))
                        for file in files])
    highest[~np.isfinite(highest)] = np.nan
    yield (f"highest level at each station in {count} members (without member 0): mean, standard deviation, 5 % to 95 %; P: share of the members "
           "above a level")
    width = max(map(len, names))
    for n, name in enumerate(names):
        values = highest[:, n]
        if not np.isfinite(values).any():
            yield f"  {name:{width}}  dry in all members"
            continue
        low, high = np.nanquantile(values, [0.05, 0.95])
        chances = [(level, float((values > level).mean())) for level in levels]
        spread = np.nanstd(values, ddof=1)
        places = int(np.clip(1 - np.floor(np.log10(spread)), 2, 6)) if spread > 0 else 2  # two digits of the spread
        shown = [f"P(> {level:g} m) {chance:.2f}" for level, chance in chances if 0 < chance < 1] or ["no level of --exceed lies between the members"]
        yield f"  {name:{width}}  {np.nanmean(values):+.{places}f} m  {spread:.{places}f} m  {low:+.{places}f} to {high:+.{places}f} m   {'  '.join(shown)}"


def pictures(path, count, depths):
    """Of depths those that were asked for; of levels, and without a wish, the one whose map says most."""
    style.set_up()
    warnings.filterwarnings("ignore", category=RuntimeWarning)  # xarray's, at dates that are missing
    with reading.open_file(path) as data:
        if "eta_quantiles" in data and "station" in data.dims:
            figure = fans(data, count)
            yield save(figure, path, "fan")
        if "max_eta_probability" in data:
            chance = likely(data["max_eta_probability"], "threshold")
            level = float(chance["threshold"])
            higher = data["bed"] > level if "bed" in data else None  # their level exceeds it as soon as they are wet
            yield save(chance_map(data, chance, f"whose level exceeds {level:g} m at some time", higher=higher), path, f"above_{level:g}m")
        if "max_depth_probability" in data and "bed" in data:
            on_land = data["max_depth_probability"].fillna(0).where(data["bed"] > 0)
            chances = [on_land.isel(depth_threshold=n) for n in range(on_land.sizes["depth_threshold"])] if depths else [likely(on_land, "depth_threshold")]
            for chance in chances:
                depth = float(chance["depth_threshold"])
                yield save(chance_map(data, chance, f"in which land is more than {depth:g} m under water", (style.WATER, "below the datum")),
                           path, f"deeper_{depth:g}m")


def likely(chances, axis):
    """Of the thresholds' maps the one that says most: the spread of opinion is widest."""
    undecided = [float((chances.isel({axis: n}) * (1 - chances.isel({axis: n}))).sum()) for n in range(chances.sizes[axis])]
    return chances.isel({axis: int(np.argmax(undecided))})


def save(figure, path, name):
    picture = path.with_name(f"{path.stem}_{name}.png")
    figure.savefig(picture, dpi=150)
    style.close(figure)
    return str(picture)


def chance_map(data, chance, words, empty=(style.DRY, "dry in all members"), higher=None):
    dims = reading.dimensions_of_cells(data)
    picture = frame.Map(data, f"{data.attrs.get('title', 'An ensemble')}", f"Share of {int(data.attrs['members'])} members {words}")
    values = chance.transpose(*dims).values if "time" not in chance.dims else chance.isel(time=0).transpose(*dims).values
    if higher is not None:
        hills = higher.transpose(*dims).values & np.isfinite(values)
        values = np.where(hills, np.nan, values)
    none = (frame.PALE, "in none")
    picture.paint(np.where(values > 0, values, np.nan), plt.get_cmap("viridis_r"), Normalize(0, 1), "Probability", empty=empty if np.isnan(values).any() else none)
    picture.shade(values == 0, *none)
    if higher is not None:
        picture.shade(hills, style.LAND, "ground above this level")
    return picture.figure


def fans(data, count):
    """Bands of quantiles at each station."""
    names = reading.station_names(data)
    times = data["time"].values
    columns = 1 if len(names) <= 4 else 2
    rows = -(-len(names) // columns)
    wide, tall = 4.8 * columns + 1.2, 1.5 * rows + 1.55
    figure, axes = plt.subplots(rows, columns, figsize=(wide, tall), sharex=True, sharey=True, squeeze=False)
    figure.subplots_adjust(left=0.6 / wide, right=1 - 0.25 / wide, top=1 - 1.2 / tall, bottom=0.5 / tall, hspace=0.35, wspace=0.08)
    q = data["eta_quantiles"].transpose("quantile", "time", "station").values
    for n, (panel, name) in enumerate(zip(axes.ravel(order="F"), names)):
        panel.fill_between(times, q[0, :, n], q[4, :, n], color="#bfd8e8", linewidth=0, label="5 % to 95 %")
        panel.fill_between(times, q[1, :, n], q[3, :, n], color="#6fa5cc", linewidth=0, label="25 % to 75 %")
        panel.plot(times, q[2, :, n], color="#11304f", linewidth=1.3, label="median")
        panel.set_title(name, loc="left", fontsize=9)
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="#e4e4e2", linewidth=0.6)
        panel.margins(x=0.01)
    for panel in axes.ravel(order="F")[len(names):]:
        panel.set_visible(False)
    style.date_axis(axes[-1, 0].xaxis, 7)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.text(0.6 / wide, 1 - 0.35 / tall, str(data.attrs.get("title", "An ensemble")), fontsize=12, fontweight="bold", va="bottom")
    figure.text(0.6 / wide, 1 - 0.6 / tall, f"Level [m], {count} members, at each moment those that are wet", color=style.QUIET, va="bottom")
    figure.legend(handles, labels, loc="upper left", bbox_to_anchor=(0.6 / wide, 1 - 0.62 / tall), ncol=3, frameon=False, fontsize=9, borderaxespad=0,
                  borderpad=0.2)
    return figure
