/* Whether something is left to measure, and all that was defined is among it. */
#ifndef INTERBENCH_SELECTION_CHECK_H
#define INTERBENCH_SELECTION_CHECK_H

#include "options.h"

/* What is wrong ends the program. */
void check_selection(const struct options *options);

#endif
