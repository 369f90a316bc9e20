/* What loads get done on their own, measured once each, and what they got done beside a task as part of that. */
#ifndef INTERBENCH_ALONE_H
#define INTERBENCH_ALONE_H

#include "bench.h"

/*
 * Writes to part what the load did, in parts of what it does alone, over all its parts the mean; UNKNOWN for a load
 * that does nothing.  Measures the load alone when it is asked for the first time.
 */
enum outcome alone_part(struct bench *bench, const struct load *load, const double rates[LOAD_PARTS_MAX],
                        double *part);

#endif
