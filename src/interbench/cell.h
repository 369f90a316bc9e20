/* A cell of the table: one or several tasks, played together under one load. */
#ifndef INTERBENCH_CELL_H
#define INTERBENCH_CELL_H

#include "bench.h"
#include "rawfile.h"
#include "report.h"

struct cell {
    const struct task *const *tasks;
    int task_count;
    const struct load *load;
};

struct cell_result {
    struct record *records; /* of each task, all streams together */
    double rates[LOAD_PARTS_MAX]; /* what the load did a second */
    struct disturbance disturbance;
};

/*
 * Measures the cell once, and writes its frames to raw, unless null.  A cell in which this program was stopped is
 * measured again.  records is allocated here, whatever the outcome, and freed by the caller.
 */
enum outcome cell_run(struct bench *bench, const struct cell *cell, struct cell_result *result, struct raw_file *raw);

#endif
