/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/load.h"

#include "base/memory.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

Status overrides_add(Overrides *overrides, const char *text) {
    const int room = (int)(sizeof overrides->text / sizeof *overrides->text);
    CHECK(overrides->count < room, STATUS_BAD_INPUT,
          "more than %d --set options: write them into the scenario", room);
    CHECK(text[0] == '/' && strchr(text, '='), STATUS_BAD_INPUT,
          "--set takes /json/pointer=value, for example --set /physics/drag/n=0.03, not \"%s\"", text);
    overrides->text[overrides->count++] = text;
    return STATUS_OK;
}

Status overrides_take(const char *text, void *overrides) {
    return overrides_add(overrides, text);
}

/* Rank 0 has read the files of stations; the others take all stations from it. */
static void share_stations(MPI_Comm comm, ScenarioOutput *output) {
    int rank, length = 0;
    MPI_Comm_rank(comm, &rank);
    for (int n = 0; rank != 0 && n < output->n_stations; n++) memory_free(output->stations[n].name);
    MPI_Bcast(&output->n_stations, 1, MPI_INT, 0, comm);
    if (rank != 0) {
        memory_free(output->stations);
        output->stations = ALLOCATE(output->n_stations, ScenarioStation);
    }
    for (int n = 0; n < output->n_stations; n++) {
        ScenarioStation *s = &output->stations[n];
        double at[2] = {s->x, s->y};
        if (rank == 0) length = (int)strlen(s->name) + 1;
        MPI_Bcast(&length, 1, MPI_INT, 0, comm);
        if (rank != 0) s->name = ALLOCATE(length, char);
        MPI_Bcast(s->name, length, MPI_CHAR, 0, comm);
        MPI_Bcast(at, 2, MPI_DOUBLE, 0, comm);
        s->x = at[0], s->y = at[1];
    }
}

/* The same of lines. */
static void share_line(MPI_Comm comm, ScenarioStructure *structure) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(&structure->n_line, 1, MPI_INT, 0, comm);
    if (rank != 0) {
        memory_free(structure->line);
        structure->line = memory_allocate((size_t)structure->n_line, sizeof *structure->line);
    }
    MPI_Bcast(structure->line, 2 * structure->n_line, MPI_DOUBLE, 0, comm);
}

Status scenario_load(MPI_Comm comm, const char *path, const Overrides *overrides, Scenario **out) {
    int rank, length = 0;
    char *text = NULL;
    Status status = STATUS_OK;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        status = access(path, F_OK) == 0
                     ? scenario_read(path, overrides->text, overrides->count, out)
                     : error_raise(STATUS_BAD_INPUT,
                                   "cannot open %s: %s; ./maeotis list names the scenarios to start from",
                                   path, strerror(errno));
        if (status == STATUS_OK) length = (int)strlen((*out)->text) + 1;
    }
    TRY(status_agree(comm, status));
    MPI_Bcast(&length, 1, MPI_INT, 0, comm);
    text = rank == 0 ? (*out)->text : ALLOCATE(length, char);
    MPI_Bcast(text, length, MPI_CHAR, 0, comm);
    if (rank != 0) {
        status = scenario_parse(path, text, overrides->text, overrides->count, out);
        memory_free(text);
    }
    TRY(status_agree(comm, status));
    for (int n = 0; n < (*out)->n_outputs; n++)
        if ((*out)->outputs[n].kind == OUTPUT_STATIONS) share_stations(comm, &(*out)->outputs[n]);
    for (int n = 0; n < (*out)->n_structures; n++)
        if ((*out)->structures[n].file) share_line(comm, &(*out)->structures[n]);
    return STATUS_OK;
}

void command_word(char **line, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-%@";
    if (*word && word[strspn(word, plain)] == '\0') {
        memory_append(line, " %s", word);
        return;
    }
    memory_append(line, " '");
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            memory_append(line, "'\\''");
        else
            memory_append(line, "%c", *c);
    memory_append(line, "'");
}

char *command_line(int argc, char **argv) {
    char *line = memory_copy_text("maeotis");
    for (int n = 0; n < argc; n++) command_word(&line, argv[n]);
    return line;
}

void overrides_append(const Overrides *overrides, char **line) {
    for (int n = 0; n < overrides->count; n++) {
        memory_append(line, " --set");
        command_word(line, overrides->text[n]);
    }
}
