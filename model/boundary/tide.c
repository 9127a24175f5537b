/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/tide.h"

#include "model/forcing/direction.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Whose series f and u come from; the last three have rules of their own. */
typedef enum Node {
    NODE_NONE,
    NODE_M2,
    NODE_K2,
    NODE_K1,
    NODE_O1,
    NODE_J1,
    NODE_OO1,
    NODE_MF,
    NODE_MM,
    NODE_M2_K2,
    NODE_M2_K1,
    NODE_L2
} Node;

typedef struct NodeSeries {
    double f[4]; /* of cos 0, N, 2N, 3N */
    double u[4]; /* of sin 0, N, 2N, 3N [degrees] */
} NodeSeries;

static const NodeSeries nodes[] = {
    [NODE_NONE] = {{1, 0, 0, 0}, {0, 0, 0, 0}},
    [NODE_M2] = {{1.0004, -0.0373, 0.0002, 0}, {0, -2.14, 0, 0}},
    [NODE_K2] = {{1.0241, 0.2863, 0.0083, -0.0015}, {0, -17.74, 0.68, -0.04}},
    [NODE_K1] = {{1.0060, 0.1150, -0.0088, 0.0006}, {0, -8.86, 0.68, -0.07}},
    [NODE_O1] = {{1.0089, 0.1871, -0.0147, 0.0014}, {0, 10.80, -1.34, 0.19}},
    [NODE_J1] = {{1.0129, 0.1676, -0.0170, 0.0016}, {0, -12.94, 1.34, -0.19}},
    [NODE_OO1] = {{1.1027, 0.6504, 0.0317, -0.0014}, {0, -36.68, 4.02, -0.57}},
    [NODE_MF] = {{1.0429, 0.4135, -0.0040, 0}, {0, -23.74, 2.68, -0.38}},
    [NODE_MM] = {{1.0000, -0.1300, 0.0013, 0}, {0, 0, 0, 0}},
};

typedef struct Constituent {
    const char *name;
    int hour, moon, sun, perigee, solar_perigee; /* how often each angle is in V; hour: the mean moon's */
    double constant;                             /* in V [degrees] */
    Node node;
    int power; /* f to this power, u as many times; negative: u with its sign turned */
} Constituent;

/* In the order of tide_names (settings/scenario.h). */
static const Constituent constituents[] = {
    {"M2", 2, 0, 0, 0, 0, 0, NODE_M2, 1},       {"S2", 2, 2, -2, 0, 0, 0, NODE_NONE, 1},
    {"N2", 2, -1, 0, 1, 0, 0, NODE_M2, 1},      {"K2", 2, 2, 0, 0, 0, 0, NODE_K2, 1},
    {"K1", 1, 1, 0, 0, 0, 90, NODE_K1, 1},      {"O1", 1, -1, 0, 0, 0, 270, NODE_O1, 1},
    {"P1", 1, 1, -2, 0, 0, 270, NODE_NONE, 1},  {"Q1", 1, -2, 0, 1, 0, 270, NODE_O1, 1},
    {"M4", 4, 0, 0, 0, 0, 0, NODE_M2, 2},       {"MS4", 4, 2, -2, 0, 0, 0, NODE_M2, 1},
    {"Mf", 0, 2, 0, 0, 0, 0, NODE_MF, 1},       {"Mm", 0, 1, 0, -1, 0, 0, NODE_MM, 1},
    {"2N2", 2, -2, 0, 2, 0, 0, NODE_M2, 1},     {"mu2", 2, -2, 2, 0, 0, 0, NODE_M2, 1},
    {"nu2", 2, -1, 2, -1, 0, 0, NODE_M2, 1},    {"T2", 2, 2, -3, 0, 1, 0, NODE_NONE, 1},
    {"2Q1", 1, -3, 0, 2, 0, 270, NODE_O1, 1},   {"J1", 1, 2, 0, -1, 0, 90, NODE_J1, 1},
    {"OO1", 1, 3, 0, 0, 0, 90, NODE_OO1, 1},    {"MSf", 0, 2, -2, 0, 0, 0, NODE_M2, -1},
    {"Ssa", 0, 0, 2, 0, 0, 0, NODE_NONE, 1},    {"MN4", 4, -1, 0, 1, 0, 0, NODE_M2, 2},
    {"S4", 4, 4, -4, 0, 0, 0, NODE_NONE, 1},    {"M6", 6, 0, 0, 0, 0, 0, NODE_M2, 3},
    {"2MS6", 6, 2, -2, 0, 0, 0, NODE_M2, 2},    {"M8", 8, 0, 0, 0, 0, 0, NODE_M2, 4},
    {"L2", 2, 1, 0, -1, 0, 180, NODE_L2, 1},    {"lambda2", 2, 1, -2, 1, 0, 180, NODE_M2, 1},
    {"R2", 2, 2, -1, 0, -1, 180, NODE_NONE, 1}, {"eps2", 2, -3, 2, 1, 0, 0, NODE_M2, 1},
    {"MKS2", 2, 0, 2, 0, 0, 0, NODE_M2_K2, 1},  {"MK3", 3, 1, 0, 0, 0, 90, NODE_M2_K1, 1},
    {"N4", 4, -2, 0, 2, 0, 0, NODE_M2, 2},      {"Mtm", 0, 3, 0, -1, 0, 0, NODE_MF, 1},
    {"MSqm", 0, 4, -2, 0, 0, 0, NODE_MF, 1},
};
enum { CONSTITUENTS = sizeof constituents / sizeof *constituents };

static_assert((int)CONSTITUENTS == TIDES, "a scenario names as many");

int tide_find(const char *name) {
    for (int n = 0; n < CONSTITUENTS; n++)
        if (strcmp(constituents[n].name, name) == 0) return n;
    return -1;
}

static const double DEGREES = 57.29577951308232; /* of a radian */
static const double DAY_S = 86400, NOON_OF_2000_S = 946728000, CENTURY_DAYS = 36525;
static const double DYNAMICAL_TIME_S = 66; /* ahead of universal time: within 8 s from 1990 to 2030 */

static double turned(double degrees) {
    return degrees - 360 * floor(degrees / 360);
}

Longitudes tide_longitudes(double seconds) {
    const double days = (seconds + DYNAMICAL_TIME_S - NOON_OF_2000_S) / DAY_S, t = days / CENTURY_DAYS;
    return (Longitudes){
        .moon = turned(218.3164477 + t * (481267.88123421 + t * (-0.0015786 + t / 538841))),
        .sun = turned(280.46646 + t * (36000.76983 + t * 0.0003032)),
        .perigee = turned(83.3532465 + t * (4069.0137287 + t * -0.01032)),
        .node = turned(125.0445479 + t * (-1934.1362891 + t * 0.0020754)),
        .solar_perigee = turned(282.93735 + t * (1.71946 + t * 0.00046)),
    };
}

static double argument(const Constituent *c, double seconds, const Longitudes *at) {
    const double day = seconds / DAY_S, mean_sun = 360 * (day - floor(day));
    const double hour = mean_sun + at->sun - at->moon;
    return turned(c->hour * hour + c->moon * at->moon + c->sun * at->sun + c->perigee * at->perigee +
                  c->solar_perigee * at->solar_perigee + c->constant);
}

/* f cos u and f sin u of L2, which follow the perigee, too (Schureman's formula 215 as a series; D. T. Pugh, Tides,
 * Surges and Mean Sea-Level, 1987, table 4:3). */
static TideMoment node_of_l2(const Longitudes *at) {
    static const struct {
        double perigee, node, part;
    } terms[] = {{2, 0, 0.2505}, {2, -1, 0.1102}, {2, -2, 0.0156}, {0, 1, 0.0370}};
    TideMoment sum = {1, 0};
    for (int n = 0; n < 4; n++) {
        double sine, cosine;
        direction_sincos(terms[n].perigee * at->perigee + terms[n].node * at->node, &sine, &cosine);
        sum.cosine -= terms[n].part * cosine;
        sum.sine -= terms[n].part * sine;
    }
    return sum;
}

static void follow_node(Node node, int times, const Longitudes *at, double *f, double *u) {
    const NodeSeries *series = &nodes[node];
    const int power = times < 0 ? -times : times;
    double once = series->f[0];
    for (int n = 1; n < 4; n++) {
        double sine, cosine;
        direction_sincos(n * at->node, &sine, &cosine);
        once += series->f[n] * cosine;
        *u += times * series->u[n] * sine;
    }
    for (int n = 0; n < power; n++) *f *= once;
}

static void node_of(const Constituent *c, const Longitudes *at, double *f, double *u) {
    *f = 1;
    *u = 0;
    if (c->node == NODE_M2_K2 || c->node == NODE_M2_K1) { /* of compound tides: both */
        follow_node(NODE_M2, 1, at, f, u);
        follow_node(c->node == NODE_M2_K2 ? NODE_K2 : NODE_K1, 1, at, f, u);
    } else
        follow_node(c->node, c->power, at, f, u);
}

double tide_argument(int constituent, double seconds) {
    const Longitudes at = tide_longitudes(seconds);
    return argument(&constituents[constituent], seconds, &at);
}

void tide_node(int constituent, double seconds, double *f, double *u) {
    const Longitudes at = tide_longitudes(seconds);
    const Constituent *c = &constituents[constituent];
    if (c->node != NODE_L2) {
        node_of(c, &at, f, u);
        return;
    }
    const TideMoment l2 = node_of_l2(&at);
    *f = sqrt(l2.cosine * l2.cosine + l2.sine * l2.sine);
    *u = atan2(l2.sine, l2.cosine) * DEGREES;
}

TideMoment tide_at(int constituent, double seconds, bool nodal) {
    const Constituent *c = &constituents[constituent];
    const Longitudes at = tide_longitudes(seconds);
    double f = 1, u = 0, sine, cosine;
    if (nodal && c->node == NODE_L2) {
        const TideMoment l2 = node_of_l2(&at);
        direction_sincos(argument(c, seconds, &at), &sine, &cosine);
        return (TideMoment){l2.cosine * cosine - l2.sine * sine, l2.cosine * sine + l2.sine * cosine};
    }
    if (nodal) node_of(c, &at, &f, &u);
    direction_sincos(argument(c, seconds, &at) + u, &sine, &cosine);
    return (TideMoment){f * cosine, f * sine};
}

double tide_ramp(double time, double length) {
    if (time >= length) return 1;
    const double part = fmax(0, time / length);
    return part * part * (3 - 2 * part);
}

/* The sum of two circles: u + i v = a exp(i w t) + b exp(-i w t). */
double tide_degrees(double radians) {
    const double turned = radians * DEGREES;
    return turned - 360 * floor(turned / 360);
}

void tide_ellipse(const double u[2], const double v[2], double *major, double *minor, double *inclination,
                  double *lag) {
    const double half_turn = 3.141592653589793;
    const double ahead_x = 0.5 * (u[0] + v[1]), ahead_y = 0.5 * (v[0] - u[1]);
    const double back_x = 0.5 * (u[0] - v[1]), back_y = 0.5 * (v[0] + u[1]);
    const double ahead = hypot(ahead_x, ahead_y), back = hypot(back_x, back_y);
    const double turn = atan2(ahead_y, ahead_x), turn_back = atan2(back_y, back_x);
    *major = ahead + back;
    *minor = ahead - back;
    *inclination = 0.5 * (turn + turn_back);
    *lag = 0.5 * (turn_back - turn);
    if (*inclination >= 0 && *inclination < half_turn) return;
    *lag += half_turn;
    *inclination += *inclination < 0 ? half_turn : -half_turn;
}
