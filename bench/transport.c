/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/transport.h"

#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "gpu/device.h"
#include "numerics/lines/compact_operator.h"
#include <math.h>

enum { AXES = 3, PAIRS = 2, TURNS = 5, SIZES = 4 };

/* What lines along one axis need. */
typedef struct AxisLines {
    LineLayout *layout;
    LineOperator *first, *first_flux, *second;
    LineTransport *transport;
    double *lines[AXES], *sum; /* the three velocities, in turn the terms */
    double *apart[3];          /* product and derivatives where solutions go one by one; else NULL */
} AxisLines;

struct TransportBox {
    LineBox *box;
    int points;
    bool apart;
    AxisLines axis[AXES];
    double *velocity[AXES], *rate[AXES], *source[AXES]; /* source: (u . grad) u for a = 1 */
    double *begin[AXES], *sum[AXES];                    /* of a step */
    double clock[PAIRS];                                /* seconds spent in moving */
};

/* ---- the exact solution ---- */

typedef struct Point {
    double s[AXES], c[AXES];
} Point;

static double exact_velocity(Point p, int which) {
    const double x = which == 0 ? p.s[0] : p.c[0], y = which == 1 ? p.s[1] : p.c[1],
                 z = which == 2 ? -2 * p.s[2] : p.c[2];
    return x * y * z;
}

static double square(double x) {
    return x * x;
}

/* (u . grad) u for a = 1. */
static double exact_advection(Point p, int which) {
    const double x = square(p.s[0]), y = square(p.s[1]), z = square(p.s[2]);
    if (which == 2) return p.s[2] * p.c[2] * (2 * x * (1 - y) + 2 * (1 - x) * y + 4 * (1 - x) * (1 - y));
    const double other = which == 0 ? y : x;
    return p.s[which] * p.c[which] * ((1 - 2 * other) * (1 - z) + 2 * (1 - other) * z);
}

/* The sine and the cosine of a place along an axis. */
static void place(const TransportBox *t, int axis, int cell, Point *p) {
    const double at = 2 * acos(-1) / t->points * (t->box->first[axis] + cell);
    p->s[axis] = sin(at);
    p->c[axis] = cos(at);
}

static void fill(const TransportBox *t, double (*of)(Point, int), double *const field[AXES]) {
    const LineCells own = t->box->own;
    Point p;
    for (int k = 0; k < own.n3; k++) {
        place(t, 2, k, &p);
        for (int j = 0; j < own.n2; j++) {
            place(t, 1, j, &p);
            for (int i = 0; i < own.n1; i++) {
                place(t, 0, i, &p);
                for (int which = 0; which < AXES; which++) field[which][AT(own, i, j, k)] = of(p, which);
            }
        }
    }
}

/* ---- set-up ---- */

static Status axis_create(TransportBox *t, LineAxis axis, double tolerance) {
    AxisLines *lines = &t->axis[axis];
    const CompactScheme first = {.kind = COMPACT_FIRST, .spacing = 2 * acos(-1) / t->points};
    const LineChoice choice = {.tolerance = tolerance};
    CompactScheme second = first;
    second.kind = COMPACT_SECOND;
    TRY(line_layout_of_box(t->box, axis, &lines->layout));
    TRY(compact_operator_create(lines->layout, &first, NULL, &choice, &lines->first));
    TRY(compact_operator_create(lines->layout, &first, NULL, &choice, &lines->first_flux));
    TRY(compact_operator_create(lines->layout, &second, NULL, &choice, &lines->second));
    const LineTransportOf of = {lines->first, lines->first_flux, lines->second, TRANSPORT_VISCOSITY};
    if (!t->apart) lines->transport = line_transport_create(lines->layout, of);
    for (int c = 0; c < AXES; c++) {
        lines->lines[c] = lines_allocate(lines->layout);
        if (t->apart) lines->apart[c] = lines_allocate(lines->layout);
    }
    lines->sum = lines_allocate(lines->layout);
    return STATUS_OK;
}

Status transport_create(Exec exec, MPI_Comm comm, int points, const int parts[3], double tolerance,
                        bool apart, TransportBox **out) {
    const int cells[AXES] = {points, points, points};
    const bool around[AXES] = {true, true, true};
    TransportBox *t = *out = ALLOCATE(1, TransportBox);
    t->points = points;
    t->apart = apart;
    Status status = line_box_create(exec, comm, cells, parts, around, &t->box);
    for (LineAxis a = LINES_X; a <= LINES_Z && status == STATUS_OK; a++)
        status = axis_create(t, a, tolerance);
    if (status != STATUS_OK) {
        transport_destroy(out);
        return status;
    }
    double **fields[] = {t->velocity, t->rate, t->source, t->begin, t->sum};
    for (int f = 0; f < 5; f++)
        for (int c = 0; c < AXES; c++) fields[f][c] = line_box_field(t->box);
    fill(t, exact_velocity, t->velocity);
    fill(t, exact_advection, t->source);
    return STATUS_OK;
}

void transport_destroy(TransportBox **box) {
    TransportBox *t = *box;
    if (!t) return;
    double **fields[] = {t->velocity, t->rate, t->source, t->begin, t->sum};
    for (int f = 0; f < 5; f++)
        for (int c = 0; c < AXES; c++) memory_free(fields[f][c]);
    for (int a = 0; a < AXES; a++) {
        AxisLines *lines = &t->axis[a];
        for (int c = 0; c < AXES; c++) memory_free(lines->lines[c]), memory_free(lines->apart[c]);
        memory_free(lines->sum);
        line_transport_destroy(&lines->transport);
        line_operator_destroy(&lines->first);
        line_operator_destroy(&lines->first_flux);
        line_operator_destroy(&lines->second);
        line_layout_destroy(&lines->layout);
    }
    line_box_destroy(&t->box);
    memory_free(t);
    *box = NULL;
}

/* ---- the right-hand side ---- */

/* As a program would without `lines_transport`: for comparison, on processors. */
static void one_by_one(AxisLines *lines, const double *w, const double *u) {
    const ptrdiff_t count = lines->layout->size;
    double *product = lines->apart[0], *restrict sum = lines->sum;
    for (ptrdiff_t m = 0; m < count; m++) product[m] = w[m] * u[m];
    lines_solve(lines->first, u, sum);
    lines_solve(lines->first_flux, product, lines->apart[1]);
    for (ptrdiff_t m = 0; m < count; m++) sum[m] = -0.5 * (w[m] * sum[m] + lines->apart[1][m]);
    lines_solve(lines->second, u, lines->apart[2]);
    for (ptrdiff_t m = 0; m < count; m++) sum[m] += TRANSPORT_VISCOSITY * lines->apart[2][m];
}

static double now(const TransportBox *t) {
    exec_wait(t->box->exec);
    return bench_clock(t->box->comm);
}

void transport_evaluate(TransportBox *t) {
    for (int a = 0; a < AXES; a++) {
        AxisLines *lines = &t->axis[a];
        double start = now(t);
        for (int c = 0; c < AXES; c++) lines_from_field(lines->layout, t->velocity[c], lines->lines[c]);
        t->clock[0] += now(t) - start;
        for (int c = 0; c < AXES; c++) {
            if (t->apart)
                one_by_one(lines, lines->lines[a], lines->lines[c]);
            else
                lines_transport(lines->transport, lines->lines[a], lines->lines[c], lines->sum);
            start = now(t);
            if (a == 0)
                lines_to_field(lines->layout, lines->sum, t->rate[c]);
            else
                lines_add_to_field(lines->layout, lines->sum, 1, t->rate[c]);
            t->clock[1] += now(t) - start;
        }
    }
}

/* ---- steps ---- */

/* Velocity = begin + weight (rate + source); sum += share (rate + source). */
static void advance(TransportBox *t, double time, double weight, double share) {
    const ptrdiff_t count = t->box->own.plane * t->box->own.n3;
    const double strength = exp(-6 * TRANSPORT_VISCOSITY * time);
    transport_evaluate(t);
    exec_wait(t->box->exec);
    for (int c = 0; c < AXES; c++)
        for (ptrdiff_t m = 0; m < count; m++) {
            const double rate = t->rate[c][m] + strength * t->source[c][m];
            t->sum[c][m] += share * rate;
            t->velocity[c][m] = t->begin[c][m] + weight * rate;
        }
}

static void step(TransportBox *t, double time, double dt) {
    const ptrdiff_t count = t->box->own.plane * t->box->own.n3;
    for (int c = 0; c < AXES; c++)
        for (ptrdiff_t m = 0; m < count; m++) t->begin[c][m] = t->sum[c][m] = t->velocity[c][m];
    advance(t, time, dt / 2, dt / 6);
    advance(t, time + dt / 2, dt / 2, dt / 3);
    advance(t, time + dt / 2, dt, dt / 3);
    advance(t, time + dt, 0, dt / 6);
    for (int c = 0; c < AXES; c++)
        for (ptrdiff_t m = 0; m < count; m++) t->velocity[c][m] = t->sum[c][m];
}

double transport_error(TransportBox *t, double until, int steps) {
    const LineCells own = t->box->own;
    const double size = exp(-3 * TRANSPORT_VISCOSITY * until);
    fill(t, exact_velocity, t->velocity);
    for (int n = 0; n < steps; n++) step(t, until * n / steps, until / steps);
    double sums[2] = {0, 0};
    fill(t, exact_velocity, t->rate);
    for (int c = 0; c < AXES; c++)
        for (int k = 0; k < own.n3; k++)
            for (int j = 0; j < own.n2; j++)
                for (int i = 0; i < own.n1; i++) {
                    const ptrdiff_t m = AT(own, i, j, k);
                    sums[0] += square(t->velocity[c][m] - size * t->rate[c][m]);
                    sums[1] += square(size * t->rate[c][m]);
                }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, t->box->comm);
    return sqrt(sums[0] / sums[1]);
}

TransportSeconds transport_seconds(TransportBox *t, int turns) {
    TransportSeconds best = {.all = HUGE_VAL};
    for (int turn = 0; turn < turns; turn++) {
        t->clock[0] = t->clock[1] = 0;
        MPI_Barrier(t->box->comm);
        const double start = now(t);
        transport_evaluate(t);
        exec_wait(t->box->exec);
        MPI_Barrier(t->box->comm);
        const double took = now(t) - start;
        if (took < best.all) best = (TransportSeconds){took, t->clock[0], t->clock[1]};
    }
    return best;
}

/* ---- the table ---- */

void transport_parts(int ranks, int parts[3]) {
    for (int a = 0; a < AXES; a++) parts[a] = 0;
    MPI_Dims_create(ranks, AXES, parts);
}

/* Steps so short that the error of time falls as that of space. */
static Status measure_order(MPI_Comm comm, Exec exec, const int parts[3], double tolerance) {
    static const int points[SIZES] = {16, 24, 32, 48};
    double before = 0;
    for (int n = 0; n < SIZES; n++) {
        TransportBox *t;
        TRY(transport_create(exec, comm, points[n], parts, tolerance, false, &t));
        const int steps = (int)lround(5 * pow(points[n] / 16.0, 1.5));
        const double error = transport_error(t, 0.5, steps);
        transport_destroy(&t);
        if (n == 0)
            log_info("  %d^3 points, %2d steps: L2 error %.2e", points[n], steps, error);
        else
            log_info("  %d^3 points, %2d steps: L2 error %.2e, order %.2f", points[n], steps, error,
                     log(before / error) / log((double)points[n] / points[n - 1]));
        before = error;
    }
    return STATUS_OK;
}

static Status measure_speed(MPI_Comm comm, Exec exec, int points, const int parts[3], double tolerance,
                            bool apart, double memory) {
    TransportBox *t;
    TRY(transport_create(exec, comm, points, parts, tolerance, apart, &t));
    const TransportSeconds s = transport_seconds(t, TURNS);
    const double each = s.all / pow(points, 3), bytes = 8.0 * (TRANSPORT_READS + TRANSPORT_WRITES);
    static const char *const names[] = {"-", "Thomas", "DistD2", "N-shaped"};
    const char *method = names[line_operator_method(t->axis[LINES_Z].first)];
    if (exec.device == DEVICE_EMU)
        log_info("  %s: runs", method);
    else
        log_info("  %-8s lines %-10s %6.2f ns a point, of it %2.0f %% to lines, %2.0f %% to fields; %4.2f of "
                 "memory's speed",
                 method, apart ? "one by one" : "together", 1e9 * each, 100 * s.to_lines / s.all,
                 100 * s.to_fields / s.all, bytes / each / memory);
    transport_destroy(&t);
    return STATUS_OK;
}

Status bench_transport(MPI_Comm comm, const char *device) {
    static const double tolerances[] = {0, 1e-12};
    Exec exec;
    int ranks, parts[AXES];
    TRY(exec_create(device, 0, 1, &exec));
    MPI_Comm_size(comm, &ranks);
    transport_parts(ranks, parts);
    const bool cpu = exec.device == DEVICE_CPU, emulated = exec.device == DEVICE_EMU;
    const int points = cpu ? 192 : emulated ? 32 : 512;
    log_info("Momentum transport, parts %d x %d x %d", parts[0], parts[1], parts[2]);
    Status status = measure_order(comm, exec, parts, 1e-12);
    const double memory = emulated ? 1 : bench_stream_of_device(comm, exec);
    if (status == STATUS_OK)
        log_info("  a point moves %d numbers (the paper: 150, on GPUs 171); memory (STREAM) %.1f GB/s; %d^3 "
                 "points:",
                 TRANSPORT_READS + TRANSPORT_WRITES, memory / 1e9, points);
    for (int n = 0; n < 2; n++)
        for (int apart = 0; apart <= (cpu ? 1 : 0) && status == STATUS_OK; apart++)
            status = measure_speed(comm, exec, points, parts, tolerances[n], apart, memory);
    exec_destroy(&exec);
    return status;
}
