/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the seam of a zoom: seam.c makes it and does its step, pieces.c divides it, flows.c passes volume across, slopes.c and
 * across.c tracers, means.c returns what the finer grid found.
 */
#ifndef MAEOTIS_MODEL_SEAM_SEAM_INTERNAL_H
#define MAEOTIS_MODEL_SEAM_SEAM_INTERNAL_H

#include "model/boundary/open_faces.h"
#include "model/seam/mail.h"
#include "model/seam/seam.h"
#include "model/seam/shape.h"
#include "model/tracers/transport.h"

/* What left through a part of a face in the steps of the finer grid, of one tracer in one layer. */
typedef struct Left {
    double amount;      /* [units m3] */
    double least, most; /* values of it; infinite: nothing left */
} Left;
enum { LEFT_NUMBERS = 3 };

/* A part of a face of the seam: an open face of the finer grid, of this rank. */
typedef struct SeamPart {
    const OpenFace *open;
    int number;    /* face * finer + part */
    double *flux;  /* of layers, positive eastwards and northwards [m3 s-1] */
    double *value; /* [tracer][layer] of the cell outside */
    Left *left;    /* likewise */
} SeamPart;

struct Seam {
    Simulation *outer, *inner;
    Scenario *scenario; /* of the finer grid */
    SeamShape shape;
    SeamRectangle *outer_cells, *inner_cells; /* of all ranks */
    int ranks, layers, tracers;
    SeamPart *part;
    int n_parts, *part_at;    /* [number] where a part is; -1: not here */
    double *numbers;          /* of all parts */
    Left *left;               /* likewise */
    Mail sections;            /* of parts: w h of each layer [m2] */
    double *section;          /* [number][layer]; 0 of those that nobody here wants */
    Mail flows;               /* of faces: of each layer flux and velocity's slope, values and their slopes */
    Mail carried;             /* of parts: what left */
    Mail means;               /* of cells under the zoom: level, wet part, layers of u, v and tracers */
    double *taken;            /* [face of flows][tracer][layer]: from the cells outside (slopes.c) */
    Left *came;               /* [number][tracer][layer], of those that came */
    double *column;           /* [cell][bed, shares of layers], of the cells whose means are made here */
    RunList faces_u, faces_v; /* of the grid around, between cells of which one is under the zoom */
    WaterMoved moved;         /* in this piece of the step of the grid around */
    double *level[2];         /* 2-D, its depths between two pieces [m] */
    TracerAccount *account;   /* of both grids, as the next three are */
    double gains[MAEOTIS_MOST_VARIABLES * MAEOTIS_MOST_PROCESSES], processes[MAEOTIS_MOST_PROCESSES];
    EventSize *event;
    double **fields;      /* of a halo_exchange */
    unsigned char *opens; /* while it is made: faces that the finer grid has, too */
    bool soaked;          /* likewise: is there a sponge under the zoom? */
    double dry_x, dry_y;  /* where water cannot pass as it should; NaN: nowhere */
};

/* NULL: of another rank, or land, which is a wall. */
static inline SeamPart *seam_part_numbered(Seam *s, int number) {
    return s->part_at[number] < 0 ? NULL : &s->part[s->part_at[number]];
}

/* ---- flows.c: volume ---- */

/* The parts that this rank has, and the mails; local but for the first. */
void seam_flows_create(Seam *seam);
void seam_flows_destroy(Seam *seam);
/* From the grid around to where the parts are (slopes.c). Collective. */
void seam_send_flows(Seam *seam);
/* What comes through the faces, from the flow and the tracers of the grid around. Collective. */
void seam_take_flows(Seam *seam);
/* Refuses a seam that runs dry. Collective. */
CHECKED Status seam_check_wet(const Seam *seam);

/* ---- across.c: tracers ---- */

/* Sets the values beyond the edges of the finer grid; for tracers_watch, as is the next. */
void seam_set_values(void *seam);
/* Adds what leaves in a step of the finer grid. */
void seam_note_left(void *seam, const Transport *transport, int first);
/* Values beyond the seam for the grid around. Collective. */
void seam_give_back(Seam *seam);

/* ---- pieces.c ---- */

/* How many pieces of the step the tracers need; refused where no number would do. Collective. */
CHECKED Status seam_count_pieces(const Seam *seam, const WaterMoved *whole, int *pieces);
/* The water's move in a piece, from 0 on. The grid around gets the depth at its end, which is `after` at that of the step. */
void seam_begin_piece(Seam *seam, const WaterMoved *whole, int piece, int pieces, double *after);

/* ---- means.c ---- */

void seam_means_create(Seam *seam);
void seam_means_destroy(Seam *seam);
/* Means of tracers alone, between two pieces of a step. Collective. */
void seam_return_tracers(Seam *seam);

#endif
