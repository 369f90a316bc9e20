/* Time in nanoseconds of CLOCK_MONOTONIC, and sleeping until a moment. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US 1000LL
#define NS_PER_MS 1000000LL
#define NS_PER_S  1000000000LL

/* A clock.  Tests supply their own. */
struct clock {
    int64_t (*now_ns)(void *self);
    void (*sleep_until)(void *self, int64_t moment_ns); /* returns at once if the moment has passed */
    void *self;
};

/* Linux only.  Returns the real clock, which sleeps until the absolute moment even if signals wake it. */
struct clock clock_monotonic(void);

/* Returns nanoseconds of CLOCK_MONOTONIC. */
int64_t monotonic_ns(void);

/* Returns the CPU time of the calling thread, in nanoseconds. */
int64_t thread_cpu_ns(void);

#endif
