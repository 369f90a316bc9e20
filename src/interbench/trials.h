/* The trials of the interactive capacity on this machine. */
#ifndef INTERBENCH_TRIALS_H
#define INTERBENCH_TRIALS_H

#include "bench.h"
#include "capacity.h"

/* Searches the capacity, with Burn running all the while, one thread for each CPU. */
enum outcome trials_run(struct bench *bench, struct capacity *capacity);

#endif
