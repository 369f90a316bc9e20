/* Values with their histogram and their moments.  Values are nanoseconds, below 0 counts as 0. */
#ifndef INTERBENCH_DISTRIBUTION_H
#define INTERBENCH_DISTRIBUTION_H

#include "histogram.h"
#include "moments.h"

#define UNKNOWN (-1)

/* How many values a 99th percentile needs. */
#define DISTRIBUTION_P99_LEAST 1000

struct distribution {
    struct histogram histogram;
    struct moments moments;
};

void distribution_add(struct distribution *distribution, int64_t value);
void distribution_merge(struct distribution *into, const struct distribution *from);

/*
 * The nearest-rank percentile, given in per mille (500, 950, 990, 999): the upper edge of its bucket, or the exact
 * greatest value where that is less.  UNKNOWN where fewer than ten values lie above it: unless
 * count * (1000 - per_mille) is at least 10000.
 */
int64_t distribution_percentile(const struct distribution *distribution, int per_mille);

/* The same, however few values there are; UNKNOWN only without any. */
int64_t distribution_rank(const struct distribution *distribution, int per_mille);

#endif
