/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the scenario: shared by the rules that look at several keys at once.
 */
#ifndef MAEOTIS_SETTINGS_RULES_H
#define MAEOTIS_SETTINGS_RULES_H

#include "settings/table.h"

typedef struct Rules {
    Reader *reader;
    const Json *root;
    Scenario *scenario;
} Rules;

void rules_of_grid(Rules *rules);       /* extents, cells, layers, periodic directions, points inside */
void rules_of_adaptive(Rules *rules);   /* layers that move, and what needs layers at rest */
void rules_of_nest(Rules *rules);       /* first: the boundary and the initial values that it stands for */
void rules_of_boundaries(Rules *rules); /* rivers and open boundaries */
void rules_of_structures(Rules *rules); /* their lines, and what they do not stand with */
void rules_of_tracers(Rules *rules);    /* names: of tracers, and in outputs, rivers and boundaries */
void rules_of_kinetics(Rules *rules);   /* opens the module, whose variables become tracers */
void rules_of_output(Rules *rules);
void rules_of_zoom(Rules *rules);    /* a finer grid inside, and what it cannot have */
void rules_of_subgrid(Rules *rules); /* what cells coarser than the ground cannot have */
void rules_of_air(Rules *rules);     /* heat, rain, evaporation */
void rules_of_infiltration(Rules *rules);
void rules_of_idle_keys(Rules *rules);

/* The value at the pointer, or the nearest value around it. */
const Json *rules_place(const Json *root, const char *pointer);
bool rules_given(const Rules *rules, const char *section, const char *key);

/* What a scenario has that something else cannot stand with. */
typedef struct Obstacle {
    bool is;
    const char *pointer, *wanted; /* where it stands; what is needed in its place */
} Obstacle;

/* Refuses the first obstacle that is there: "WHO WANTED". */
void rules_refuse_obstacle(Rules *rules, const char *who, const Obstacle *all, size_t count);

/* `length` is a whole number of `part`s to within round-off. */
bool rules_whole(double length, double part, double *count);
bool rules_multiple_of_step(Rules *rules, const ScenarioTime *time, double every_s, const char *pointer);

/* Every moment comes with a step of fixed length. */
void rules_of_moments(Rules *rules);

/* The grid's edges as given: west, east, south, north. False while they are not known. */
bool rules_extent(const Rules *rules, double edges[4]);

/* Refuses a point outside the grid; `what` names it: "the river \"Don\"". A longitude may be a turn off: -5 is
 * 355. */
void rules_inside(Rules *rules, double *x, double y, const Json *json, const char *what);

#endif
