/* SPDX-License-Identifier: Apache-2.0 */
#include "program/machine_kept.h"

#include "base/memory.h"
#include "output/parts.h"
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

char *machine_kept_path(void) {
    const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool own = folder && *folder == '/';
    if (!own && !(home && *home == '/')) return NULL;
    Cluster here;
    cluster_find_here(&here);
    char *name = memory_format("%s-%s", here.host, here.node->device->name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-') *c = '_';
    char *path = memory_format("%s%s/maeotis/%s.json", own ? folder : home, own ? "" : "/.cache", name);
    memory_free(name);
    cluster_release(&here);
    return path;
}

char *machine_keep(const Cluster *cluster) {
    char *path = machine_kept_path();
    if (path && path_make_folders(path) == STATUS_OK && cluster_write(path, cluster) == STATUS_OK)
        return path;
    error_clear();
    memory_free(path);
    return NULL;
}

bool machine_recall(int ranks, Machine *out) {
    char *path = machine_kept_path();
    Cluster kept;
    const bool is = path && access(path, R_OK) == 0 && cluster_read(path, &kept) == STATUS_OK;
    if (is) {
        *out = cluster_machine(&kept, ranks);
        memory_free(out->node); /* all are here */
        out->node = NULL;
        out->origin = "as calibrated on this machine";
        cluster_release(&kept);
    }
    error_clear();
    memory_free(path);
    return is;
}

bool machine_recall_first(MPI_Comm comm, Machine *out) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    return rank == 0 && ranks > 1 && machine_recall(ranks, out);
}
