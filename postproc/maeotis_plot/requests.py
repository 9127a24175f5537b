# SPDX-License-Identifier: Apache-2.0
"""Requests for the data of a sea, for its box and time: depths, weather, the sea outside, tides, rivers. As a shell script, which is read,
trimmed and run by its user with the accounts that the services want; or run here (`--download`), where client and account exist."""

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path

ANALYSIS_FROM = datetime(2022, 6, 1, tzinfo=timezone.utc)  # of the global sea, in records of six hours and less
ERA5_BEHIND = timedelta(days=6)


def grown(box, degrees):
    """West, south, east, north of a larger box, in whole hundredths."""
    west, south, east, north = box
    return round(west - degrees, 2), round(max(south - degrees, -90), 2), round(east + degrees, 2), round(min(north + degrees, 90), 2)


def days(start, end):
    first = start.date()
    return [first + timedelta(days=n) for n in range((end.date() - first).days + 1)]


def store(url, dataset, request, target):
    """A request through cdsapi."""
    client = f"cdsapi.Client(url={url!r})" if url else "cdsapi.Client()"
    lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in request.items())
    return f"python3 - <<'END'\nimport cdsapi\n{client}.retrieve({dataset!r}, {{\n{lines}\n}}, {target!r})\nEND"


def bathymetry(box, start, end):
    west, south, east, north = grown(box, 0.05)
    yield ("Depths, 1/240 degree, of the whole world: GEBCO 2024, public domain. Needs ncks (apt-get install nco)", "gebco.nc",
           f"ncks -O -d lon,{west:.2f},{east:.2f} -d lat,{south:.2f},{north:.2f} "
           "https://dap.ceda.ac.uk/thredds/dodsC/bodc/gebco/global/gebco_2024/ice_surface_elevation/netcdf/GEBCO_2024.nc gebco.nc")
    if west > -36 and east < 43 and south > 15 and north < 90:
        yield ("In place of it in European seas, 1/960 degree: EMODnet. Heights (--positive up) above the lowest tide", "emodnet.tif",
               "curl -fo emodnet.tif 'https://ows.emodnet-bathymetry.eu/wcs?service=WCS&version=2.0.1&request=GetCoverage&coverageId=emodnet__mean"
               f"&subset=Long({west:.2f},{east:.2f})&subset=Lat({south:.2f},{north:.2f})&format=image/tiff'")


def weather(box, start, end):
    west, south, east, north = grown(box, 0.5)
    request = {"product_type": ["reanalysis"],
               "variable": ["10m_u_component_of_wind", "10m_v_component_of_wind", "mean_sea_level_pressure"],
               "date": [f"{start:%Y-%m-%d}/{end + timedelta(hours=1):%Y-%m-%d}"], "time": [f"{hour:02d}:00" for hour in range(24)],
               "area": [north, west, south, east], "data_format": "netcdf", "download_format": "unarchived"}
    note = "Wind and air pressure, hourly: ERA5. Needs cdsapi (pip) and an account of https://cds.climate.copernicus.eu with its key in ~/.cdsapirc"
    if end > datetime.now(timezone.utc) - ERA5_BEHIND:
        note += ". ERA5 ends about six days ago, before this time"
    yield note, "era5.nc", store("", "reanalysis-era5-single-levels", request, "era5.nc")


def outside(box, start, end):
    west, south, east, north = grown(box, 0.25)
    area = f"--minimum-longitude {west} --maximum-longitude {east} --minimum-latitude {south} --maximum-latitude {north}"
    first, last = start - timedelta(days=1), end + timedelta(days=1)
    dates = f"--start-datetime {first:%Y-%m-%dT%H:%M:%S} --end-datetime {last:%Y-%m-%dT%H:%M:%S}"
    note = "The sea outside: level, currents, temperature, salinity. Needs copernicusmarine (pip) and an account of https://data.marine.copernicus.eu"
    if start < ANALYSIS_FROM:
        names = " ".join(f"--variable {name}" for name in ("zos", "uo", "vo", "thetao", "so"))
        yield note + "; daily means, without tides", "sea.nc", f"copernicusmarine subset --dataset-id cmems_mod_glo_phy_my_0.083deg_P1D-m {names} {area} {dates} -f sea.nc"
        return
    yield (note + "; hourly level and currents of the surface", "sea.nc",
           f"copernicusmarine subset --dataset-id cmems_mod_glo_phy_anfc_0.083deg_PT1H-m --variable zos --variable uo --variable vo --variable thetao --variable so "
           f"{area} {dates} -f sea.nc")


def rivers(box, start, end):
    west, south, east, north = grown(box, 0.1)
    every = days(start, end)
    request = {"system_version": ["version_4_0"], "hydrological_model": ["lisflood"], "product_type": ["consolidated"],
               "variable": ["river_discharge_in_the_last_24_hours"], "hyear": sorted({f"{day:%Y}" for day in every}),
               "hmonth": sorted({f"{day:%m}" for day in every}), "hday": sorted({f"{day:%d}" for day in every}),
               "area": [north, west, south, east], "data_format": "netcdf", "download_format": "unarchived"}
    yield ("Discharge of rivers, daily, 1/20 degree: GloFAS. Needs cdsapi and an account of https://ewds.climate.copernicus.eu. Give it to /river_maps: {\"name\": \"glofas\", \"file\": "
           "\"glofas.nc\"}", "glofas.nc", store("https://ewds.climate.copernicus.eu/api", "cems-glofas-historical", request, "glofas.nc"))


TIDES = """\
# Tides: no service extracts them, and both atlases require registration. Unpack the download, then name its folder by --tides:
#   TPXO10-atlas-v2   https://www.tpxo.net/global/tpxo10-atlas   (NetCDF: h_*.nc, u_*.nc and the grid file)
#   FES2022           https://www.aviso.altimetry.fr, product Global Tide FES (ocean_tide, eastward and northward velocity)
"""


ALSO = ("emodnet.tif", "glofas.nc")  # in place of another, or for a key of its own: written down, and not run


def wanted(options, start, end):
    """(note, file, command) of what the scenario lacks, first what it cannot do without."""
    lacks = [(bathymetry, not options.bathymetry), (weather, not options.wind), (outside, not options.boundary), (rivers, True)]
    for of, lacking in lacks:
        yield from of(options.bbox, start, end) if lacking else ()


def hindrance(command):
    """Why a request cannot be run here, or nothing."""
    home, has = Path.home(), os.environ.get
    client = command.split()[0]
    if client == "python3":
        if importlib.util.find_spec("cdsapi") is None:
            return "cdsapi is not installed (pip install cdsapi)"
        return "" if (home / ".cdsapirc").exists() or has("CDSAPI_RC") or has("CDSAPI_KEY") else "there is no key in ~/.cdsapirc"
    if not shutil.which(client):
        return f"{client} is not installed ({'apt-get install nco' if client == 'ncks' else f'pip install {client}'})"
    if client == "copernicusmarine" and not (has("COPERNICUSMARINE_SERVICE_USERNAME") or any((home / ".copernicusmarine").glob(".copernicusmarine-credentials*"))):
        return "there is no account: copernicusmarine login"
    return ""


def download(options, start, end):
    """Runs what can be run, beside the scenario, and takes the files that are there then."""
    folder = options.scenario.parent
    folder.mkdir(parents=True, exist_ok=True)
    for note, target, command in wanted(options, start, end):
        path = folder / target
        if target in ALSO:
            continue
        reason = "" if path.exists() else hindrance(command)
        if reason:
            print(f"{target:10} not requested: {reason}")
            continue
        if not path.exists():
            print(f"{target:10} {note}", flush=True)
            code = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL).returncode
            if code or not path.exists():
                path.unlink(missing_ok=True)  # half of one would be taken for a whole one at the next call
                print(f"{target:10} is missing: its client ended with code {code}")
                continue
        if target == "gebco.nc":
            options.bathymetry = [path]
        elif target == "era5.nc":
            options.wind = path
        else:
            options.boundary = path


def script(options, start, end):
    """The text of the script, which ends with the command that makes the scenario out of what came."""
    box = options.bbox
    parts = [f"#!/bin/sh\nset -e\n# Data for {options.scenario.name}: {' '.join(f'{v:g}' for v in box)} (west, south, east, north), "
             f"{start:%Y-%m-%dT%H:%MZ} to {end:%Y-%m-%dT%H:%MZ}.\n# Written by `maeotis new`. Read it, delete what you do not want, and run it: sh {options.requests.name}\n"]
    for note, target, command in wanted(options, start, end):
        body = f"[ -e {target} ] || {command}" if "\n" not in command else f"if [ ! -e {target} ]; then\n{command}\nfi"
        parts.append(f"# {note}.\n" + ("\n".join(f"# {line}" for line in body.splitlines()) if target in ALSO else body) + "\n")
    if not options.tides:
        parts.append(TIDES)
    words = ["./maeotis", "new", str(options.scenario), "--bbox", *(f"{v:g}" for v in box), "--bathymetry",
             *([str(options.bathymetry[0])] if options.bathymetry else ["gebco.nc"]), "--wind", str(options.wind or "era5.nc"),
             "--boundary", str(options.boundary or "sea.nc"), *(["--tides", str(options.tides)] if options.tides else []),
             "--start", f"{start:%Y-%m-%dT%H:%M:%SZ}", "--end", f"{end:%Y-%m-%dT%H:%M:%SZ}", *(["--dx", f"{options.dx:g}"] if options.dx else []),
             *(["--crs", options.crs] if options.crs else [])]
    parts.append("# Then the scenario:\necho 'now: " + " ".join(shlex.quote(word) for word in words).replace("'", "'\\''") + "'\n")
    return "\n".join(parts)
