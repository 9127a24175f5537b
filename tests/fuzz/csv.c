/* SPDX-License-Identifier: Apache-2.0
 *
 * Series: what is accepted has ascending times and finite values.
 */
#include "model/forcing/csv.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Csv *csv = NULL;
    Status status = csv_read(fuzz_file(data, size), 0, &csv);
    if ((status == STATUS_OK) != (csv != NULL)) abort();
    for (int n = 0; csv && n < csv->rows * csv->columns; n++)
        if (!isfinite(csv->values[n])) abort();
    for (int n = 1; csv && n < csv->rows; n++)
        if (!(csv->time[n] > csv->time[n - 1])) abort();
    if (csv) memory_free(csv_column_list(csv));
    csv_destroy(&csv);
    fuzz_check(status);
    if (memory_in_use() != 0) abort();
    return 0;
}
