# SPDX-License-Identifier: Apache-2.0
"""Writes tests/unit/coare_reference.inc: fluxes of 600 conditions by pycoare (PyPI, MIT licence), the Python of COARE's authors.

    python3 -m venv pycoare && pycoare/bin/pip install pycoare==0.4.3
    pycoare/bin/python tests/support/coare_reference.py > tests/unit/coare_reference.inc

Their program takes strongly unstable air for very stable (it looks at z/L before it has mended it for Ri < 0) and then stops after
one round: such conditions are left out."""

import numpy as np
from pycoare import coare_35

WANTED, DRAWN = 600, 640


def drawn():
    """Air from gales over cold water to a breath over warm water, at five heights."""
    random = np.random.default_rng(35)
    heights = lambda *choice: random.choice(np.array(choice, float), DRAWN)
    air = np.round(random.uniform(-10, 35, DRAWN), 2)
    return {"u": np.round(random.uniform(0.5, 30, DRAWN), 2), "t": air, "rh": np.round(random.uniform(30, 100, DRAWN), 1),
            "p": np.round(random.uniform(970, 1040, DRAWN), 1), "ts": np.round(np.clip(air + random.normal(1, 4, DRAWN), -1.5, 33), 2),
            "rs": np.round(np.maximum(0, random.uniform(-400, 900, DRAWN))), "rl": np.round(random.uniform(200, 430, DRAWN)),
            "zu": heights(2, 4, 10, 16, 30), "zt": heights(2, 5, 10, 16), "zq": heights(2, 5, 10, 16)}


def fluxes(weather, skin, rounds):
    """u*, sensible and latent heat out of the water, deficit of the skin, z/L."""
    given = {name: values.copy() for name, values in weather.items()}  # which it changes
    found = coare_35(given.pop("u"), jcool=skin, nits=rounds, **given)
    return np.stack(np.broadcast_arrays(found.velocities.usr, found.fluxes.hsb, found.fluxes.hlb, found.temperatures.dter * skin,
                                        found.stability_parameters.zet), 1)


weather = drawn()
skins = np.arange(DRAWN) % 2
settled, first = (np.where(skins[:, None] == 1, fluxes(weather, 1, rounds), fluxes(weather, 0, rounds)) for rounds in (10, 1))
good = np.flatnonzero(~((settled[:, 4] < 0) & (settled[:, 4] == first[:, 4])))[:WANTED]
print("""/* SPDX-License-Identifier: Apache-2.0
 *
 * COARE 3.5 by pycoare 0.4.3 (PyPI, MIT licence), written by tests/support/coare_reference.py: wind [m s-1], air [deg C], relative
 * humidity [%], pressure [hPa], water [deg C], short and long waves down [W m-2], heights of wind, air, humidity [m], cool skin;
 * u* [m s-1], sensible and latent heat out of the water [W m-2], deficit of the skin [K]. 45 N.
 */""")
for n in good:
    numbers = [f"{weather[name][n]:g}" for name in ("u", "t", "rh", "p", "ts", "rs", "rl", "zu", "zt", "zq")]
    print("{" + ", ".join([*numbers, str(skins[n]), f"{settled[n, 0]:.7f}", *(f"{value:.5f}" for value in settled[n, 1:4])]) + "},")
