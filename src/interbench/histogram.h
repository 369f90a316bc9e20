/*
 * How often values were seen, in buckets at most 1/128 of their value wide: log-linear, 128 to an octave, exact
 * below 256, without end (after HdrHistogram).  Values are nanoseconds.  Two histograms can be added.
 */
#ifndef INTERBENCH_HISTOGRAM_H
#define INTERBENCH_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BITS    7
#define HISTOGRAM_BUCKETS 7424 /* all of uint64_t */

struct histogram {
    uint64_t count;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

int histogram_index(uint64_t value);
uint64_t histogram_low(int index);
uint64_t histogram_high(int index);

void histogram_add(struct histogram *histogram, uint64_t value);
void histogram_merge(struct histogram *into, const struct histogram *from);

/* The upper edge of the bucket that holds the value of that rank, 1 .. count. */
uint64_t histogram_at_rank(const struct histogram *histogram, uint64_t rank);

#endif
