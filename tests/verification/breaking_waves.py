# SPDX-License-Identifier: Apache-2.0
"""Waves that break: k and its dissipation below the surface by the law of diffusion and sink (model/turbulence/breaking.h), for
layers of any thickness, and beside the dissipation that Terray et al. (1996) measured; none without waves."""

import cases
import numpy as np

FRICTION, DEPTH, KAPPA, CMU0_CUBED, N0 = 0.01, 20.0, 0.4, 0.5265**3, 0.106667
OUTPUT = [{"every_s": 86400, "variables": ["tke", "dissipation"]}]


def interfaces(field):
    """Values at the interfaces from the surface down; a file has the means over those around a layer."""
    layers, found = field[-1, ::-1, 1, 3], []
    for mean in layers[:-1]:
        found.append(2 * mean - found[-1] if found else mean)
    return np.array(found)


def below_waves(height, dz, **more):
    waves = {"height_m": height, "peak_period_s": 5, "from_deg": 0, "stokes_drift": False, **more}
    return cases.run("verification/couette", {"/grid/levels": {"bottom_m": -DEPTH, "dz_m": dz}, "/bathymetry/bed_m": -DEPTH, "/forcing/waves": waves,
                                              "/time/duration_s": 86400, "/output": OUTPUT})


C = N0 / CMU0_CUBED
M = np.sqrt(2 / 3 * CMU0_CUBED / (C * KAPPA**2))
for height, dz, layers_of, bounds in ((1.5, 0.25, 8, (0.042, 0.055)), (1.5, 0.5, 4, (0.042, 0.032)), (1.5, 1, 2, (0.034, 0.037)), (1.5, 2, 1, (0.031, 0.054)), (3, 0.5, 4, (0.023, 0.022))):
    fields = below_waves(height, dz).fields()
    k, eps = interfaces(fields["tke"])[:layers_of], interfaces(fields["dissipation"])[:layers_of]
    z = dz * (1 + np.arange(layers_of))
    zeta, flux = z + height / 2, 100 * FRICTION**3
    law = FRICTION**3 / CMU0_CUBED + flux / (C * KAPPA * M) * (zeta / (height / 2)) ** (-1.5 * M)
    what = f"waves of {height} m, layers of {dz} m, 2 m down"
    cases.below(f"{what}: k beside the law", np.max(np.abs(k / law ** (2 / 3) - 1)), bounds[0])
    cases.below(f"{what}: dissipation beside the law", np.max(np.abs(eps / (CMU0_CUBED * law / (KAPPA * zeta)) - 1)), bounds[1])
    measured = np.where(z < 0.6 * height, 0.3 / 0.6**2, 0.3 * (height / z) ** 2) * flux / height
    cases.between(f"{what}: dissipation over Terray's, least", np.min(eps / measured), 0.5, 1.1)
    cases.between(f"{what}: dissipation over Terray's, most", np.max(eps / measured), 0.7, 1.8)

smooth = {"surface_roughness": 0}
cases.equal("nothing breaks over a smooth surface", below_waves(1.5, 1, **smooth).digest, below_waves(1.5, 1, **smooth, breaking_flux=0).digest)
cases.equal("nothing breaks without a height", below_waves(0, 1).digest, below_waves(0, 1, breaking_flux=0).digest)
still = interfaces(below_waves(1.5, 1, breaking_flux=0).fields()["tke"])
cases.close("without breaking: k at the uppermost interface, of u*^2", still[0] / FRICTION**2, CMU0_CUBED ** (-2 / 3), 0.01)
cases.finish()
