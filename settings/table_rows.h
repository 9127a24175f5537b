/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the table of the scenario: the macros of its rows, and its parts.
 */
#ifndef MAEOTIS_SETTINGS_TABLE_ROWS_H
#define MAEOTIS_SETTINGS_TABLE_ROWS_H

#include "settings/table.h"

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))
#define CHOICES(...)                                                                                         \
    .choices = (const char *const[]) {                                                                       \
        __VA_ARGS__, NULL                                                                                    \
    }
/* The same for an enum, whose last value is `last`: a name that is missing or too many does not compile. */
#define CHOICES_TO(last, ...)                                                                                \
    CHOICES(__VA_ARGS__),                                                                                    \
        .length = 0 * (int)sizeof(struct {                                                                   \
                      int none;                                                                              \
                      _Static_assert(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) == (last) + 1,   \
                                     "a name for each value of the enum, in its order");                     \
                  })
#define RANGE(low, high) .least = (low), .most = (high)
#define ABOVE(low, high) .flags = EXCLUSIVE, RANGE(low, high)
#define DEFAULT(value)   .initial = (value)

/* Where a row's value goes: TO and COUNT of the struct that OWNER is. */
#define TO(member)    .offset = offsetof(OWNER, member)
#define COUNT(member) .count_offset = offsetof(OWNER, member)

/* The kinds of tracer. */
#define TEMPERATURE RANGE(-10, 100), .unit = "degrees C"
/* large enough for anything, small enough for sums of its products */
#define ANY_AMOUNT RANGE(-1e30, 1e30)
#define SALINITY   RANGE(0, 400), .unit = "g/kg"

/* The keys of a kinetics module, in scenarios and in boxes. */
#define KINETICS_ROWS                                                                                        \
    {"/kinetics/module",                                                                                     \
     &module_kind,                                                                                           \
     TO(kinetics.module),                                                                                    \
     .count_offset = offsetof(OWNER, kinetics.place),                                                        \
     .choices = kinetics_module_choices,                                                                     \
     .doc = "Biology and chemistry of the water: the name of a module, or the path of a shared library "     \
            "made for "                                                                                      \
            "kinetics/maeotis_kinetics.h. Each of its variables is a tracer"},                               \
        {"/kinetics/file",                                                                                   \
         &file_kind,                                                                                         \
         TO(kinetics.file),                                                                                  \
         .flags = REFUSED_IDLE,                                                                              \
         .with = "/kinetics/module=fabm",                                                                    \
         .doc = "Description of a model of FABM, its fabm.yaml"},                                            \
        {"/kinetics/parameters",                                                                             \
         &named_values_kind,                                                                                 \
         TO(kinetics.parameters),                                                                            \
         COUNT(kinetics.n_parameters),                                                                       \
         ANY_AMOUNT,                                                                                         \
         .variables = "",                                                                                    \
         .doc = "Parameters of the module, {\"name\": value}; ./maeotis kinetics list MODULE explains "      \
                "them"},                                                                                     \
        {"/kinetics/initial",                                                                                \
         &named_values_kind,                                                                                 \
         TO(kinetics.initial),                                                                               \
         COUNT(kinetics.n_initial),                                                                          \
         RANGE(0, 1e30),                                                                                     \
         .flags = TAKES_FILE,                                                                                \
         .variables = "xyz",                                                                                 \
         .doc = "Initial values of the module's variables, {\"name\": value}, and of matter on the bed, "    \
                "{\"name_bed\": value}; if omitted, the module's defaults"},                                 \
        {"/kinetics/inputs",                                                                                 \
         &named_values_kind,                                                                                 \
         TO(kinetics.inputs),                                                                                \
         COUNT(kinetics.n_inputs),                                                                           \
         .flags = TAKES_FILE,                                                                                \
         .variables = "xyt",                                                                                 \
         .doc = "Further data that the module reads for each column, {\"name\": value}; if omitted, the "    \
                "module's defaults"},                                                                        \
        {"/kinetics/scheme",                                                                                 \
         &choice_kind,                                                                                       \
         TO(kinetics.scheme),                                                                                \
         .flags = HAS_DEFAULT,                                                                               \
         .initial_text = "patankar-rk2",                                                                     \
         CHOICES_TO(KINETICS_RK4, "patankar-euler", "patankar-rk2", "rk2", "rk4"),                           \
         .with = "/kinetics/module",                                                                         \
         .doc = "Integration of the reactions. patankar-euler, patankar-rk2: positive and conserving in "    \
                "steps of any length, of first and second order; rk2, rk4: for comparison"},                 \
        {"/kinetics/every_steps",                                                                            \
         &integer_kind,                                                                                      \
         TO(kinetics.every_steps),                                                                           \
         .flags = HAS_DEFAULT,                                                                               \
         DEFAULT(1),                                                                                         \
         RANGE(1, 10000),                                                                                    \
         .with = "/kinetics/module",                                                                         \
         .doc = "Steps of the sea for one step of the reactions"},                                           \
    {                                                                                                        \
        "/kinetics/most_substeps", &integer_kind, TO(kinetics.most_substeps),                                \
            .flags = HAS_DEFAULT, DEFAULT(10), RANGE(1, 1000), .with = "/kinetics/module",                   \
            .doc = "Largest number of substeps of a step with fast reactions, in each column"                \
    }

/* The rows of a record that stand in one place, and in several. */
#define ROWS(array)                                                                                          \
    { array, LENGTH(array) }
#define ONLY_ROWS(array)                                                                                     \
    (const Fields *const[]) {                                                                                \
        &(const Fields)ROWS(array), NULL                                                                     \
    }

extern const Fields rows_of_grid, rows_of_physics, rows_of_forcing,
    rows_of_infiltration; /* parts of the scenario */
extern const Record tracer_record, event_record, river_record, river_map_record, boundary_record,
    structure_record, nudging_record, output_record;

#endif
