/* Options that don't go together: of two, one would be ignored. */
#ifndef INTERBENCH_OPTIONS_CONFLICTS_H
#define INTERBENCH_OPTIONS_CONFLICTS_H

#include "options.h"
#include "options_table.h"

/* given[i]: whether the option of row i is on the command line.  A conflict ends the program. */
void check_conflicts(const struct options *options, const int given[OPTIONS_MAX]);

#endif
