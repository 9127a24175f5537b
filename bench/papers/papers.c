/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/papers/papers.h"

#include "base/data.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "gpu/card.h"
#include "gpu/device.h"
#include "numerics/cluster/cluster.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const Paper *const PAPERS[] = {&PAPER_MATM, &PAPER_DISTD2, &PAPER_NSHAPED};
enum { PAPER_COUNT = sizeof PAPERS / sizeof *PAPERS, MOST_BYTES = 1 << 20 };

static const char HEAD[] =
    "# The three papers\n\n"
    "The program grew around three papers. Their figures and tables, as far as they hold numbers, beside "
    "what this program\n"
    "reaches, row by row: the paper's value, the command, our value, and where it was measured.\n\n"
    "    ./maeotis bench papers                  measures what this machine can, in less than ten minutes, "
    "and writes this page\n"
    "    ./maeotis bench papers nshaped 10       only the rows of a paper, or those with a word in their "
    "cells\n"
    "    ./maeotis bench papers --device gpu     the rows of a GPU; `./maeotis gpu-report` does it, too\n"
    "    ./maeotis bench papers --from FILE.md   takes the rows that another machine has measured (there: -o "
    "FILE.md)\n\n"
    "Rows that a machine cannot measure keep the figures of the last one that could.\n";

/* What follows is kept. */
static const char BY_HAND[] = "<!-- From here on the page is written by hand. -->";

/* ---- the page ---- */

static char *first_cells(const PaperRow *row) {
    return memory_format("| %s | %s |", row->where, row->what);
}

static bool is_wanted(const Paper *paper, const PaperRow *row, const char *const *words, int count) {
    for (int n = 0; n < count; n++)
        if (strcmp(paper->name, words[n]) == 0 || strstr(row->where, words[n]) || strstr(row->what, words[n]))
            return true;
    return count == 0;
}

static bool line_says(const char *line, const char *words) {
    const char *found = strstr(line, words);
    return found && found < line + strcspn(line, "\n");
}

/* The last two cells of the row in the page, NULL if nobody has measured it. To be freed. */
static char *measured_cells(const char *page, const PaperRow *row) {
    char *cells = first_cells(row);
    const char *line = strstr(page, cells);
    memory_free(cells);
    if (!line || line_says(line, "| not measured")) return NULL;
    const char *end = line + strcspn(line, "\n"), *from = end;
    for (int bars = 0; from > line && bars < 3; from--) bars += from[-1] == '|';
    return memory_format("%.*s", (int)(end - from), from);
}

static char *unmeasured_cells(const PaperRow *row) {
    static const char *const needed[] = {"a core", "several cores", "a GPU", "another machine"};
    return memory_format("| not measured: needs %s | |", row->lacks ? row->lacks : needed[row->need]);
}

static void append_row(const Paper *paper, const PaperRow *row, const char *cells, char **text) {
    if (row->command)
        memory_append(text, "| %s | %s | %s | `%s` ", row->where, row->what, row->paper, row->command);
    else
        memory_append(text, "| %s | %s | %s | `bench papers %s%s` ", row->where, row->what, row->paper,
                      paper->name, row->need == NEEDS_GPU ? " --device gpu" : "");
    memory_append(text, "%s\n", cells);
}

/* `cells`: of all rows of all papers. To be freed. */
static char *text_of_page(char *const *cells) {
    char *text = memory_copy_text(HEAD);
    for (int p = 0; p < PAPER_COUNT; p++) {
        memory_append(&text, "\n## %s\n\n%s\n\n", PAPERS[p]->title, PAPERS[p]->reference);
        memory_append(&text, "| Where | What | The paper | Command | Here | Measured on |\n");
        memory_append(&text, "| --- | --- | --- | --- | --- | --- |\n");
        for (int r = 0; r < PAPERS[p]->rows; r++) append_row(PAPERS[p], &PAPERS[p]->row[r], *cells++, &text);
    }
    return text;
}

/* Where and when: the last cell. To be freed. */
static char *this_machine(const PaperRun *run, Exec exec) {
    char day[16] = "";
    const time_t now = time(NULL);
    int ranks;
    MPI_Comm_size(run->comm, &ranks);
    (void)strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    if (exec.device == DEVICE_GPU) return memory_format("%s, %s", card_of(exec).name, day);
    Cluster here = {0};
    cluster_find_here(&here);
    char *text =
        memory_format("%s, %d core%s, %s", here.node->device->name, ranks, ranks == 1 ? "" : "s", day);
    cluster_release(&here);
    return text;
}

static Status read_page(const char *path, char **text) {
    FILE *file = path ? fopen(path, "r") : NULL;
    *text = NULL;
    if (!file) {
        *text = memory_copy_text("");
        return STATUS_OK;
    }
    fclose(file);
    return file_read_text(path, MOST_BYTES, text);
}

static Status write_page(const char *path, char *const *cells, const char *before) {
    const char *by_hand = strstr(before, BY_HAND);
    FILE *file = fopen(path, "w");
    CHECK(file, STATUS_FAILED, "%s cannot be written: %s", path, strerror(errno));
    char *text = text_of_page(cells);
    const bool fine = fprintf(file, "%s%s%s", text, by_hand ? "\n" : "", by_hand ? by_hand : "") >= 0;
    memory_free(text);
    CHECK(fclose(file) == 0 && fine, STATUS_FAILED, "%s cannot be written: %s", path, strerror(errno));
    return STATUS_OK;
}

/* ---- measuring ---- */

/* The page as it stands, and the cells of all its rows, of all papers in turn. */
typedef struct Page {
    const char *path;
    char *before, *from; /* the page until now; one of another machine, or empty */
    char **cells;
} Page;

static bool can_measure(const PaperRow *row, const PaperRun *run) {
    int ranks;
    MPI_Comm_size(run->comm, &ranks);
    if (strcmp(run->device, "cpu") != 0) return row->need == NEEDS_GPU && ranks == 1;
    return row->need == (ranks > 1 ? NEEDS_RANKS : NEEDS_CORE);
}

/* What it found; NULL: no figure, or a measurement that failed, which takes those of other rows not along. */
static char *measure_row(const PaperRow *row, const PaperRun *run, Status *worst) {
    char *here = NULL;
    const double start = MPI_Wtime();
    const Status status = status_agree(run->comm, row->measure(run, &here));
    if (status != STATUS_OK) {
        error_report(run->comm);
        error_clear();
        *worst = status;
    } else
        log_info("%s, %s: %s (%.1f s)", row->where, row->what,
                 here ? here : "it ran, and gives no figure here", MPI_Wtime() - start);
    return here;
}

/* The rows of all papers; the page is written whenever one is found, so that what ends it early loses nothing. */
static Status measure_rows(const PaperRun *run, const char *const *words, int count, const char *machine,
                           const Page *page) {
    const bool emulated = strcmp(run->device, "emu") == 0;
    char **cells = page->cells;
    Status worst = STATUS_OK;
    int rank;
    MPI_Comm_rank(run->comm, &rank);
    for (int p = 0; p < PAPER_COUNT; p++)
        for (int r = 0; r < PAPERS[p]->rows; r++, cells++) {
            const PaperRow *row = &PAPERS[p]->row[r];
            if (!row->measure || !can_measure(row, run) || !is_wanted(PAPERS[p], row, words, count)) continue;
            char *here = measure_row(row, run, &worst);
            if (here && !emulated) {
                memory_free(*cells);
                *cells = memory_format("| %s | %s |", here, machine);
            }
            memory_free(here);
            TRY(status_agree(run->comm, rank == 0 && !emulated
                                            ? write_page(page->path, page->cells, page->before)
                                            : STATUS_OK));
        }
    return worst;
}

/* Those of the other machine first, then what stands there. */
static void take_cells(Page *page, const char *const *words, int count) {
    int all = 0;
    for (int p = 0; p < PAPER_COUNT; p++) all += PAPERS[p]->rows;
    char **cells = page->cells = ALLOCATE(all, char *);
    for (int p = 0; p < PAPER_COUNT; p++)
        for (int r = 0; r < PAPERS[p]->rows; r++, cells++) {
            const PaperRow *row = &PAPERS[p]->row[r];
            if (is_wanted(PAPERS[p], row, words, count)) *cells = measured_cells(page->from, row);
            if (*cells) log_info("%s, %s: taken", row->where, row->what);
            if (!*cells) *cells = measured_cells(page->before, row);
            if (!*cells) *cells = unmeasured_cells(row);
        }
}

static void page_release(Page *page) {
    for (int p = 0, n = 0; p < PAPER_COUNT; p++)
        for (int r = 0; r < PAPERS[p]->rows; r++, n++)
            if (page->cells) memory_free(page->cells[n]);
    memory_free(page->cells);
    memory_free(page->before);
    memory_free(page->from);
}

Status bench_papers(MPI_Comm comm, const char *device, const char *const *words, int count, const char *to,
                    const char *from) {
    const PaperRun run = {comm, device};
    Page page = {0};
    char *shipped = NULL, *machine = NULL;
    Exec exec;
    int rank;
    Status status;
    const double start = MPI_Wtime();
    MPI_Comm_rank(comm, &rank);
    TRY(status_agree(comm, exec_create(device, rank, 1, &exec)));
    machine = this_machine(&run, exec);
    exec_destroy(&exec);
    if (!to && data_find("docs/papers.md", &shipped) != STATUS_OK) error_clear();
    page.path = to ? to : shipped ? shipped : "papers.md";
    ATTEMPT(status_agree(comm, read_page(page.path, &page.before)));
    if (from)
        ATTEMPT(status_agree(comm, file_read_text(from, MOST_BYTES, &page.from)));
    else
        page.from = memory_copy_text("");
    take_cells(&page, words, count);
    if (!from) status = measure_rows(&run, words, count, machine, &page);
    if (rank == 0 && strcmp(device, "emu") != 0) {
        const Status written = write_page(page.path, page.cells, page.before);
        if (written == STATUS_OK) log_info("%s written (%.0f s)", page.path, MPI_Wtime() - start);
        if (status == STATUS_OK) status = written;
    }
    status = status_agree(comm, status);
cleanup:
    memory_free(shipped);
    memory_free(machine);
    page_release(&page);
    return status;
}

void bench_papers_list(void) {
    for (int p = 0; p < PAPER_COUNT; p++)
        for (int r = 0; r < PAPERS[p]->rows; r++) {
            char *cells = first_cells(&PAPERS[p]->row[r]);
            puts(cells);
            memory_free(cells);
        }
}
