/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/matm/matm.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/grid/halo.h"
#include "numerics/grid/sums.h"
#include "numerics/grid/tally.h"
#include "numerics/matm/choice.h"
#include "numerics/matm/columns_alone.h"
#include "numerics/matm/inner.h"
#include "numerics/matm/mixed.h"
#include "numerics/matm/strips.h"
#include <limits.h>
#include <math.h>

/* What an inner solve in single precision is asked for: residuals in it are known to about 1e-7. Where a caller
 * watches, also the first one in double precision; on many grids of one layer sooner, since long steps are abandoned often.
 * Of isotropic cells the solution is so large beside the right-hand side that residuals are known to 1e-4 only. */
static const double PART = 1e-5, PART_ON_MANY = 1e-4, PART_ISOTROPIC = 1e-3;
/* In place the residual is that of x, which shows where single precision ends: so much at once, if it is enough. */
static const double PART_IN_PLACE = 5e-7;
/* Where many grids leave a residual so much larger than the recursion believes, single precision hardly tells
 * the operator from a singular one. */
static const double SINGLE_SHORT = 3;
/* Systems that need more go on in double precision: each restart forgets what conjugate gradients have
 * learnt. */
enum { SINGLE_ITERATIONS = 100 };
/* One layer takes many grids from this number of stiff cells on: cells whose couplings to all neighbours are so
 * much larger than what exceeds the couplings on the diagonal. On one grid iterations grow with the square root
 * of the number of cells that a wave crosses in a step, or of the cells across the sea if these are fewer. */
static const double STIFF = 20;
static const uint64_t MANY_FROM_STIFF = 400;
static const double CLOSE = 10;    /* goals: what rounding leaves of a tolerance is not a failure */
enum { ONE_GRID_ITERATIONS = 64 }; /* where many grids are the alternative */

/* A kind of inner solver; made when it is first needed. */
typedef struct Way {
    Inner *inner;
    bool ready; /* with the last operator */
} Way;

struct Matm {
    const Grid *grid;
    Exec exec;
    MatmOptions options;
    Stencil stencil; /* of the last set-up */
    char *choice;
    bool grids_vary;  /* pivots or many grids, by the operator alone, so that a restart goes on alike */
    bool many;        /* grids, for the last operator */
    bool undecided;   /* whether many */
    Way way[2][2];    /* [many grids][in double precision] */
    double *residual; /* a field */
    Strips *strips;   /* NULL on devices */
    Tally *tally;
    Halo *halo;
};

Status matm_create(const Grid *grid, Exec exec, const MatmOptions *options, Matm **out) {
    CHECK(options->omega == 0 || options->omega > 0, STATUS_BAD_INPUT,
          "matm: omega is %g; it must be above 0", options->omega);
    Matm *m = ALLOCATE(1, Matm);
    m->grid = grid;
    m->exec = exec;
    m->options = *options;
    m->residual = options->flat ? field2_create(grid) : field3_create(grid);
    (options->flat ? field2_fill : field3_fill)(grid, m->residual, 0);
    if (exec.device == DEVICE_CPU) m->strips = strips_create(grid, options->flat);
    tally_create(grid, &m->tally);
    *out = m;
    const Status status = halo_create(grid, options->flat ? 1 : grid->n3, &m->halo);
    if (status != STATUS_OK) matm_destroy(out);
    return status;
}

static const InnerKind *kind_of(const Matm *m, bool careful) {
    if (careful) return &matm_in_double;
    if (m->options.step == MATM_STEP_COLUMNS) return &matm_in_columns;
    return m->options.precision == MATM_PRECISION_MIXED ? &matm_in_mixed : &matm_in_single;
}

/* The way that is tried first. */
static bool starts_careful(const Matm *m) {
    return m->options.precision == MATM_PRECISION_DOUBLE;
}
static Inner *first_of(const Matm *m) {
    return m->way[m->many][starts_careful(m)].inner;
}

void matm_destroy(Matm **matm) {
    Matm *m = *matm;
    if (!m) return;
    for (int n = 0; n < 4; n++)
        if (m->way[n / 2][n % 2].inner) kind_of(m, n % 2)->destroy(&m->way[n / 2][n % 2].inner);
    if (m->options.flat)
        field2_destroy(m->grid, &m->residual);
    else
        field3_destroy(m->grid, &m->residual);
    strips_destroy(&m->strips);
    halo_destroy(&m->halo);
    tally_destroy(&m->tally);
    memory_free(m->choice);
    memory_free(m);
    *matm = NULL;
}

const char *matm_choice(const Matm *m) {
    return m->choice ? m->choice : "nothing yet";
}

double matm_omega(const Matm *m) {
    const Inner *inner = first_of(m);
    return inner ? kind_of(m, starts_careful(m))->omega(inner) : m->options.omega;
}

/* Asks how many cells of the last operator are stiff. Local. */
static void ask_stiff(const Matm *m, uint64_t *all) {
    stencil_stiff_ask(m->exec, m->grid->columns, (StencilStiff){m->stencil, STIFF},
                      tally_ask_counts(m->tally, 1, all));
}

static void decide(Matm *m, uint64_t stiff) {
    m->many = stiff >= MANY_FROM_STIFF;
    m->undecided = false;
}

/* Makes this way solve with the last operator. Collective. */
static Status prepare(Matm *m, bool many, bool careful) {
    Way *way = &m->way[many][careful];
    MatmOptions options = m->options;
    if (m->grids_vary && many) {
        options.grids = MATM_GRIDS_MANY;
        options.diagonal = MATM_D_DIAGONAL;
    }
    if (!way->inner)
        TRY(status_agree(
            m->grid->comm,
            kind_of(m, careful)->create(m->grid, m->exec, &options, m->stencil.east, &way->inner)));
    if (!way->ready) kind_of(m, careful)->setup(way->inner, &m->stencil);
    way->ready = true;
    return STATUS_OK;
}

Status matm_setup(Matm *m, const Stencil *stencil) {
    m->stencil = *stencil;
    if (!m->choice) {
        exec_wait(m->exec); /* the choice is the host's */
        m->choice = matm_choose(m->grid, stencil, &m->options, &m->grids_vary);
    }
    for (int n = 0; n < 4; n++) m->way[n / 2][n % 2].ready = false;
    m->undecided = m->grids_vary; /* until the first sums of a solve */
    if (m->undecided) return STATUS_OK;
    m->many = m->options.grids == MATM_GRIDS_MANY;
    return prepare(m, m->many, starts_careful(m));
}

/* ---- solving ---- */

/* Asks for the square of a field's norm. Local. */
static void ask_square(Matm *m, const double *field, ExactSum *sum) {
    if (m->strips)
        strips_squares(m->strips, field, reduce_begin(m->exec, 1, sum));
    else
        sums_begin(m->exec, m->grid, m->options.flat ? 1 : m->grid->n3, 1, &field, &field, sum);
}

/* Finds the residual of an x with its halo, and asks for the square of its norm. Local. */
static void find_residual(Matm *m, const double *rhs, const double *x, ExactSum *sum) {
    const StencilResidual args = {m->stencil, x, rhs, m->residual};
    if (!m->strips) {
        stencil_residual_any(m->exec, m->grid, args);
        ask_square(m, m->residual, sum);
    } else
        strips_residual(m->strips, m->exec, args, reduce_begin(m->exec, 1, sum));
}

static void exchange(const Matm *m, double *x) {
    if (m->options.flat)
        halo_exchange(m->halo, 1, &x, 0, NULL);
    else
        halo_exchange(m->halo, 0, NULL, 1, &x);
}

/* The norms with which a solve begins, and what is not yet decided. One message. */
typedef struct Beginning {
    double residual, rhs;
    const double *of; /* the residual */
} Beginning;

/* Is x, with its halo, 0 wherever the operator asks for it? On devices not known. */
static bool begins_with_zeros(const Matm *m, const double *x) {
    typedef uint64_t Bits __attribute__((may_alias));
    const uint64_t SIGN = UINT64_C(1) << 63;
    const Grid *g = m->grid;
    const RunList runs = m->options.flat ? g->columns : g->cells;
    if (m->exec.device != DEVICE_CPU) return false;
    for (int n = 0; n < runs.count; n++) {
        const Run run = runs.run[n];
        const Bits *row = (const Bits *)(x + AT(*g, 0, run.j, run.k));
        uint64_t others = 0;
        for (int i = run.i0 - 1; i <= run.i1; i++) others |= row[i - g->row] | row[i] | row[i + g->row];
        if (others & ~SIGN) return false;
    }
    return true;
}

static Beginning begin(Matm *m, const double *rhs, double *x) {
    double of_rhs, of_residual;
    uint64_t stiff = 0;
    exchange(m, x);
    const bool zeros = begins_with_zeros(m, x); /* on this rank */
    ExactSum *own_rhs = tally_ask_sums(m->tally, 1, &of_rhs);
    ExactSum *own_residual = tally_ask_sums(m->tally, 1, &of_residual);
    ask_square(m, rhs, own_rhs);
    if (zeros) {
        results_fetch(m->exec);
        *own_residual = *own_rhs;
    } else
        find_residual(m, rhs, x, own_residual);
    if (m->undecided) ask_stiff(m, &stiff);
    tally_answer(m->tally);
    if (m->undecided) decide(m, stiff);
    return (Beginning){sqrt(of_residual), sqrt(of_rhs), zeros ? rhs : m->residual};
}

static void forget_counts(const MatmWatch *watch) {
    for (int n = 0; watch && watch->counted && n < MATM_COUNTS; n++) watch->counted[n] = MATM_NOT_COUNTED;
}

/* With the watch's counts, if it may be the last. */
static double true_residual(Matm *m, const double *rhs, double *x, const MatmWatch *watch, bool may_end) {
    double of_residual;
    exchange(m, x);
    find_residual(m, rhs, x, tally_ask_sums(m->tally, 1, &of_residual));
    forget_counts(watch);
    if (may_end && watch && watch->count)
        watch->count(watch->context, tally_ask_counts(m->tally, MATM_COUNTS, watch->counted));
    tally_answer(m->tally);
    return sqrt(of_residual);
}

static SolveEnd end_of(const SolveReport *report, double residual, double goal, int max_iterations) {
    if (residual <= goal) return SOLVE_REACHED;
    if (!isfinite(residual)) return SOLVE_BROKE;
    return report->iterations >= max_iterations ? SOLVE_LIMIT : SOLVE_STAGNATED;
}

/* How a solve goes on: on many grids?, in double precision? */
typedef struct Course {
    bool many, careful;
    MatmStep step;
} Course;

/* Does the recursion know the residual as well as x does? */
static bool knows_residual(const Matm *m, const Course *course) {
    return course->careful || m->options.precision == MATM_PRECISION_MIXED;
}

/* What may do better where this has failed; `close`: as near to the goal as rounding allows. False: nothing. */
static bool change_course(const Matm *m, Course *course, bool close) {
    if (close && knows_residual(m, course) && !course->careful) return false;
    if (course->step == MATM_STEP_COLUMNS) {
        course->step = MATM_STEP_CONJUGATE;
        course->careful = true;
    } else if (m->grids_vary && !course->many)
        course->many = true;
    else if (!course->careful)
        course->careful = true;
    else if (course->step == MATM_STEP_IN_PLACE)
        course->step = MATM_STEP_BICGSTAB;
    else
        return false;
    return true;
}

/* Iterations after which another course is better. */
static int patience_of(const Matm *m, const Course *course) {
    if (m->grids_vary && !course->many) return ONE_GRID_ITERATIONS;
    return knows_residual(m, course) ? INT_MAX : SINGLE_ITERATIONS;
}

/* The residual that an inner solve is asked for. */
static double goal_of_part(const Matm *m, const Course *course, bool begins, const MatmWatch *watch,
                           double residual, double goal) {
    const bool shown = begins && watch;
    const bool at_once = course->step == MATM_STEP_IN_PLACE && !shown && goal >= PART_IN_PLACE * residual;
    const bool many = course->many, isotropic = many && m->options.halve_levels;
    const double part = isotropic ? PART_ISOTROPIC : shown && many ? PART_ON_MANY : PART;
    return fmax(0.95 * goal, at_once || (knows_residual(m, course) && !shown) ? 0 : part * residual);
}

Status matm_solve_watched(Matm *m, const double *rhs, double *x, double tolerance, int max_iterations,
                          const MatmWatch *watch, SolveReport *report) {
    *report = (SolveReport){.converged = true, .end = SOLVE_REACHED};
    const Beginning first = begin(m, rhs, x);
    double residual = first.residual, last = INFINITY;
    const double scale = fmax(first.rhs, residual); /* ghosts may drive x where rhs is 0 */
    const double goal = tolerance * scale;
    Course course = {m->many, starts_careful(m), m->options.step};
    InnerSolve solve = {.residual = first.of};
    forget_counts(watch);
    bool slow = false, abandoned = false;
    /* The recursive residual drifts below the true one: begin again from the true one while that helps. */
    while (residual > goal && report->iterations < max_iterations && !abandoned) {
        if ((!(residual < 0.5 * last) || slow) && !change_course(m, &course, residual <= CLOSE * goal)) break;
        TRY(prepare(m, course.many, course.careful));
        const int patience = patience_of(m, &course), left = max_iterations - report->iterations;
        solve.step = course.step;
        last = solve.norm = residual;
        solve.goal = goal_of_part(m, &course, report->iterations == 0, watch, residual, goal);
        solve.max_iterations = left < patience ? left : patience;
        Inner *inner = m->way[course.many][course.careful].inner;
        int iterations = kind_of(m, course.careful)->improve(inner, &solve, x);
        solve.again = true;
        solve.residual = m->residual;
        residual = true_residual(m, rhs, x, watch, solve.goal <= goal);
        if (iterations == MATM_LATE && kind_of(m, course.careful)->finish(inner, x, &iterations))
            residual = true_residual(m, rhs, x, watch, solve.goal <= goal);
        report->iterations += iterations;
        slow = iterations == patience ||
               (course.many && !course.careful && residual > SINGLE_SHORT * solve.goal);
        abandoned = watch && residual > goal && !watch->goes_on(watch->context, residual);
    }
    report->end = abandoned ? SOLVE_ABANDONED : end_of(report, residual, goal, max_iterations);
    report->converged = residual <= CLOSE * goal;
    report->residual = scale > 0 ? residual / scale : residual;
    report->norm = residual;
    return STATUS_OK;
}

Status matm_solve(Matm *m, const double *rhs, double *x, double tolerance, int max_iterations,
                  SolveReport *report) {
    return matm_solve_watched(m, rhs, x, tolerance, max_iterations, NULL, report);
}

void matm_apply_inverse(Matm *m, const double *r, double norm, double *z) {
    exec_wait(m->exec);
    kind_of(m, starts_careful(m))->precondition(first_of(m), r, norm, z);
}
