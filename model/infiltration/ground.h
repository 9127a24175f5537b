/* SPDX-License-Identifier: Apache-2.0
 *
 * What ground takes in a step of dt from the water on it [m], where F is what it has taken before [m]:
 *
 *     constant       f dt
 *     Horton         F(t + dt) - F,   F(t) = f t + (f0 - f)/k (1 - exp(-k t)),   t: when ponded ground holds F
 *     Green, Ampt    F' - F,   F' - F - S ln((S + F')/(S + F)) = K dt,   S = (psi + H) deficit
 *     curve number   F(P + r) - F,   F(P) = P - max(0, P - Ia)^2/(P - Ia + S),   P: the rain that has left F
 *
 * rates f, f0, K [m s-1], decay k [s-1], suction psi, depth of the water H, rain of the step r, storage S and first loss Ia of
 * the curve number [m]. The capacity of Horton's ground falls with what it has taken, not with time alone: rain that is weaker
 * leaves more for later. The curve number takes rain alone, no water that flows over it.
 *
 * R. E. Horton, Soil Sci. Soc. Am. Proc. 5 (1941) 399-417. W. H. Green, G. A. Ampt, J. Agric. Sci. 4 (1911) 1-24. R. G. Mein,
 * C. L. Larson, Water Resour. Res. 9 (1973) 384-394. USDA, National Engineering Handbook 630, chapter 10 (2004).
 */
#ifndef MAEOTIS_MODEL_GROUND_H
#define MAEOTIS_MODEL_GROUND_H

#include "gpu/elementary.h"
#include "gpu/kernel.h"

/* Newton's iterations at most; 4 to 8 are usual. */
enum { GROUND_ITERATIONS = 40 };

/* F(t) rises ever more slowly: Newton's steps come from the left. */
POINTWISE double horton_takes(double last, double first, double decay, double taken, double dt) {
    const double fast = max_of(0.0, first - last);
    if (!(last + fast > 0) || !(decay > 0)) return (last + fast) * dt;
    double t = taken / (last + fast);
    for (int n = 0; n < GROUND_ITERATIONS; n++) {
        const double gone = -elementary_expm1(-decay * t);
        const double step = (taken - last * t - fast / decay * gone) / (last + fast * (1.0 - gone));
        t += max_of(0.0, step);
        if (!(step > 1e-13 * (t + dt))) break;
    }
    return last * dt + fast / decay * elementary_exp(-decay * t) * -elementary_expm1(-decay * dt);
}

/* x = F' - F: the left side is convex in it, and Newton's steps come from the right, where K dt (S + F)/F lies, and (S + F) y
 * with y^2/2 = (1 + y) K dt/S, for ln(1 + y) <= y - y^2/2/(1 + y). */
POINTWISE double green_ampt_takes(double rate, double suction, double taken, double dt) {
    const double s = max_of(suction, 1e-12), gains = rate * dt, sum = s + taken;
    if (!(gains > 0)) return 0.0;
    const double a = gains / s;
    double x = min_of(sum * (a + sqrt(a * (a + 2.0))), taken > 0 ? gains * sum / taken : 1e300);
    for (int n = 0; n < GROUND_ITERATIONS; n++) {
        const double step = (x - s * elementary_log(1.0 + x / sum) - gains) * (sum + x) / (taken + x);
        x = max_of(gains, x - step);
        if (!(fabs(step) > 1e-13 * x)) break;
    }
    return x;
}

POINTWISE double curve_number_takes(double storage, double first, double taken, double rain) {
    const double beyond = max_of(0.0, taken - first);
    const double before = taken > first ? first + storage * beyond / max_of(storage - beyond, 1e-300) : taken;
    const double after = max_of(0.0, before + rain - first);
    const double left = after > 0 ? after * (after / (after + storage)) : 0.0;
    return max_of(0.0, before + rain - left - taken);
}

#endif
