/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all keys of a scenario; parts of it stand in scenario_table_*.c. Rows with the same beginning
 * of their path stand together: they are written in this order.
 */
#include "settings/table_rows.h"

#define OWNER Scenario
static const Field head_fields[] = {
    {"/$schema", &anything_kind, .doc = "Where the JSON Schema is, for editors"},
    {"/title", &text_kind, TO(title), .doc = "One line that says what this is; goes into the output"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};

static const Field initial_fields[] = {
    {"/initial/eta_m", &value_kind, TO(initial.eta_m), .flags = HAS_DEFAULT | TAKES_FILE, RANGE(-12000, 100),
     .variables = "xy", .unit = "m", .doc = "Level at the start"},
    {"/initial/u_m_s", &value_kind, TO(initial.u_m_s), .flags = HAS_DEFAULT | TAKES_FILE, RANGE(-20, 20),
     .variables = "xyz", .unit = "m/s", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Eastward velocity at the start; z is the height of a layer's middle above the datum"},
    {"/initial/v_m_s", &value_kind, TO(initial.v_m_s), .flags = HAS_DEFAULT | TAKES_FILE, RANGE(-20, 20),
     .variables = "xyz", .unit = "m/s", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Northward velocity at the start; z is the height of a layer's middle above the datum"},
    {"/initial/temperature_C", &value_kind, TO(initial.temperature_C), .flags = TAKES_FILE, TEMPERATURE,
     .variables = "xyz", .doc = "Temperature at the start; without it the model has none"},
    {"/initial/salinity", &value_kind, TO(initial.salinity), .flags = TAKES_FILE, SALINITY,
     .variables = "xyz", .doc = "Salinity at the start; without it the model has none"},
    {"/tracers", &records_kind, TO(tracers), COUNT(n_tracers), .record = &tracer_record,
     .doc = "What else is in the water"},
};

static const Field last_fields[] = {
    {"/rivers", &records_kind, TO(rivers), COUNT(n_rivers), .record = &river_record, .doc = "Rivers"},
    {"/boundaries", &records_kind, TO(boundaries), COUNT(n_boundaries), .record = &boundary_record,
     .doc = "Open boundaries; what is not open is a wall"},

    {"/solver/surface/method", &choice_kind, TO(solver.surface_method), .flags = HAS_DEFAULT,
     .initial_text = "matm", CHOICES("matm", "cg"),
     .doc = "Solver of the free surface: matm, alternately triangular; cg: conjugate gradients with the "
            "diagonal"},
    {"/solver/surface/precision", &choice_kind, TO(solver.surface_precision), .flags = HAS_DEFAULT,
     .initial_text = "auto", CHOICES("auto", "double", "single"), .with = "/solver/surface/method=matm",
     .doc = "Of the numbers that corrections are computed with; residuals and the solution are double, "
            "whatever it is"},
    {"/solver/surface/tolerance", &number_kind, TO(solver.surface_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-10), RANGE(0, 0.1),
     .doc = "Relative residual at which the solver of the free surface stops"},
    {"/solver/surface/max_iterations", &integer_kind, TO(solver.surface_max_iterations), .flags = HAS_DEFAULT,
     DEFAULT(2000), RANGE(1, 1000000), .doc = "Iterations after which it gives up"},
    {"/solver/momentum/precision", &choice_kind, TO(solver.momentum_precision), .flags = HAS_DEFAULT,
     .initial_text = "auto", CHOICES("auto", "double", "single"), .with = "/physics/momentum/scheme=matm",
     .doc = "Of the numbers that corrections are computed with; residuals and the solution are double, "
            "whatever it is"},
    {"/solver/momentum/tolerance", &number_kind, TO(solver.momentum_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-8), RANGE(0, 0.1), .with = "/physics/momentum/scheme=matm",
     .doc = "Relative residual at which the solver of the implicit momentum equations stops"},
    {"/solver/momentum/max_iterations", &integer_kind, TO(solver.momentum_max_iterations),
     .flags = HAS_DEFAULT, DEFAULT(1000), RANGE(1, 1000000), .with = "/physics/momentum/scheme=matm",
     .doc = "Iterations after which it gives up"},
    {"/solver/pressure/tolerance", &number_kind, TO(solver.pressure_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-7), RANGE(0, 0.1),
     .with = "/physics/pressure=nonhydrostatic",
     .doc = "Relative residual at which the solver of the non-hydrostatic pressure stops"},
    {"/solver/pressure/max_iterations", &integer_kind, TO(solver.pressure_max_iterations),
     .flags = HAS_DEFAULT, DEFAULT(1000), RANGE(1, 1000000), .with = "/physics/pressure=nonhydrostatic",
     .doc = "Iterations after which it gives up"},
    {"/solver/tracers/tolerance", &number_kind, TO(solver.tracers_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-10), RANGE(0, 0.1), .with = "/physics/tracers/scheme=matm",
     .doc = "Relative residual at which the solver of the implicit transport of tracers stops; what there is "
            "of each is kept whatever it is, but bounds no better than this"},
    {"/solver/tracers/max_iterations", &integer_kind, TO(solver.tracers_max_iterations), .flags = HAS_DEFAULT,
     DEFAULT(2000), RANGE(1, 1000000), .with = "/physics/tracers/scheme=matm",
     .doc = "Iterations after which it gives up"},
    {"/solver/ranks", &fixed_integers_kind, TO(solver.ranks_x), RANGE(0, 1000000), .length = 2,
     .doc = "Processes along x and y; [0, 0]: chosen"},
    {"/solver/device", &choice_text_kind, TO(solver.device), .flags = HAS_DEFAULT, .initial_text = "cpu",
     CHOICES("cpu", "gpu", "auto", "emu"),
     .doc =
         "cpu; gpu; auto: GPUs for as many ranks of a node as it has; emu: an emulated GPU that shuffles the "
         "order of work to find races"},

    {"/output", &records_kind, TO(outputs), COUNT(n_outputs), .record = &output_record,
     .doc = "Files that are written: fields, stations, extremes"},
    {"/restart/every_s", &number_kind, TO(restart.every_s), .flags = HAS_DEFAULT, RANGE(0, 1e10), .unit = "s",
     .doc = "Time between two restart files; 0: only on request"},
    {"/restart/keep", &integer_kind, TO(restart.keep), .flags = HAS_DEFAULT, DEFAULT(2), RANGE(1, 10000),
     .doc = "How many restart files are kept"},
    {"/restart/at_end", &boolean_kind, TO(restart.at_end), .doc = "Write one at the end of the run"},
    {"/output_folder", &text_kind, TO(output_folder),
     .doc = "Folder for all files, below the current one; \"results/\" and the scenario's name if left out"},
};

static const Fields head = ROWS(head_fields), initial = ROWS(initial_fields), last = ROWS(last_fields);
const Record scenario_record = {
    (const Fields *const[]){&head, &rows_of_grid, &rows_of_physics, &initial, &rows_of_forcing, &last, NULL},
    sizeof(Scenario), 0, "the scenario"};
