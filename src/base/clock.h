/*
 * Time, in nanoseconds of CLOCK_MONOTONIC, and sleeping until a moment of it.  A seam: tests bring a clock of
 * their own.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US 1000LL
#define NS_PER_MS 1000000LL
#define NS_PER_S  1000000000LL

struct clock {
    int64_t (*now_ns)(void *self);
    void (*sleep_until)(void *self, int64_t moment_ns); /* returns at once when the moment has passed */
    void *self;
};

/* The real one.  Sleeps to the absolute moment, however often signals wake it. */
struct clock clock_monotonic(void);

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t monotonic_ns(void);

/* CPU time of the calling thread, in nanoseconds. */
int64_t thread_cpu_ns(void);

#endif
