/* SPDX-License-Identifier: Apache-2.0 */
#include "program/plan_picture.h"

#include "base/memory.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 60,
    MOST_ROWS = 24,
    MOST_LINES = 16,
    SVG_WIDTH = 900,
    SVG_LINES = 400,
    SVG_ROWS = 500,
    MOST_FRAGMENTS = 3000
};

static char letter_of(int rank) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return letters[rank % (int)(sizeof letters - 1)];
}

static int part_of(const int *cut, int i) {
    int n = 0;
    while (cut[n + 1] <= i) n++;
    return n;
}

void plan_print_map(const CutProblem *problem, const Cuts *cuts) {
    const int width = problem->nx < WIDTH ? problem->nx : WIDTH;
    const double cell = (double)problem->nx / width;
    int rows = (int)ceil(problem->ny / (2 * cell)); /* characters are twice as high as wide */
    if (rows > MOST_ROWS) rows = MOST_ROWS;
    for (int b = rows - 1; b >= 0; b--) {
        char line[WIDTH + 1];
        for (int a = 0; a < width; a++) {
            const int i = (int)((a + 0.5) * cell), j = (int)((b + 0.5) * problem->ny / rows);
            const int strip = part_of(cuts->y, j);
            const int rank = cuts->first[strip] + part_of(cuts_of_strip(cuts, strip), i);
            line[a] = problem->weight[(ptrdiff_t)j * problem->nx + i] > 0 ? letter_of(rank) : '.';
        }
        line[width] = '\0';
        printf("  %s\n", line);
    }
}

static double first_sweep(const Forecast *f, double *begin) {
    double end = 0;
    *begin = HUGE_VAL;
    for (int n = 0; n < f->graph.fragments; n++) {
        *begin = fmin(*begin, f->begin[n]);
        end = fmax(end, f->end[n]);
    }
    return end - *begin;
}

void plan_print_sweep(const Forecast *f) {
    double begin;
    const double length = first_sweep(f, &begin);
    const int lines = f->ranks < MOST_LINES ? f->ranks : MOST_LINES;
    if (!(length > 0)) return;
    for (int line = 0; line < lines; line++) {
        const int rank = (int)((int64_t)line * f->ranks / lines);
        double busy[WIDTH] = {0};
        for (int n = 0; n < f->graph.fragments; n++) {
            if (f->graph.fragment[n].rank != rank) continue;
            const double from = (f->begin[n] - begin) / length * WIDTH,
                         to = (f->end[n] - begin) / length * WIDTH;
            for (int a = 0; a < WIDTH; a++) busy[a] += fmax(0, fmin(to, a + 1) - fmax(from, a));
        }
        printf("  process %-5d ", rank);
        for (int a = 0; a < WIDTH; a++) putchar(busy[a] > 0.5 ? '#' : busy[a] > 0.02 ? '+' : '.');
        putchar('\n');
    }
}

static const char *colour_of(int rank, char out[32]) {
    snprintf(out, 32, "hsl(%d,60%%,%d%%)", rank * 137 % 360, 55 + 10 * (rank % 3));
    return out;
}

static void draw_map(FILE *file, const ForecastProblem *problem, const Cuts *cuts, double scale) {
    const CutProblem *cut = problem->cut;
    const int rows = 1 + cut->ny / SVG_ROWS; /* together */
    char colour[32];
    for (int j = 0; j < cut->ny; j += rows)
        for (int i = 0, from; i < cut->nx; i++) {
            if (!(cut->weight[(ptrdiff_t)j * cut->nx + i] > 0)) continue;
            const int q = part_of(cuts->y, j), *x = cuts_of_strip(cuts, q), p = part_of(x, i);
            for (from = i; i < x[p + 1] && cut->weight[(ptrdiff_t)j * cut->nx + i] > 0;) i++;
            fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                    from * scale, (cut->ny - rows - j) * scale, (i - from) * scale, 1.03 * rows * scale,
                    colour_of(cuts->first[q] + p, colour));
            i--;
        }
    for (int q = 0; q < cuts->ranks_y; q++)
        for (int p = 0; p <= cuts_in_strip(cuts, q); p++)
            fprintf(file, "<path d=\"M%.2f %.2fV%.2f\" stroke=\"#444\" stroke-width=\"0.5\"/>\n",
                    cuts_of_strip(cuts, q)[p] * scale, (cut->ny - cuts->y[q + 1]) * scale,
                    (cut->ny - cuts->y[q]) * scale);
    for (int q = 0; q <= cuts->ranks_y; q++)
        fprintf(file, "<path d=\"M0 %.2fH%.2f\" stroke=\"#444\" stroke-width=\"0.5\"/>\n",
                (cut->ny - cuts->y[q]) * scale, cut->nx * scale);
}

/* Where the fragments begin, in the columns of the problem. */
static void draw_fragments(FILE *file, const ForecastProblem *problem, const Cuts *cuts, const Forecast *f,
                           double scale) {
    const double finer = problem->finer, high = problem->cut->ny;
    const GraphProblem as_planned = {
        .cuts = cuts, .finer = (int)finer, .messages = f->messages, .stretches = f->stretches};
    for (int n = 0; n < f->graph.fragments && f->graph.fragments <= MOST_FRAGMENTS; n++) {
        const GraphPart part = graph_part(&as_planned, f->graph.fragment[n].rank);
        const FragmentPlace place = fragment_place(&part, f->graph.fragment[n].k);
        const double n1 = part.n1, n2 = part.n2, line = part.stretches > 1 ? place.lines[0] : 0;
        const double x0 = fmax(0, line - n2), y0 = part.stretches > 1 ? fmin(line, n2) : place.rows[0],
                     x1 = part.stretches > 1 ? fmin(line, n1) : n1,
                     y1 = part.stretches > 1 ? fmax(0, line - n1) : y0;
        if (line < 0) continue;
        fprintf(file, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#fff\" stroke-width=\"0.7\"/>\n",
                (part.first[0] + x0) / finer * scale, (high - (part.first[1] + y0) / finer) * scale,
                (part.first[0] + x1) / finer * scale, (high - (part.first[1] + y1) / finer) * scale);
    }
}

static void draw_sweep(FILE *file, const Forecast *f, double top, double high) {
    double begin;
    const double length = first_sweep(f, &begin), thick = high / f->ranks;
    char colour[32];
    for (int n = 0; n < f->graph.fragments && length > 0; n++) {
        const int rank = f->graph.fragment[n].rank;
        fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                SVG_WIDTH * (f->begin[n] - begin) / length, top + rank * thick,
                fmax(0.2, SVG_WIDTH * (f->end[n] - f->begin[n]) / length - 0.3), 0.9 * thick,
                colour_of(rank, colour));
    }
    fprintf(file,
            "<text x=\"0\" y=\"%.0f\">time of a sweep: %.3g ms; one line for each of %d processes</text>\n",
            top + high + 18, 1e3 * length, f->ranks);
}

Status plan_draw(const char *path, const ForecastProblem *problem, const Cuts *cuts, const Forecast *f) {
    const double scale = (double)SVG_WIDTH / problem->cut->nx, map = problem->cut->ny * scale;
    const double high = fmin(SVG_LINES, 20.0 * f->ranks);
    char shape[CUTS_SHAPE];
    const size_t length = strlen(path);
    CHECK(length > 4 && strcmp(path + length - 4, ".svg") == 0, STATUS_BAD_INPUT,
          "--svg %s: the name of the picture must end with .svg", path);
    FILE *file = fopen(path, "w");
    CHECK(file, STATUS_FAILED, "%s cannot be written: choose another file with --svg", path);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-10 -30 %d %.0f\" "
            "font-family=\"sans-serif\" font-size=\"14\">\n"
            "<rect x=\"-10\" y=\"-30\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<text x=\"0\" y=\"-10\">%s processes</text>\n",
            SVG_WIDTH + 20, map + high + 90, cuts_shape(cuts, shape));
    draw_map(file, problem, cuts, scale);
    draw_fragments(file, problem, cuts, f, scale);
    draw_sweep(file, f, map + 30, high);
    fputs("</svg>\n", file);
    CHECK(fclose(file) == 0, STATUS_FAILED, "%s could not be written completely: is the disk full?", path);
    return STATUS_OK;
}
