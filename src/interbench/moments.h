/*
 * Mean and standard deviation of values as they come (Welford 1962), of two sets together (Chan, Golub and LeVeque
 * 1979), and the extremes.  Values are nanoseconds.
 */
#ifndef INTERBENCH_MOMENTS_H
#define INTERBENCH_MOMENTS_H

#include <stdint.h>

struct moments {
    int64_t count, min, max;
    double mean, squares; /* sum of the squared deviations from the mean */
    double rest;          /* what rounding took from the mean: it counts when values are large and alike */
};

void moments_add(struct moments *moments, int64_t value);
void moments_merge(struct moments *into, const struct moments *from);

/* The standard deviation of a sample, with n - 1; negative below two values, as there is none. */
double moments_deviation(const struct moments *moments);

#endif
