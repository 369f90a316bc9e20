/* Statistics of values in nanoseconds: moments, histogram, and both together as a distribution with percentiles. */
#ifndef INTERBENCH_STATS_H
#define INTERBENCH_STATS_H

#include <stdint.h>

#define UNKNOWN (-1)

static inline int64_t least(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static inline int64_t greatest(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

/*
 * Mean, standard deviation and maximum.  They are updated with each value (Welford 1962), and merged from two sets
 * (Chan, Golub and LeVeque 1979).
 */
struct moments {
    int64_t count, max;
    double mean, squares; /* sum of the squared deviations from the mean */
    double rest;          /* the part of the mean that rounding lost: matters if values are large and differ little */
};

void moments_add(struct moments *moments, int64_t value);
void moments_merge(struct moments *into, const struct moments *from);

/* Returns the standard deviation of the sample, with n - 1; negative for fewer than two values. */
double moments_deviation(const struct moments *moments);

#define HISTOGRAM_BITS    7
#define HISTOGRAM_BUCKETS 7424 /* all of uint64_t */

/*
 * Counts of values, in buckets that are at most 1/128 of their value wide.  The buckets are log-linear, 128 to an
 * octave, exact below 256, and without an upper limit (after HdrHistogram).
 */
struct histogram {
    uint64_t count;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *histogram, uint64_t value);
void histogram_merge(struct histogram *into, const struct histogram *from);

/* Return the index of a value's bucket, and the least and the greatest value of a bucket. */
int histogram_index(uint64_t value);
uint64_t histogram_low(int index);
uint64_t histogram_high(int index);

/* Returns the upper edge of the bucket that holds the value of that rank, 1 .. count. */
uint64_t histogram_at_rank(const struct histogram *histogram, uint64_t rank);

/* The least number of values for which a 99th percentile is known. */
#define DISTRIBUTION_P99_LEAST 1000

struct distribution {
    struct histogram histogram;
    struct moments moments;
};

/* Adds a value; a negative one counts as 0. */
void distribution_add(struct distribution *distribution, int64_t value);
void distribution_merge(struct distribution *into, const struct distribution *from);

/*
 * Returns the nearest-rank percentile, given in per mille (500, 950, 990, 999): the upper edge of its bucket, or the
 * exact maximum if that is less.  UNKNOWN if fewer than ten values lie above it, that is, if count * (1000 - per_mille)
 * is below 10000.
 */
int64_t distribution_percentile(const struct distribution *distribution, int per_mille);

/* Returns the same percentile for any number of values; UNKNOWN only if there are none. */
int64_t distribution_rank(const struct distribution *distribution, int per_mille);

#endif
