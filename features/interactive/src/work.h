/*
 * The work of a frame: a loop that only counts, about one turn per clock cycle.  A demand is given in nanoseconds of a
 * CPU that does a known number of loops per millisecond: this CPU, by calibration, or the reference machine.
 */
#ifndef INTERBENCH_WORK_H
#define INTERBENCH_WORK_H

#include <stdint.h>

#define REFERENCE_LOOPS_PER_MS 4214517 /* an AMD EPYC at 4.2 GHz */

/* A kind of work.  Tests supply their own. */
struct work {
    void (*burn)(void *self, int64_t demand_ns);
    void *self;
};

/* Counts to that number.  It is one function, never inlined, so that calibration and frames run the same code. */
void burn_loops(uint64_t loops);

/* Returns the number of loops for a demand, rounded to the nearest integer, exact up to 64 bits. */
uint64_t loops_of(int64_t demand_ns, int64_t loops_per_ms);

/* Returns work of a fixed size; loops_per_ms has to live as long as the work. */
struct work work_of_loops(const int64_t *loops_per_ms);

struct calibration {
    int64_t loops_per_ms;
    double spread; /* of the batches, as a fraction: from the fast decile to the median */
    int is_unsteady; /* the spread stayed above 5 % in all attempts */
};

/* The stopwatch of calibration: the CPU time of this thread, and the loop.  Tests supply their own. */
struct stopwatch {
    int64_t (*cpu_ns)(void *self);
    void (*burn)(void *self, uint64_t loops);
    void *self;
};

/*
 * Finds the loops per millisecond.  After a warm-up of 300 ms it times 21 batches of about 10 ms of CPU time each.  The
 * result is their fast decile.  If they spread by more than 5 %, it tries again; it makes at most 5 attempts.
 */
struct calibration calibrate(struct stopwatch stopwatch);

/* Calibrates this machine, in a thread that is bound to the first CPU that is allowed. */
struct calibration calibrate_here(void);

#endif
