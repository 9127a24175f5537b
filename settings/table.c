/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all keys of a scenario; parts of it are in table_*.c. Rows with the same beginning of their
 * path are together, because they are written in this order.
 */
#include "settings/doubt.h"
#include "settings/table_rows.h"

#define VARIANTS CHOICES("auto", "paper", "least-residual")

#define OWNER Scenario
static const Field head_fields[] = {
    {"/$schema", &anything_kind, .doc = "Location of the JSON Schema, for editors"},
    {"/title", &text_kind, TO(title), .doc = "Title of the run, in one line; copied into the output files"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
    {"/about/id", &text_kind, TO(about.id),
     .doc = "Name of the data set, unique within naming_authority; copied into the output files"},
    {"/about/naming_authority", &text_kind, TO(about.naming_authority),
     .doc = "Authority that assigns the id, such as org.example; copied into the output files"},
    {"/about/creator_name", &text_kind, TO(about.creator_name),
     .doc = "Name of the person or group who made the run; copied into the output files"},
    {"/about/creator_email", &text_kind, TO(about.creator_email),
     .doc = "E-mail address of the creator; copied into the output files"},
    {"/about/creator_url", &text_kind, TO(about.creator_url),
     .doc = "Web address of the creator; copied into the output files"},
    {"/about/institution", &text_kind, TO(about.institution),
     .doc = "Institution at which the run was made; copied into the output files"},
    {"/about/project", &text_kind, TO(about.project),
     .doc = "Project to which the run belongs; copied into the output files"},
    {"/about/license", &text_kind, TO(about.license),
     .doc = "Terms of use of the results, such as CC-BY-4.0; copied into the output files"},
    {"/about/acknowledgement", &text_kind, TO(about.acknowledgement),
     .doc = "Funding and support; copied into the output files"},
    {"/about/references", &text_kind, TO(about.references),
     .doc = "Publications or web pages that describe the data; copied into the output files"},
    {"/constants", &constants_kind, .doc = "Named numbers for formulas, {\"name\": value}"},
    {"/allow", &names_kind, TO(allow), COUNT(n_allow), .choices = doubt_names,
     .doc = "Kinds of doubtful input that cause a warning instead of a refusal. values: outside the range "
            "ever observed; gaps: missing records; accumulation: sums over an unknown period; units: a file "
            "without units; scales: levels and speeds beyond the scales of the sea; twice: rivers of a map "
            "where another source has one, too"},
};

static const Field initial_fields[] = {
    {"/initial/eta_m", &value_kind, TO(initial.eta_m), .flags = HAS_DEFAULT | TAKES_FILE, RANGE(-12000, 100),
     .variables = "xy", .unit = "m", .doc = "Initial water level"},
    {"/initial/u_m_s", &value_kind, TO(initial.u_m_s), .flags = HAS_DEFAULT | TAKES_FILE, RANGE(-20, 20),
     .variables = "xyz", .unit = "m/s", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Initial eastward velocity; z is the height of the layer's middle above the datum"},
    {"/initial/v_m_s", &value_kind, TO(initial.v_m_s), .flags = HAS_DEFAULT | TAKES_FILE, RANGE(-20, 20),
     .variables = "xyz", .unit = "m/s", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Initial northward velocity; z is the height of the layer's middle above the datum"},
    {"/initial/temperature_C", &value_kind, TO(initial.temperature_C), .flags = TAKES_FILE, TEMPERATURE,
     .variables = "xyz",
     .doc = "Initial temperature, as /physics/density/equation takes it; if omitted, temperature is not "
            "computed"},
    {"/initial/salinity", &value_kind, TO(initial.salinity), .flags = TAKES_FILE, SALINITY,
     .variables = "xyz",
     .doc = "Initial salinity, as /physics/density/equation takes it; if omitted, salinity is not computed"},
    {"/tracers", &records_kind, TO(tracers), COUNT(n_own_tracers), .record = &tracer_record,
     .doc = "Further tracers"},
    KINETICS_ROWS,
    {"/kinetics/budgets", &boolean_kind, TO(kinetics.budgets), .with = "/kinetics/module",
     .doc = "Whether fields files contain the gain of each variable since the start by each process of the "
            "module, and by rivers, air and boundaries"},
    {"/events", &records_kind, TO(events), COUNT(n_events), .record = &event_record,
     .doc = "Conditions to monitor: for each, fields files contain the area and the volume of the sea in "
            "which it is met, as series, and NAME_duration can be requested as a variable"},
};

static const Field last_fields[] = {
    {"/rivers", &records_kind, TO(rivers), COUNT(n_rivers), .record = &river_record, .doc = "Rivers"},
    {"/river_maps", &records_kind, TO(river_maps), COUNT(n_river_maps), .record = &river_map_record,
     .doc = "Rivers from gridded files, whose mouths the program finds"},
    {"/nest", &files_kind, TO(nest), .flags = INPUT_ONLY,
     .doc =
         "Fields file of a coarser run around this grid, by maeotis, ROMS, NEMO or CMEMS (formats as for "
         "/boundaries/0/file). Except at walls of the coarser run, all wet edges that no other boundary "
         "opens are open (kind flather) to its level, velocities, temperature, salinity and tracers, cubic "
         "in time and with a relaxation_zone of 8 cells; initial values that /initial and the tracers omit "
         "come from it, too. A boundary named \"nest\" replaces this one and can set its own options"},
    {"/boundaries", &records_kind, TO(boundaries), COUNT(n_boundaries), .record = &boundary_record,
     .doc = "Open boundaries; all other edges are walls"},
    {"/structures", &records_kind, TO(structures), COUNT(n_structures), .record = &structure_record,
     .flags = UNWRITTEN_EMPTY, .doc = "Dams, weirs, levees and gates along lines through the water"},

    {"/nudging", &records_kind, TO(nudging), COUNT(n_nudging), .record = &nudging_record,
     .doc = "Relaxation of temperature, salinity, tracers and velocities towards prescribed values"},

    {"/zoom/box", &fixed_numbers_kind, TO(zoom.box), COUNT(zoom.has_box), .length = 4, .flags = ASCENDING,
     .unit = "degrees or m",
     .doc =
         "Part of the sea that the run computes on a finer grid as well, coupled in both directions: [west, "
         "east, south, north], moved to the nearest edges of cells. What leaves one grid enters the other"},
    {"/zoom/finer", &number_kind, TO(zoom.finer), .flags = EXCLUSIVE | REFUSED_IDLE, RANGE(0, 5),
     .with = "/zoom/box",
     .doc = "Number of finer cells per cell along x and along y, and of finer steps per step: 3 or 5; 3 if "
            "omitted"},
    {"/zoom/bathymetry/file", &file_kind, TO(zoom.file), .flags = REFUSED_IDLE, .with = "/zoom/box",
     .doc = "Depth map of the finer grid; if neither this nor bed_m is given, its depths come from the "
            "scenario's bathymetry, cell by finer cell"},
    {"/zoom/bathymetry/bed_m", &value_kind, TO(zoom.bed_m), .flags = REFUSED_IDLE, RANGE(-12000, 9000),
     .variables = "xy", .unit = "m", .with = "/zoom/box",
     .doc = "Elevation of the bed of the finer grid, instead of a file"},
    {"/zoom/bathymetry/variable", &text_kind, TO(zoom.variable), .flags = REFUSED_IDLE,
     .with = "/zoom/bathymetry/file", .doc = "Name of the variable in the NetCDF file; detected if omitted"},
    {"/zoom/bathymetry/positive", &choice_text_kind, TO(zoom.positive), CHOICES("up", "down"),
     .flags = REFUSED_IDLE, .with = "/zoom/bathymetry/file",
     .doc = "up: the file holds elevations; down: depths; if omitted, as the file's attributes say"},
    {"/zoom/bathymetry/minimum_depth_m", &number_kind, TO(zoom.minimum_depth_m),
     .flags = EXCLUSIVE | REFUSED_IDLE, RANGE(0, 1000), .unit = "m", .with = "/zoom/box",
     .doc = "Sea shallower than this is deepened to it; if omitted, /bathymetry/minimum_depth_m"},
    {"/zoom/output", &records_kind, TO(zoom.outputs), COUNT(zoom.n_outputs), .record = &output_record,
     .flags = UNWRITTEN_EMPTY | REFUSED_IDLE, .with = "/zoom/box",
     .doc = "Output files of the finer grid, in the folder \"zoom\" of the output folder"},

    {"/solver/surface/method", &choice_kind, TO(solver.surface_method), .flags = HAS_DEFAULT,
     .initial_text = "matm", CHOICES_TO(SURFACE_CG, "matm", "cg"),
     .doc = "Solver of the free surface: matm, the modified alternating triangular method; cg: conjugate "
            "gradients with a diagonal preconditioner"},
    {"/solver/surface/variant", &choice_kind, TO(solver.surface_variant), .flags = HAS_DEFAULT,
     .initial_text = "auto", VARIANTS, .with = "/solver/surface/method=matm",
     .doc = "Iteration of matm: auto (conjugate gradients); paper: the adaptive variational "
            "step as published (numerics/matm); least-residual: the step that minimises the residual"},
    {"/solver/surface/precision", &choice_kind, TO(solver.surface_precision), .flags = HAS_DEFAULT,
     .initial_text = "auto", CHOICES_TO(PRECISION_SINGLE, "auto", "double", "single"),
     .with = "/solver/surface/method=matm",
     .doc = "Precision of corrections; residuals and the solution are always double"},
    {"/solver/surface/tolerance", &number_kind, TO(solver.surface_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-10), RANGE(0, 0.1),
     .doc = "Relative residual at which the free-surface solver stops"},
    {"/solver/surface/max_iterations", &integer_kind, TO(solver.surface_max_iterations), .flags = HAS_DEFAULT,
     DEFAULT(2000), RANGE(1, 1000000), .doc = "Largest number of iterations"},
    {"/solver/momentum/variant", &choice_kind, TO(solver.momentum_variant), .flags = HAS_DEFAULT,
     .initial_text = "auto", VARIANTS, .with = "/physics/momentum/scheme=matm",
     .doc = "Iteration of matm: auto (Gauss-Seidel, then BiCGStab); paper: the adaptive variational "
            "step as published (numerics/matm); least-residual: the step that minimises the residual"},
    {"/solver/momentum/precision", &choice_kind, TO(solver.momentum_precision), .flags = HAS_DEFAULT,
     .initial_text = "auto", CHOICES_TO(PRECISION_SINGLE, "auto", "double", "single"),
     .with = "/physics/momentum/scheme=matm",
     .doc = "Precision of corrections; residuals and the solution are always double"},
    {"/solver/momentum/tolerance", &number_kind, TO(solver.momentum_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-8), RANGE(0, 0.1), .with = "/physics/momentum/scheme=matm",
     .doc = "Relative residual at which the solver of implicit momentum stops"},
    {"/solver/momentum/max_iterations", &integer_kind, TO(solver.momentum_max_iterations),
     .flags = HAS_DEFAULT, DEFAULT(1000), RANGE(1, 1000000), .with = "/physics/momentum/scheme=matm",
     .doc = "Largest number of iterations"},
    {"/solver/pressure/variant", &choice_kind, TO(solver.pressure_variant), .flags = HAS_DEFAULT,
     .initial_text = "auto", VARIANTS, .with = "/physics/pressure=nonhydrostatic",
     .doc = "Variant of matm whose sweeps precondition the conjugate gradients of the pressure"},
    {"/solver/pressure/tolerance", &number_kind, TO(solver.pressure_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-5), RANGE(0, 0.1),
     .with = "/physics/pressure=nonhydrostatic",
     .doc = "Relative residual at which the solver of the non-hydrostatic pressure stops"},
    {"/solver/pressure/max_iterations", &integer_kind, TO(solver.pressure_max_iterations),
     .flags = HAS_DEFAULT, DEFAULT(1000), RANGE(1, 1000000), .with = "/physics/pressure=nonhydrostatic",
     .doc = "Largest number of iterations"},
    {"/solver/tracers/variant", &choice_kind, TO(solver.tracers_variant), .flags = HAS_DEFAULT,
     .initial_text = "auto", VARIANTS, .with = "/physics/tracers/scheme=matm",
     .doc = "Iteration of matm: auto (Gauss-Seidel, then BiCGStab); paper: the adaptive variational "
            "step as published (numerics/matm); least-residual: the step that minimises the residual"},
    {"/solver/tracers/tolerance", &number_kind, TO(solver.tracers_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-10), RANGE(0, 0.1), .with = "/physics/tracers/scheme=matm",
     .doc = "Relative residual at which the solver of implicit tracer transport stops; the budget closes at "
            "any tolerance, bounds hold only to this one"},
    {"/solver/tracers/max_iterations", &integer_kind, TO(solver.tracers_max_iterations), .flags = HAS_DEFAULT,
     DEFAULT(20000), RANGE(1, 1000000), .with = "/physics/tracers/scheme=matm",
     .doc = "Largest number of iterations; where water passes thousands of cells in a step, thousands are "
            "needed"},
    {"/solver/momentum/column_blocks", &integer_kind, TO(solver.momentum_column_blocks), .flags = HAS_DEFAULT,
     DEFAULT(0), RANGE(0, 16), .with = "/physics/momentum/scheme!=prescribed",
     .doc =
         "The same as /solver/tracers/column_blocks, for the terms and the vertical viscosity of momentum"},
    {"/solver/tracers/column_blocks", &integer_kind, TO(solver.tracers_column_blocks), .flags = HAS_DEFAULT,
     DEFAULT(0), RANGE(0, 16),
     .doc =
         "Number of blocks into which the implicit mixing down the column cuts columns (N-shaped partition); "
         "threads of a GPU share a column then, which is worthwhile where columns are too few to fill it and "
         "have many "
         "layers: 8 or 16 for 100 to 200. 0: a thread for each column. Results depend on it by round-off"},
    {"/solver/lines/method", &choice_kind, TO(solver.lines_method), .flags = HAS_DEFAULT,
     .initial_text = "exact", CHOICES("exact", "decoupled"),
     .doc = "Tridiagonal lines (viscosity of \"split\", tracer diffusion along the layers, compact6): exact, "
            "the same bits for any number of processes; decoupled: one exchange between neighbours where "
            "lines decouple to the tolerance, else exact; faster on many processes, but the bits depend on "
            "the cuts between processes"},
    {"/solver/lines/tolerance", &number_kind, TO(solver.lines_tolerance), .flags = HAS_DEFAULT,
     DEFAULT(1e-12), RANGE(1e-15, 1e-3), .with = "/solver/lines/method=decoupled",
     .doc = "Error allowed in the solution of decoupled lines, relative to the largest value on them"},
    {"/solver/lines/blocks", &integer_kind, TO(solver.lines_blocks), .flags = HAS_DEFAULT, DEFAULT(0),
     RANGE(0, 1000000),
     .doc = "Number of blocks of a line, which exact lines reduce to one row each before these rows are "
            "solved, at most half the line's cells (numerics/lines); 0: chosen from the line's length and "
            "levels, so that a "
            "processor for every block would be fastest. Results depend on it by round-off"},
    {"/solver/lines/levels", &integer_kind, TO(solver.lines_levels), .flags = HAS_DEFAULT, DEFAULT(0),
     RANGE(0, 6),
     .doc = "How many times exact lines are reduced, each time by blocks of the rows left: more than 1 is "
            "worthwhile "
            "on long lines over many processes, and each level stays on those processes that have a block of "
            "it; "
            "0: once. "
            "Results depend on it by round-off"},
    {"/solver/processes", &fixed_integers_kind, TO(solver.ranks_x), RANGE(0, 1000000), .length = 2,
     .doc = "Number of processes along x and y; [0, 0]: chosen by the program"},
    {"/solver/cuts", &choice_kind, TO(solver.cuts), .flags = HAS_DEFAULT, .initial_text = "auto",
     CHOICES_TO(CUTS_BEST, "by-speed", "straight", "strips", "auto"),
     .doc = "Decomposition of the grid among processes: straight: cuts from edge to edge; strips: each strip "
            "between two cuts has cross cuts of its own, which shares the water more evenly but gives "
            "processes more neighbours, and where devices are of different speed, strips of its own; auto: "
            "whichever should be faster; by-speed: auto where processes are of different speed or on several "
            "nodes of a cluster file, else straight. Systems along lines (/solver/lines) always have "
            "straight cuts. Results do not depend on it"},
    {"/solver/patch", &integer_kind, TO(solver.patch), .flags = HAS_DEFAULT, DEFAULT(0), RANGE(0, 100000),
     .doc = "For thousands of processes: preconditioner sweeps stay within squares of this many cells, a "
            "multiple of 8, counted from the grid's first cell, and processes that are cut between squares "
            "do not wait for each other. This needs more iterations (docs/clusters.md). 0: sweeps cross the "
            "whole sea. Results depend on it within the tolerances of the solvers"},
    {"/solver/speeds", &numbers_kind, TO(solver.speeds), COUNT(solver.n_speeds), .flags = EXCLUSIVE,
     RANGE(0, 1e6),
     .doc = "Speed of each process relative to the others, in the order of their numbers: fast ones get "
            "more of the sea; if empty, all are alike. Results do not depend on it"},
    {"/solver/device", &choice_text_kind, TO(solver.device), .flags = HAS_DEFAULT, .initial_text = "cpu",
     CHOICES("cpu", "gpu", "auto", "emu"),
     .doc = "cpu; gpu; auto: GPUs for as many processes of a node as it has GPUs; emu: an emulated GPU that "
            "shuffles the order of work to find races"},

    {"/output", &records_kind, TO(outputs), COUNT(n_outputs), .record = &output_record,
     .doc = "Output files: fields, stations, extremes"},
    {"/restart/every_s", &number_kind, TO(restart.every_s), .flags = HAS_DEFAULT, RANGE(0, 1e10), .unit = "s",
     .doc = "Interval between restart files; 0: only at the times of \"at\", and on request"},
    {"/restart/at", &moments_kind, TO(restart.at), COUNT(restart.n_at),
     .doc = "Times of additional restart files, for example to start later forecasts from: dates, and times "
            "of every day such as \"00:00Z\". These files are never deleted"},
    {"/restart/keep", &integer_kind, TO(restart.keep), .flags = HAS_DEFAULT, DEFAULT(2), RANGE(1, 10000),
     .doc = "Number of restart files to keep in the output folder, besides those of \"at\"; the files of "
            "runs that this one continues are included"},
    {"/restart/at_end", &boolean_kind, TO(restart.at_end),
     .doc = "Write a restart file at the end of the run"},
    {"/output_dry_depth_m", &number_kind, TO(output_dry_depth_m), .flags = HAS_DEFAULT, DEFAULT(0.01),
     RANGE(0, 100), .unit = "m",
     .doc =
         "Water thinner than this counts as dry in output files; if omitted, at most a tenth of the depth of "
         "the lowest level"},
    {"/output_folder", &text_kind, TO(output_folder),
     .doc = "Folder for all output files, relative to the current one; \"results/\" and the scenario's name "
            "if omitted"},
};

static const Fields head = ROWS(head_fields), initial = ROWS(initial_fields), last = ROWS(last_fields);
const Record scenario_record = {(const Fields *const[]){&head, &rows_of_grid, &rows_of_physics, &initial,
                                                        &rows_of_forcing, &rows_of_infiltration, &last, NULL},
                                sizeof(Scenario), 0, "the scenario"};
