/* Sums and units of counters, of which any may be unknown: -1. */
#ifndef MULTIUSER_METERS_UNITS_H
#define MULTIUSER_METERS_UNITS_H

#include <stdint.h>

/* One and the other; unknown when one of them is, or the sum is too large. */
int64_t meters_sum(int64_t one, int64_t other);

/* What one is more than the other; unknown when one of them is, or the other is more. */
int64_t meters_rest(int64_t one, int64_t other);

/* Microseconds that ticks of the kernel come to. */
int64_t meters_ticks_us(int64_t ticks);

/* A count since the start of the machine that is 0 nowhere: where it is, nobody counts, and it is unknown. */
int64_t meters_counted(int64_t count);

#endif
