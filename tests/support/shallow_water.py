# SPDX-License-Identifier: Apache-2.0
"""A plain finite-volume scheme for the shallow-water equations along a line: a reference for fronts on dry ground.

Nothing in it is shared with the program: cell means of depth and discharge, slopes by minmod, fluxes of A. Harten, P. Lax and
B. van Leer, SIAM Review 25 (1983) 35-61, hydrostatic reconstruction of E. Audusse et al., SIAM J. Sci. Comput. 25 (2004)
2050-2065, Heun's method in time, walls at both ends.
"""

import numpy as np

GRAVITY, DRY = 9.81, 1e-9


def _slopes(field):
    back, forth = field[1:-1] - field[:-2], field[2:] - field[1:-1]
    return np.where(back * forth > 0, np.where(np.abs(back) < np.abs(forth), back, forth), 0.0)


def _velocity(depth, discharge):
    return np.where(depth > DRY, discharge / np.maximum(depth, DRY), 0.0)


def _fluxes(h_left, u_left, h_right, u_right):
    """Of mass and momentum through faces, between the states on both sides."""
    c_left, c_right = np.sqrt(GRAVITY * h_left), np.sqrt(GRAVITY * h_right)
    middle, celerity = 0.5 * (u_left + u_right) + c_left - c_right, 0.5 * (c_left + c_right) + 0.25 * (u_left - u_right)
    slowest = np.where(h_left > 0, np.minimum(u_left - c_left, middle - np.abs(celerity)), u_right - 2 * c_right)
    fastest = np.where(h_right > 0, np.maximum(u_right + c_right, middle + np.abs(celerity)), u_left + 2 * c_left)
    slowest = np.where(h_right > 0, slowest, u_left - c_left)
    fastest = np.where(h_left > 0, fastest, u_right + c_right)
    width = np.maximum(fastest - slowest, 1e-14)
    result = []
    for left, right, state_left, state_right in (
            (h_left * u_left, h_right * u_right, h_left, h_right),
            (h_left * u_left**2 + GRAVITY / 2 * h_left**2, h_right * u_right**2 + GRAVITY / 2 * h_right**2, h_left * u_left, h_right * u_right)):
        mean = (fastest * left - slowest * right + slowest * fastest * (state_right - state_left)) / width
        result.append(np.where(slowest >= 0, left, np.where(fastest <= 0, right, mean)))
    return result


def _tendencies(depth, discharge, bed, dx):
    def extend(field, sign=1):
        return np.concatenate([sign * field[1::-1], field, sign * field[:-3:-1]])

    h, u, level = extend(depth), _velocity(extend(depth), extend(discharge, -1)), extend(depth + bed)
    half = [0.5 * _slopes(field) for field in (h, u, level)]
    behind, ahead = ([field[1:-1] + sign * part for field, part in zip((h, u, level), half)] for sign in (-1, 1))
    sill = np.maximum(ahead[2][:-1] - ahead[0][:-1], behind[2][1:] - behind[0][1:])
    left, right = np.maximum(0, ahead[2][:-1] - sill), np.maximum(0, behind[2][1:] - sill)
    mass, momentum = _fluxes(left, ahead[1][:-1], right, behind[1][1:])
    east, west = ahead[0][1:-1], behind[0][1:-1]
    leaving = momentum[1:] + GRAVITY / 2 * (east**2 - left[1:] ** 2)
    coming = momentum[:-1] + GRAVITY / 2 * (west**2 - right[:-1] ** 2)
    rise = (ahead[2] - ahead[0] - behind[2] + behind[0])[1:-1]
    return -(mass[1:] - mass[:-1]) / dx, -(leaving - coming + GRAVITY / 2 * (east + west) * rise) / dx


def run(depth, velocity, bed, dx, duration, courant=0.4):
    """Yields depths and velocities after every step."""
    h, q, time = np.array(depth, float), depth * velocity, 0.0
    while time < duration - 1e-12:
        fastest = np.max(np.abs(_velocity(h, q)) + np.sqrt(GRAVITY * h))
        dt = min(courant * dx / fastest, duration - time)
        growth, push = _tendencies(h, q, bed, dx)
        h1 = np.maximum(0, h + dt * growth)
        q1 = np.where(h1 > DRY, q + dt * push, 0)
        growth, push = _tendencies(h1, q1, bed, dx)
        h = np.maximum(0, 0.5 * (h + h1 + dt * growth))
        q = np.where(h > DRY, 0.5 * (q + q1 + dt * push), 0)
        time += dt
        yield h, _velocity(h, q)
