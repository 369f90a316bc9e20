/* An invocation from the options that were read to the exit status. */
#ifndef INTERBENCH_CONTROLLER_H
#define INTERBENCH_CONTROLLER_H

#include "options.h"

/* Measures what the options ask for and writes the results; returns the exit status, 128 + N after signal N. */
int controller_run(struct options *options);

/* Prints all tasks and loads, and which can't be had here. */
void controller_list(const struct options *options);

#endif
