/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/subgrid.h"

SubgridColumns subgrid_columns(const Subgrid *s, double *depth, double *eta, const double *increment) {
    return (SubgridColumns){.g = grid_view(s->grid),
                            .ground = s->column,
                            .depth = depth,
                            .eta = eta,
                            .increment = increment,
                            .height = s->height,
                            .share = s->share,
                            .begin = {s->begin[0], s->begin[1]},
                            .bend = {s->bend[0], s->bend[1]},
                            .middle = {s->middle[0], s->middle[1]},
                            .rise = s->rise,
                            .held = s->held};
}

void subgrid_thicknesses(const Subgrid *s, Exec exec, Halo *halo, double *depth, double *thick) {
    SubgridColumns args = subgrid_columns(s, depth, NULL, NULL);
    args.thick = thick;
    field2_copy(exec, s->grid, depth, thick); /* ghosts have even ground */
    subgrid_thick(exec, s->grid->columns, args);
    halo_exchange(halo, 1, &thick, 0, NULL);
}

void subgrid_heights(const Subgrid *s, Exec exec, Halo *halo, const double *depth, double *below) {
    SubgridColumns args = subgrid_columns(s, (double *)(uintptr_t)depth, NULL, NULL);
    args.below = below;
    subgrid_middles(exec, s->grid->columns, args);
    halo_exchange(halo, 0, NULL, 1, &below);
}

void subgrid_sides(const Subgrid *s, Exec exec, const double *depth) {
    SubgridColumns args = subgrid_columns(s, (double *)(uintptr_t)depth, NULL, NULL);
    args.sunk = s->sunk, args.wide = s->wide;
    subgrid_cut(exec, s->grid->columns, args);
}

void subgrid_lower_sides(const Subgrid *s, Exec exec, const double *depth, double *sunk) {
    SubgridColumns args = subgrid_columns(s, (double *)(uintptr_t)depth, NULL, NULL);
    args.sunk = sunk;
    subgrid_sink(exec, s->grid->columns, args);
}

double subgrid_depth_at(const Subgrid *s, ptrdiff_t m, double height) {
    return s ? hypsometry_at_height(&s->column, m, height).depth : fmax(0.0, height);
}

static SubgridFaces with_depth(SubgridFaces faces, const double *depth) {
    faces.depth = depth;
    return faces;
}

static void depth_of_part(const Subgrid *s, Exec exec, RunList faces, FaceDepth args) {
    if (faces.count == 0) return;
    if (!s) {
        face_depth(exec, faces, args);
        return;
    }
    SubgridFaceDepth both = {args, args.along == 1 ? s->face_u : s->face_v, args.resolved ? 1 : 0};
    both.face.resolved = or_any(args.resolved, args.eta);
    both.face.increment = or_any(args.increment, args.eta);
    subgrid_face_level(exec, faces, both);
    subgrid_face_section(exec, faces, both);
    subgrid_sections(exec, faces, with_depth(both.section, args.depth_face));
}

void subgrid_or_even_depths(const Subgrid *s, Exec exec, const Grid *g, FaceDepth u, FaceDepth v) {
    for (int done_u = 0, done_v = 0; done_u < g->faces_u.count || done_v < g->faces_v.count;) {
        depth_of_part(s, exec, runs_next(exec, g->faces_u, &done_u), u);
        depth_of_part(s, exec, runs_next(exec, g->faces_v, &done_v), v);
    }
}

void subgrid_resume(const Subgrid *s, Exec exec, const double *depth_u, const double *depth_v) {
    if (!s) return;
    const SubgridFaces u = with_depth(s->face_u, depth_u), v = with_depth(s->face_v, depth_v);
    subgrid_find_sections(exec, s->grid->faces_u, u);
    subgrid_find_sections(exec, s->grid->faces_v, v);
    subgrid_sections(exec, s->grid->faces_u, u);
    subgrid_sections(exec, s->grid->faces_v, v);
}

void subgrid_find_ways(const Subgrid *s, Exec exec, Halo *halo, const double *eta) {
    const Grid *g = s->grid;
    SubgridFaces u = s->face_u, v = s->face_v;
    u.eta = v.eta = eta;
    for (int done_u = 0, done_v = 0; done_u < g->faces_u.count || done_v < g->faces_v.count;) {
        const RunList of_u = runs_next(exec, g->faces_u, &done_u),
                      of_v = runs_next(exec, g->faces_v, &done_v);
        if (of_u.count > 0) subgrid_closeness(exec, of_u, u);
        if (of_v.count > 0) subgrid_closeness(exec, of_v, v);
    }
    double *ways[] = {u.weight, u.closeness, u.lift, v.weight, v.closeness, v.lift};
    halo_exchange(halo, 6, ways, 0, NULL);
    if (s->thick) halo_exchange(halo, 2, (double *[]){u.hydraulic, v.hydraulic}, 0, NULL);
}

void subgrid_drag_prepare(const Subgrid *s, Exec exec, RunList faces, const Momentum *m) {
    SubgridFaces args = m->faces.along == 1 ? s->face_u : s->face_v;
    Momentum rectangle = *m;
    args.drag = m->faces.drag, args.depth = m->faces.depth, args.spacing = m->faces.spacing;
    rectangle.faces.depth = args.hydraulic;
    rectangle.section = (SectionDrag){args.resistance, args.ways.part, args.depth, args.bed_share};
    for (int done = 0; done < faces.count;) {
        const RunList part = runs_next(exec, faces, &done);
        if (args.narrow) subgrid_narrow(exec, part, args);
        bed_drag_prepare(exec, part, rectangle);
        subgrid_resist(exec, part, args);
    }
}

bool subgrid_has_flanks(const Subgrid *s) {
    return s && s->flank_u;
}

Flanks subgrid_flanks(const Subgrid *s, const Faces *faces) {
    const bool along_x = faces->along == 1;
    if (!subgrid_has_flanks(s)) return (Flanks){0};
    return (Flanks){along_x ? s->flank_u : s->flank_v, (along_x ? s->face_u : s->face_v).narrow, faces->drag};
}

void subgrid_limit_crests(const Subgrid *s, Exec exec, const Momentum *u, const Momentum *v) {
    if (!s) return;
    subgrid_crests(exec, s->sills_u,
                   (SubgridCrests){u->g, u->faces, s->u, u->slope_gravity, u->eta, s->ways_u.length});
    subgrid_crests(exec, s->sills_v,
                   (SubgridCrests){v->g, v->faces, s->v, v->slope_gravity, v->eta, s->ways_v.length});
}
