/*
 * The work of a frame: a loop that only counts, about one turn per clock cycle.  A demand is given in nanoseconds of
 * a CPU that does so many loops a millisecond: this one, by calibration, or the reference machine.  A seam: tests
 * bring work of their own.
 */
#ifndef INTERBENCH_WORK_H
#define INTERBENCH_WORK_H

#include <stdint.h>

#define REFERENCE_LOOPS_PER_MS 4214517 /* an AMD EPYC at 4.2 GHz */

struct work {
    void (*burn)(void *self, int64_t demand_ns);
    void *self;
};

/* Counts to that number: one function, never inlined, so that calibration and frames run the same code. */
void burn_loops(uint64_t loops);

/* The loops that a demand comes to, rounded to the nearest, exact up to 64 bits. */
uint64_t loops_of(int64_t demand_ns, int64_t loops_per_ms);

/* Work of a fixed size; loops_per_ms has to live as long as the work. */
struct work work_of_loops(const int64_t *loops_per_ms);

/* Work until the thread has used so much CPU time, whatever it got done: it tells the scheduler's part alone. */
struct work work_of_cpu_time(void);

#endif
