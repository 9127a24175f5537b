/* SPDX-License-Identifier: Apache-2.0
 *
 * Wind stress from the wind W 10 m above the sea:
 *
 *     tau / rho_w = (rho_a / rho_w) Cd(|W|) |W| W        [m2 s-2]
 *
 * A wind U given at another height z is taken to 10 m on the logarithmic profile of neutral air,
 *
 *     U = W (1 + sqrt(Cd(W)) / k ln(z/10)),              k von Karman's constant
 *
 * with Cd for neutral air by one of the laws below (|W| in m s-1). Every law stops growing at the cap: beyond
 * some 25-35 m s-1 foam and spray smooth the sea, and measurements find that Cd levels off or falls (Powell,
 * Vickery & Reinhold 2003, Nature 422; Donelan et al. 2004, Geophys. Res. Lett. 31). The stress itself goes
 * on growing as |W|^2.
 *
 *     constant      Cd given
 *     large-pond    1.2e-3 from 4 to 11 m/s, (0.49 + 0.065 |W|) e-3 from 11 to 25 m/s
 *     smith-banke   (0.63 + 0.066 |W|) e-3, 6 to 21 m/s
 *     wu            (0.80 + 0.065 |W|) e-3, breeze to hurricane
 *     garratt       (0.75 + 0.067 |W|) e-3, 4 to 21 m/s
 *     coare35       of the roughness that COARE 3.5 has (coare_roughness.h), for air of 20 deg C
 *     azov          0.0088 below 6.6 m/s, 0.0026 from 6.6 m/s on
 *
 * Large & Pond 1981, J. Phys. Oceanogr. 11, 324-336; Smith & Banke 1975, Q. J. R. Meteorol. Soc. 101,
 * 665-673; Wu 1982, J. Geophys. Res. 87, 9704-9706; Garratt 1977, Mon. Weather Rev. 105, 915-929; the papers
 * on the Azov model for the last.
 *
 * The branches of Large & Pond do not quite meet (1.2 and 1.205): the larger of the two is used, so that Cd
 * is continuous; 1.2e-3 also below 4 m/s, where the stress is small.
 *
 * The upper branch of the Azov law is plausible (Large & Pond reach 0.0026 at 32 m/s; a short, steep sea is
 * rougher). The lower is not: it is seven times what is measured, and the stress would *fall* from 0.47 to
 * 0.14 Pa as the wind grows through 6.6 m/s. Old two-branch laws had 0.8e-3 below and 2.6e-3 above the same
 * critical wind, so that a zero probably went missing in print. It is kept to the letter, so that those
 * results can be repeated; forcing_create warns when it is used.
 *
 * Only + - * / and sqrt, which every processor rounds alike: the same bits everywhere.
 */
#ifndef MAEOTIS_MODEL_WIND_DRAG_H
#define MAEOTIS_MODEL_WIND_DRAG_H

#include "gpu/kernel.h"
#include "model/forcing/coare_roughness.h"
#include "settings/scenario.h"

#define AZOV_CRITICAL_WIND 6.6 /* [m s-1] */

typedef struct WindStress {
    WindDrag law;
    double coefficient;   /* Cd of the constant law */
    double cap;           /* Cd grows no further beyond [m s-1] */
    double density_ratio; /* of air over water */
    double log_height;    /* ln(z/10) of the height at which the wind is given */
} WindStress;

/* Cd at the wind speed [m s-1]. */
POINTWISE double wind_drag_coefficient(WindStress s, double speed) {
    double w = speed < s.cap ? speed : s.cap;
    switch (s.law) {
    case WIND_DRAG_LARGE_POND: {
        double rising = 0.49e-3 + 0.065e-3 * w;
        return rising > 1.2e-3 ? rising : 1.2e-3;
    }
    case WIND_DRAG_SMITH_BANKE:
        return 0.63e-3 + 0.066e-3 * w;
    case WIND_DRAG_WU:
        return 0.8e-3 + 0.065e-3 * w;
    case WIND_DRAG_GARRATT:
        return 0.75e-3 + 0.067e-3 * w;
    case WIND_DRAG_AZOV:
        return w < AZOV_CRITICAL_WIND ? 0.0088 : 0.0026;
    case WIND_DRAG_COARE35:
        return coare_drag(w, STANDARD_GRAVITY, 1.5e-5);
    case WIND_DRAG_CONSTANT:
        break;
    }
    return s.coefficient;
}

/* The wind at 10 m over that at the height where it is given [m s-1]. */
POINTWISE double wind_at_10_m(WindStress s, double speed) {
    double ratio = 1.0;
    if (s.log_height != 0) /* the drag determines the wind at 10 m, and that the drag */
        for (int n = 0; n < 8; n++)
            ratio = 1.0 / (1.0 + sqrt(wind_drag_coefficient(s, ratio * speed)) / KARMAN * s.log_height);
    return ratio;
}

/* Stress over water density per component of the wind as given: (tau_x, tau_y) / rho_w =
 * wind_stress_factor * (u, v) [m s-1]. */
POINTWISE double wind_stress_factor(WindStress s, double u, double v) {
    const double given = sqrt(u * u + v * v), ratio = wind_at_10_m(s, given), speed = ratio * given;
    return s.density_ratio * wind_drag_coefficient(s, speed) * speed * ratio;
}

#endif
