# SPDX-License-Identifier: Apache-2.0
"""Wind and pressure around a centre. With d = (R/r)^B, R the radius of the strongest wind, D the pressure's drop:

    p(r) = p_c + D exp(-d)
    Holland 1980   V^2 + f r V = (B D/rho) d exp(-d)                gradient wind, 0.9 of it at the surface
    Holland 2010   V = V_max (d exp(1 - d))^x                       at the surface; x = 1/2 within R, beyond it linear in r
                                                                    to what the observed radii of 17, 26, 33 m/s ask for
B from the strongest wind and the drop. The storm's own motion is taken off the strongest wind, half of it, and added again in the
proportion V/V_max (GeoClaw does the same with all of it). The wind turns inwards by 10 degrees within R, up to 25 from 1.2 R on. Means over
one minute become means over ten (0.93; B. Harper, J. Kepert, J. Ginger 2010, for the open sea)."""

import numpy as np

AIR = 1.15  # [kg m-3]
TO_SURFACE, TEN_MINUTES, OWN_MOTION = 0.9, 0.93, 0.5
LEAST_B, MOST_B = 0.8, 2.5
OMEGA = 7.2921e-5


def shape(strongest, drop):
    """B, by which the gradient wind of the drop [Pa] is the strongest [m/s]."""
    return float(np.clip(AIR * np.e * strongest**2 / drop, LEAST_B, MOST_B))


def pressure(r, centre, drop, radius, b):
    """[Pa] at distances r [m]."""
    return centre + drop * np.exp(-(radius / np.maximum(r, 1.0)) ** b)


def holland_1980(r, drop, radius, b, f):
    d = (radius / np.maximum(r, 1.0)) ** b
    turn = 0.5 * r * abs(f)
    return np.sqrt(b * drop / AIR * d * np.exp(-d) + turn**2) - turn


def exponent(wind, at, strongest, radius, b):
    """x, by which the wind at a distance is the one observed."""
    d = (radius / at) ** b
    return np.log(wind / strongest) / np.log(d * np.exp(1 - d))


def holland_2010(r, strongest, radius, b, outer=None):
    """`outer`: (distance [m], x there), which may be maps; None: 1/2 everywhere."""
    d = (radius / np.maximum(r, 1.0)) ** b
    x = 0.5
    if outer is not None:
        at, there = outer
        x = np.where(r <= radius, 0.5, 0.5 + (there - 0.5) * np.clip((r - radius) / np.maximum(at - radius, 1.0), 0, 1))
    return strongest * (d * np.exp(1 - d)) ** x


def inflow(r, radius):
    """[rad]"""
    return np.radians(np.interp(r / radius, [0, 1, 1.2], [10, 10, 25]))


def guessed_radius(strongest, lat):
    """H. Willoughby, M. Rahn (Mon. Wea. Rev. 132 (2004) 3033). [km]"""
    return 46.4 * np.exp(-0.0155 * strongest + 0.0169 * abs(lat))


def coriolis(lat):
    return 2 * OMEGA * np.sin(np.radians(lat))
