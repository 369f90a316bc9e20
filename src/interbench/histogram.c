/* A log-linear histogram: the exponent and the upper bits of a value are the number of its bucket. */
#include "histogram.h"

#define OCTAVE (1 << HISTOGRAM_BITS)

int histogram_index(uint64_t value)
{
    int octave = value < 2 * OCTAVE ? 0 : 63 - __builtin_clzll(value) - HISTOGRAM_BITS;

    return octave * OCTAVE + (int)(value >> octave);
}

static int octave_of(int index)
{
    return index < 2 * OCTAVE ? 0 : index / OCTAVE - 1;
}

uint64_t histogram_low(int index)
{
    int octave = octave_of(index);

    return (uint64_t)(index - octave * OCTAVE) << octave;
}

/* Of the last bucket the sum wraps to 0, and the edge is the greatest number of 64 bits. */
uint64_t histogram_high(int index)
{
    int octave = octave_of(index);

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
