/* Histogram and moments of the same values, and percentiles. */
#include "distribution.h"

void distribution_add(struct distribution *distribution, int64_t value)
{
    if (value < 0)
        value = 0;
    histogram_add(&distribution->histogram, (uint64_t)value);
    moments_add(&distribution->moments, value);
}

void distribution_merge(struct distribution *into, const struct distribution *from)
{
    histogram_merge(&into->histogram, &from->histogram);
    moments_merge(&into->moments, &from->moments);
}

int64_t distribution_percentile(const struct distribution *distribution, int per_mille)
{
    if (distribution->moments.count * (1000 - per_mille) < 10000)
        return UNKNOWN;
    return distribution_rank(distribution, per_mille);
}

int64_t distribution_rank(const struct distribution *distribution, int per_mille)
{
    const uint64_t count = distribution->histogram.count;
    const uint64_t greatest = (uint64_t)distribution->moments.max;
    uint64_t rank = (count * (uint64_t)per_mille + 999) / 1000;
    uint64_t edge;

    if (count == 0)
        return UNKNOWN;
    edge = histogram_at_rank(&distribution->histogram, rank > 0 ? rank : 1);
    return (int64_t)(edge < greatest ? edge : greatest);
}
