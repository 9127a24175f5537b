/* SPDX-License-Identifier: Apache-2.0
 *
 * Density of water from temperature and salinity. [kg m-3]
 *
 *     linear    rho_0 (1 - alpha (T - T_0) + beta (S - S_0))
 *     EOS-80    the international equation of state: N. P. Fofonoff, R. C. Millard, "Algorithms for
 *               computation of fundamental properties of seawater", Unesco technical papers in marine
 *               science 44 (1983); T on the scale of 1968 [deg C], S practical, 0 to 42. With the secant bulk
 *               modulus K, rho(S, T, p) = rho(S, T, 0) / (1 - p/K). The water carries its potential
 *               temperature; that at a depth is warmer by the adiabatic lapse rate (H. Bryden 1973, Deep-Sea
 *               Research 20, 401-408), taken to second order in p.
 *     TEOS-10   the polynomial of 55 terms of F. Roquet, G. Madec, T. J. McDougall, P. M. Barker, Ocean
 *               Modelling 90 (2015) 29-43; conservative temperature [deg C], absolute salinity [g/kg],
 *               depth [m]. The part that depends on depth alone (their r_0) is left out: it moves no water.
 *     TEOS-10 of the potential temperature and the practical salinity that observations and most models have:
 *               the same after conversion, absolute salinity S_A = (35.16504 g/kg / 35) S without the anomaly
 *               of the open ocean's composition (up to 0.03 g/kg), conservative temperature from the enthalpy
 *               of the Gibbs function: IOC, SCOR, IAPSO 2010, The international thermodynamic equation of
 *               seawater, Unesco manuals and guides 56
 *
 * Nothing but + - * / and the square root: the same bits everywhere.
 */
#ifndef MAEOTIS_MODEL_EQUATION_OF_STATE_H
#define MAEOTIS_MODEL_EQUATION_OF_STATE_H

#include "gpu/kernel.h"

typedef struct LinearDensity {
    double reference;                 /* rho_0 [kg m-3] */
    double expansion;                 /* alpha [K-1] */
    double contraction;               /* beta [kg g-1] */
    double temperature_0, salinity_0; /* [deg C], [g kg-1] */
} LinearDensity;

POINTWISE double density_linear(LinearDensity c, double temperature, double salinity) {
    return c.reference *
           (1.0 - c.expansion * (temperature - c.temperature_0) + c.contraction * (salinity - c.salinity_0));
}

POINTWISE double density_eos80(double t, double salinity) {
    const double s = max_of(0.0, salinity);
    const double fresh =
        999.842594 +
        t * (6.793952e-2 + t * (-9.095290e-3 + t * (1.001685e-4 + t * (-1.120083e-6 + t * 6.536332e-9))));
    const double first = 8.24493e-1 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)));
    const double root = -5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6);
    return fresh + s * (first + root * sqrt(s) + 4.8314e-4 * s);
}

/* Secant bulk modulus [bar]; temperature in situ [deg C], pressure [bar] */
POINTWISE double eos80_bulk_modulus(double t, double salinity, double pressure) {
    const double s = max_of(0.0, salinity), root = sqrt(s);
    const double fresh = 19652.21 + t * (148.4206 + t * (-2.327105 + t * (1.360477e-2 - t * 5.155288e-5)));
    const double fresh_a = 3.239908 + t * (1.43713e-3 + t * (1.16092e-4 - t * 5.77905e-7));
    const double fresh_b = 8.50935e-5 + t * (-6.12293e-6 + t * 5.2787e-8);
    const double first = 54.6746 + t * (-0.603459 + t * (1.09987e-2 - t * 6.1670e-5));
    const double rooted = 7.944e-2 + t * (1.6483e-2 - t * 5.3009e-4);
    const double a = fresh_a + s * (2.2838e-3 + t * (-1.0981e-5 - t * 1.6078e-6) + 1.91075e-4 * root);
    const double b = fresh_b + s * (-9.9348e-7 + t * (2.0816e-8 + t * 9.1697e-10));
    return fresh + s * (first + rooted * root) + pressure * (a + pressure * b);
}

/* By which water that is compressed warms [K dbar-1]; temperature in situ [deg C], pressure [dbar] */
POINTWISE double eos80_lapse(double t, double salinity, double pressure) {
    const double s = max_of(0.0, salinity) - 35.0;
    const double surface =
        3.5803e-5 + t * (8.5258e-6 + t * (-6.836e-8 + t * 6.6228e-10)) + s * (1.8932e-6 - t * 4.2393e-8);
    const double first =
        1.8741e-8 + t * (-6.7795e-10 + t * (8.733e-12 - t * 5.4481e-14)) + s * (-1.1351e-10 + t * 2.7759e-12);
    const double second = -4.6206e-13 + t * (1.8676e-14 - t * 2.1687e-16);
    return surface + pressure * (first + pressure * second);
}

/* In situ, of water with the potential temperature [deg C] under a pressure [dbar]. */
POINTWISE double eos80_temperature(double potential, double salinity, double pressure) {
    const double half = 0.5 * pressure;
    const double middle = potential + half * eos80_lapse(potential, salinity, 0.0);
    return potential + pressure * eos80_lapse(middle, salinity, half);
}

/* At the pressure [dbar], of water with this potential temperature. */
POINTWISE double density_eos80_at(double potential, double salinity, double pressure) {
    const double t = eos80_temperature(potential, salinity, pressure), bar = 0.1 * pressure;
    return density_eos80(t, salinity) / (1.0 - bar / eos80_bulk_modulus(t, salinity, bar));
}

/* Powers of depth: the coefficient of z^0 ... z^3, each a polynomial in temperature t and root salinity s,
 * both without dimension. */
POINTWISE double teos10_z0(double t, double s) {
    const double t0 =
        8.0189615746e+02 +
        s * (8.6672408165e+02 +
             s * (-1.7864682637e+03 +
                  s * (2.0375295546e+03 +
                       s * (-1.2849161071e+03 + s * (4.3227585684e+02 - s * 6.0579916612e+01)))));
    const double t1 = 2.6010145068e+01 +
                      s * (-6.5281885265e+01 +
                           s * (8.1770425108e+01 +
                                s * (-5.6888046321e+01 + s * (1.7681814114e+01 - s * 1.9193502195e+00))));
    const double t2 =
        -3.7074170417e+01 +
        s * (6.1548258127e+01 + s * (-6.0362551501e+01 + s * (2.9130021253e+01 - s * 5.4723692739e+00)));
    const double t3 =
        2.1661789529e+01 + s * (-3.3449108469e+01 + s * (1.9717078466e+01 - s * 3.1742946532e+00));
    const double t4 = -8.3627885467e+00 + s * (1.1311538584e+01 - s * 5.3563304045e+00);
    const double t5 = 5.4048723791e-01 + s * 4.8169980163e-01;
    return t0 + t * (t1 + t * (t2 + t * (t3 + t * (t4 + t * (t5 - t * 1.9083568888e-01)))));
}

POINTWISE double teos10_z1(double t, double s) {
    const double t0 =
        1.9681925209e+01 +
        s * (-4.2549998214e+01 + s * (5.0774768218e+01 + s * (-3.0938076334e+01 + s * 6.6051753097e+00)));
    const double t1 =
        -1.3336301113e+01 + s * (-4.4870114575e+00 + s * (5.0042598061e+00 - s * 6.5399043664e-01));
    const double t2 = 6.7080479603e+00 + s * (3.5063081279e+00 - s * 1.8795372996e+00);
    const double t3 = -2.4649669534e+00 - s * 5.5077101279e-01;
    return t0 + t * (t1 + t * (t2 + t * (t3 + t * 5.5927935970e-01)));
}

/* t and s of the polynomials. */
POINTWISE double teos10_t(double temperature) {
    return temperature / 40.0;
}
POINTWISE double teos10_s(double salinity) {
    return sqrt((max_of(0.0, salinity) + 32.0) / (40.0 * 35.16504 / 35.0));
}

POINTWISE double density_teos10_at_surface(double temperature, double salinity) {
    return teos10_z0(teos10_t(temperature), teos10_s(salinity));
}

POINTWISE double density_teos10(double temperature, double salinity, double depth) {
    const double t = teos10_t(temperature), s = teos10_s(salinity), z = depth / 1e4;
    const double z2 = 2.0660924175e+00 + s * (-4.9527603989e+00 + s * 2.5019633244e+00) +
                      t * (2.0564311499e+00 - s * 2.1311365518e-01 - t * 1.2419983026e+00);
    const double z3 = -2.3342758797e-02 - s * 1.8507636718e-02 + t * 3.7969820455e-01;
    return teos10_z0(t, s) + z * (teos10_z1(t, s) + z * (z2 + z * z3));
}

/* [g kg-1]; practical salinity */
POINTWISE double teos10_salinity(double practical) {
    return 35.16504 / 35.0 * practical;
}

/* Its inverse. */
POINTWISE double teos10_practical_salinity(double absolute) {
    return 35.0 / 35.16504 * absolute;
}

/* Conservative temperature: potential enthalpy over a fixed heat capacity; absolute salinity [g kg-1] */
POINTWISE double teos10_temperature(double potential, double salinity) {
    const double y = 0.025 * potential, s = max_of(0.0, salinity) / (40.0 * 35.16504 / 35.0), x = sqrt(s);
    const double fresh =
        61.01362420681071 +
        y * (168776.46138048015 +
             y * (-2735.2785605119625 +
                  y * (2574.2164453821433 +
                       y * (-1536.6644434977543 +
                            y * (545.7340497931629 + y * (-50.91091728474331 - 18.30489878927802 * y))))));
    const double first =
        268.5520265845071 +
        y * (-12019.028203559312 +
             y * (3734.858026725145 +
                  y * (-2046.7671145057618 +
                       y * (465.28655623826234 + y * (-0.6370820302376359 - 10.650848542359153 * y)))));
    const double third = 937.2099110620707 +
                         y * (588.1802812170108 +
                              y * (248.39476522971285 + y * (-3.871557904936333 - 2.6268019854268356 * y)));
    const double fourth =
        -1687.914374187449 + x * (246.9598888781377 + x * (123.59576582457964 - 48.5891069025409 * x)) +
        y * (936.3206544460336 +
             y * (-942.7827304544439 +
                  y * (369.4389437509002 + y * (-33.83664947895248 - 9.987880382780322 * y))));
    return (fresh + s * (first + x * (third + x * fourth))) / 3991.86795711963;
}

/* The potential temperature; absolute salinity [g kg-1]. */
POINTWISE double teos10_potential(double conservative, double salinity) {
    double potential = conservative;
    for (int n = 0; n < 6; n++) potential += conservative - teos10_temperature(potential, salinity);
    return potential;
}

POINTWISE double density_teos10_practical_at_surface(double potential, double practical) {
    const double salinity = teos10_salinity(practical);
    return density_teos10_at_surface(teos10_temperature(potential, salinity), salinity);
}

POINTWISE double density_teos10_practical(double potential, double practical, double depth) {
    const double salinity = teos10_salinity(practical);
    return density_teos10(teos10_temperature(potential, salinity), salinity, depth);
}

#endif
