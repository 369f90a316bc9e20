/* Which tasks and loads are measured: what -w, -x, -W and -X leave of the tables. */
#ifndef INTERBENCH_SELECTION_H
#define INTERBENCH_SELECTION_H

#include "options.h"

struct words {
    int count;
    const char **words;
};

struct choice {
    struct words tasks, excluded_tasks, loads, excluded_loads; /* -W, -X, -w, -x */
};

/* Fills in tasks and loads of the options, of which all else is read.  What can't be ends the program. */
void select_cells(struct options *options, const struct choice *choice);

#endif
