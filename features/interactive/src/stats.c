/* Computes statistics value by value, in constant memory. */
#include "stats.h"

#include <math.h>

/* Returns value - mean.  If the two differ little, the first difference is exact, so that the rest is not lost. */
static double deviation_of(const struct moments *moments, double value)
{
    return (value - moments->mean) - moments->rest;
}

/* Adds a step to the mean by Kahan's summation. */
static void move_mean(struct moments *moments, double step)
{
    const double exact_step = step + moments->rest;
    const double moved = moments->mean + exact_step;

    moments->rest = exact_step - (moved - moments->mean);
    moments->mean = moved;
}

void moments_add(struct moments *moments, int64_t value)
{
    const double deviation = deviation_of(moments, (double)value);

    moments->max = moments->count > 0 ? greatest(moments->max, value) : value;
    moments->count++;
    move_mean(moments, deviation / (double)moments->count);
    moments->squares += deviation * deviation_of(moments, (double)value);
}

void moments_merge(struct moments *into, const struct moments *from)
{
    if (from->count == 0)
        return;
    if (into->count == 0) {
        *into = *from;
        return;
    }

    const double deviation = deviation_of(into, from->mean) + from->rest;
    const double share = (double)from->count / (double)(into->count + from->count);

    into->squares += from->squares + deviation * deviation * share * (double)into->count;
    move_mean(into, deviation * share);
    into->max = greatest(into->max, from->max);
    into->count += from->count;
}

double moments_deviation(const struct moments *moments)
{
    if (moments->count < 2)
        return -1;
    return sqrt(moments->squares / (double)(moments->count - 1));
}

#define OCTAVE (1 << HISTOGRAM_BITS)

/* The index consists of the exponent of the value and its upper bits. */
int histogram_index(uint64_t value)
{
    const int octave = value < 2 * OCTAVE ? 0 : 63 - __builtin_clzll(value) - HISTOGRAM_BITS;

    return octave * OCTAVE + (int)(value >> octave);
}

static int octave_of(int index)
{
    return index < 2 * OCTAVE ? 0 : index / OCTAVE - 1;
}

uint64_t histogram_low(int index)
{
    const int octave = octave_of(index);

    return (uint64_t)(index - octave * OCTAVE) << octave;
}

/* For the last bucket the sum wraps to 0, and the edge is the greatest number of 64 bits. */
uint64_t histogram_high(int index)
{
    const int octave = octave_of(index);

    return ((uint64_t)(index - octave * OCTAVE + 1) << octave) - 1;
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->count++;
    histogram->buckets[histogram_index(value)]++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    into->count += from->count;
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
}

uint64_t histogram_at_rank(const struct histogram *histogram, uint64_t rank)
{
    uint64_t seen = 0;

    for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if (seen >= rank)
            return histogram_high(i);
    }
    return histogram_high(HISTOGRAM_BUCKETS - 1);
}

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

    if (count == 0)
        return UNKNOWN;

    const uint64_t rank = (count * (uint64_t)per_mille + 999) / 1000;
    const uint64_t edge = histogram_at_rank(&distribution->histogram, rank > 0 ? rank : 1);

    return least((int64_t)edge, distribution->moments.max);
}
