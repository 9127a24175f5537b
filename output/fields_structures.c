/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "output/fields.h"
#include <string.h>

enum { MOST_NAME = 60 };

const FlowRow flow_rows[FLOW_SERIES] = {
    [FLOW_DISCHARGE] =
        {"structure_discharge", "m3 s-1",
         "discharge over or through a structure in the last step, from the left of its line to its right"},
    [FLOW_LEFT] = {"structure_level_left", "m", "mean level on the left of a structure"},
    [FLOW_RIGHT] = {"structure_level_right", "m", "mean level on the right of a structure"},
    [FLOW_OPENING] = {"structure_opening", "1", "open part of a gate"},
    [FLOW_CREST] = {"structure_crest", "m", "height of the lowest crest of a structure above the datum"},
};

/* They are those of a moment, which a file of means has no place for. */
static int count_in(const FieldsFile *f) {
    return f->mean ? 0 : f->scenario->n_structures;
}

void fields_define_structures(FieldsFile *f, int time) {
    NcFile *file = &f->file;
    const int count = count_in(f);
    if (count == 0) return;
    const int structure = ncfile_dimension(file, "structure", count), dims[2] = {time, structure};
    const int names[2] = {structure, ncfile_dimension(file, "structure_name_length", MOST_NAME)};
    const int id = ncfile_define(file, "structure_name", NC_CHAR, 2, names);
    ncfile_text(file, id, "_Encoding", "utf-8");
    ncfile_text(file, id, "long_name", "name of the structure");
    for (int n = 0; n < FLOW_SERIES; n++) {
        const int series = ncfile_define(file, flow_rows[n].name, NC_DOUBLE, 2, dims);
        ncfile_text(file, series, "units", flow_rows[n].units);
        ncfile_text(file, series, "long_name", flow_rows[n].long_name);
        ncfile_text(file, series, "coordinates", "structure_name");
    }
}

void fields_name_structures(FieldsFile *f) {
    const int count = count_in(f);
    const MPI_Offset start[2] = {0, 0}, all[2] = {count, MOST_NAME};
    int rank;
    MPI_Comm_rank(f->layout.grid->comm, &rank);
    if (count == 0 || rank != 0) return;
    f->structure_names = ALLOCATE(count * MOST_NAME, char);
    for (int n = 0; n < count; n++)
        snprintf(f->structure_names + n * MOST_NAME, MOST_NAME, "%s", f->scenario->structures[n].name);
    ncfile_put(&f->file, ncfile_find(&f->file, "structure_name"), start, all, MPI_CHAR, f->structure_names);
}

void fields_put_structures(FieldsFile *f) {
    const int count = count_in(f);
    const MPI_Offset start[2] = {f->records, 0}, all[2] = {1, count};
    if (count == 0 || !f->beside.ledger.structures) return;
    if (!f->flows) f->flows = ALLOCATE(FLOW_SERIES * count, double);
    memcpy(f->flows, f->beside.ledger.structures, (size_t)(FLOW_SERIES * count) * sizeof *f->flows);
    for (int n = 0; n < FLOW_SERIES; n++)
        ncfile_put(&f->file, ncfile_find(&f->file, flow_rows[n].name), start, all, MPI_DOUBLE,
                   f->flows + n * count);
}
