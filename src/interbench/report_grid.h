/* Prints rows in columns that are as wide as they need be. */
#ifndef INTERBENCH_REPORT_GRID_H
#define INTERBENCH_REPORT_GRID_H

#include "report_columns.h"

#define TABLE_WIDTH 120

struct grid {
    const struct column *columns;
    int is_mix, is_repeated;
    int row_count;
    const struct row *rows[TASKS_MAX * LOADS_MAX];
};

/* In microseconds or, where that is wider than TABLE_WIDTH, in milliseconds or seconds. */
void grid_print(const struct grid *grid, FILE *out);

#endif
