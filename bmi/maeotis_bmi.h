/* SPDX-License-Identifier: Apache-2.0
 *
 * The sea as a library, libmaeotis_bmi: BMI 2.0, and what a caller of this model may want beyond it. bmi/README.md tells
 * the variables and grids.
 *
 *     Bmi model;
 *     register_bmi(&model);
 *     maeotis_bmi_option(&model, "--quiet");
 *     if (model.initialize(&model, "scenario.json") != BMI_SUCCESS) puts(maeotis_bmi_message(&model));
 *     while (!maeotis_bmi_done(&model) && model.update(&model) == BMI_SUCCESS) continue;
 *     model.finalize(&model);
 *
 * All functions that return an int, but maeotis_bmi_done and maeotis_bmi_status, return BMI_SUCCESS or BMI_FAILURE. With
 * several processes, all of them call the same functions in the same order, and each sees its own part of the grid.
 */
#ifndef MAEOTIS_BMI_H
#define MAEOTIS_BMI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The table of the Basic Model Interface 2.0 (https://bmi.readthedocs.io). Order and types of the members are the
 * specification's, so that every framework for BMI models in C can use it; one that brings its own bmi.h includes that
 * first. */
#ifndef BMI_H
#define BMI_H

#define BMI_SUCCESS 0
#define BMI_FAILURE 1

/* Room for texts that the model writes into the caller's memory, their zero included. */
#define BMI_MAX_COMPONENT_NAME 2048
#define BMI_MAX_VAR_NAME       2048
#define BMI_MAX_UNITS_NAME     2048
#define BMI_MAX_TYPE_NAME      2048

typedef struct Bmi {
    void *data; /* the model's own */

    /* control */
    int (*initialize)(struct Bmi *self, const char *config_file);
    int (*update)(struct Bmi *self);
    int (*update_until)(struct Bmi *self, double then);
    int (*finalize)(struct Bmi *self);

    /* what there is */
    int (*get_component_name)(struct Bmi *self, char *name);
    int (*get_input_item_count)(struct Bmi *self, int *count);
    int (*get_output_item_count)(struct Bmi *self, int *count);
    int (*get_input_var_names)(struct Bmi *self, char **names);
    int (*get_output_var_names)(struct Bmi *self, char **names);

    /* variables */
    int (*get_var_grid)(struct Bmi *self, const char *name, int *grid);
    int (*get_var_type)(struct Bmi *self, const char *name, char *type);
    int (*get_var_units)(struct Bmi *self, const char *name, char *units);
    int (*get_var_itemsize)(struct Bmi *self, const char *name, int *size);
    int (*get_var_nbytes)(struct Bmi *self, const char *name, int *nbytes);
    int (*get_var_location)(struct Bmi *self, const char *name, char *location);

    /* time */
    int (*get_current_time)(struct Bmi *self, double *time);
    int (*get_start_time)(struct Bmi *self, double *time);
    int (*get_end_time)(struct Bmi *self, double *time);
    int (*get_time_units)(struct Bmi *self, char *units);
    int (*get_time_step)(struct Bmi *self, double *time_step);

    /* values out and in */
    int (*get_value)(struct Bmi *self, const char *name, void *dest);
    int (*get_value_ptr)(struct Bmi *self, const char *name, void **dest_ptr);
    int (*get_value_at_indices)(struct Bmi *self, const char *name, void *dest, int *inds, int count);
    int (*set_value)(struct Bmi *self, const char *name, void *src);
    int (*set_value_at_indices)(struct Bmi *self, const char *name, int *inds, int count, void *src);

    /* grids */
    int (*get_grid_rank)(struct Bmi *self, int grid, int *rank);
    int (*get_grid_size)(struct Bmi *self, int grid, int *size);
    int (*get_grid_type)(struct Bmi *self, int grid, char *type);
    int (*get_grid_shape)(struct Bmi *self, int grid, int *shape);
    int (*get_grid_spacing)(struct Bmi *self, int grid, double *spacing);
    int (*get_grid_origin)(struct Bmi *self, int grid, double *origin);
    int (*get_grid_x)(struct Bmi *self, int grid, double *x);
    int (*get_grid_y)(struct Bmi *self, int grid, double *y);
    int (*get_grid_z)(struct Bmi *self, int grid, double *z);
    int (*get_grid_node_count)(struct Bmi *self, int grid, int *count);
    int (*get_grid_edge_count)(struct Bmi *self, int grid, int *count);
    int (*get_grid_face_count)(struct Bmi *self, int grid, int *count);
    int (*get_grid_edge_nodes)(struct Bmi *self, int grid, int *edge_nodes);
    int (*get_grid_face_edges)(struct Bmi *self, int grid, int *face_edges);
    int (*get_grid_face_nodes)(struct Bmi *self, int grid, int *face_nodes);
    int (*get_grid_nodes_per_face)(struct Bmi *self, int grid, int *nodes_per_face);
} Bmi;

#endif

#define MAEOTIS_BMI_API __attribute__((visibility("default")))

/* Fills the table; returns it. The name is the one that frameworks look for. */
MAEOTIS_BMI_API Bmi *register_bmi(Bmi *model);

/* Before initialize: one word of an option of `maeotis run`, such as "--set" and then "/physics/drag/n=0.03", or
 * "--restart" and then a file. "--no-files" computes alone; "--quiet" prints nothing but warnings. */
MAEOTIS_BMI_API int maeotis_bmi_option(Bmi *model, const char *word);

/* Before initialize: the processes that compute together, as a handle of Fortran (MPI_Comm_c2f); MPI_COMM_WORLD
 * otherwise. */
MAEOTIS_BMI_API int maeotis_bmi_communicator(Bmi *model, int handle);

/* Why the last function failed, for people, one reason a line; "" if none did. Valid until the next call. */
MAEOTIS_BMI_API const char *maeotis_bmi_message(const Bmi *model);

/* How initialize or a step failed, as exit codes of `maeotis run`: 0: none did; 1: something went wrong; 2: the input was
 * refused; 3: the run was told to stop. */
MAEOTIS_BMI_API int maeotis_bmi_status(const Bmi *model);

/* 1: the run has reached its end, or failed; 0: update has steps to make. */
MAEOTIS_BMI_API int maeotis_bmi_done(const Bmi *model);

/* The digest of the state, as the progress line prints it. */
MAEOTIS_BMI_API int maeotis_bmi_digest(Bmi *model, uint64_t *digest);

/* The start of the scenario [s since 1970-01-01T00:00:00Z]: time 0 of the model. */
MAEOTIS_BMI_API int maeotis_bmi_epoch(Bmi *model, double *seconds);

/* A step of update_until; *more: whether it takes others. A caller that must hear interrupts calls it until 0. */
MAEOTIS_BMI_API int maeotis_bmi_towards(Bmi *model, double time, int *more);

/* Steps made since the start of the scenario. */
MAEOTIS_BMI_API int maeotis_bmi_steps(Bmi *model, int64_t *steps);

/* The program's own short name of a variable, such as "eta"; every function takes it, too. */
MAEOTIS_BMI_API const char *maeotis_bmi_short_name(Bmi *model, const char *name);

/* Longitudes and latitudes of the columns [degrees], as the grid of two dimensions counts them: y, then x. Refused where the grid is
 * neither in degrees nor on a map. */
MAEOTIS_BMI_API int maeotis_bmi_places(Bmi *model, double *lon, double *lat);

/* Writes a restart file into the output folder; the path has room for 512 characters. */
MAEOTIS_BMI_API int maeotis_bmi_write_restart(Bmi *model, char *path);
/* Its former name, until version 1.0.0. */
MAEOTIS_BMI_API int maeotis_bmi_checkpoint(Bmi *model, char *path);

/* The model's own memory of a field, without a copy, until the next update. `first`: the first element; `shape` and
 * `strides` (in elements) of k, j, i, with one k in two dimensions. In cells without water the values mean nothing. A
 * writable view, of tracers alone, makes the budgets count afresh in every update. */
MAEOTIS_BMI_API int maeotis_bmi_view(Bmi *model, const char *name, int writable, double **first,
                                     int64_t shape[3], int64_t strides[3]);

/* Ends the run as finalize does, but values can still be read until finalize. */
MAEOTIS_BMI_API int maeotis_bmi_close(Bmi *model);

/* Version and commit. */
MAEOTIS_BMI_API const char *maeotis_bmi_version(void);

#ifdef __cplusplus
}
#endif
#endif
