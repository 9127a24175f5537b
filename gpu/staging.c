/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/staging.h"

Status staging_create(Exec exec, size_t bytes, Staging *out) {
    *out = (Staging){.exec = exec, .bytes = bytes};
    return pinned_allocate(exec, bytes, &out->filled);
}

void staging_release(Staging *staging) {
    pinned_free(staging->exec, staging->filled);
    *staging = (Staging){0};
}

void *staging_fill(Staging *staging) {
    if (staging->sent && staging->waits == exec_waits()) exec_wait(staging->exec);
    staging->sent = false;
    return staging->filled;
}

void staging_send(Staging *staging, void *to) {
    staging_send_rows(staging, to, (CopyRows){staging->bytes, staging->bytes, staging->bytes, 1});
}

void staging_send_rows(Staging *staging, void *to, CopyRows rows) {
    exec_copy_rows(staging->exec, to, staging->filled, rows);
    staging->sent = true;
    staging->waits = exec_waits();
}
