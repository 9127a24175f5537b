/* SPDX-License-Identifier: Apache-2.0 */
#include "model/structures/culvert.h"

#include "model/structures/weir.h"
#include <math.h>

double culvert_discharge(const ScenarioStructure *c, const double invert[2], double length, double high,
                         double low, double gravity) {
    const double sill = fmax(invert[0], invert[1]), width = c->culvert_m[0], crown = c->culvert_m[1];
    const double h1 = high - sill, h2 = fmax(0, low - sill), critical = 2.0 / 3.0 * h1;
    if (!(h1 > 0)) return 0;
    const double jet =
        critical < crown ? critical : crown * (0.611 + 0.389 * ramp(crown / h1, 0.5, 2.0 / 3.0));
    const double inlet = width * jet * sqrt(2 * gravity * (h1 - jet));
    const double y = fmin(crown, fmax(h2, critical)), perimeter = y < crown ? width + 2 * y : 2 * (width + y);
    const double friction =
        2 * gravity * c->culvert_n * c->culvert_n * length / pow(width * y / perimeter, 4.0 / 3.0);
    const double drop = fmax(0, h1 - fmax(h2, y));
    const double barrel = width * y * sqrt(2 * gravity * drop / (1 + c->inlet_loss + friction));
    return c->barrels * fmin(inlet, barrel);
}
