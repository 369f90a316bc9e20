/* All cells of an invocation, in shuffled order, as often as they are to be repeated. */
#ifndef INTERBENCH_MATRIX_H
#define INTERBENCH_MATRIX_H

#include "bench.h"
#include "rawfile.h"
#include "report.h"

/* How many cells the tasks and loads that are left come to. */
int matrix_cells(const struct options *options);

/*
 * Measures all and fills in the report's rows, in the order of the tables; of cells that were not measured there is no
 * row, unless others like them were.  raw may be null.
 */
enum outcome matrix_run(struct bench *bench, struct report *report, struct raw_file *raw);

#endif
