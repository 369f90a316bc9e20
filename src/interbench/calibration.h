/* How many loops a millisecond of this CPU is worth. */
#ifndef INTERBENCH_CALIBRATION_H
#define INTERBENCH_CALIBRATION_H

#include <stdint.h>

struct calibration {
    int64_t loops_per_ms;
    double spread; /* of the batches, in parts of 1: from the fast decile to the median */
    int attempts;
    int is_unsteady; /* the spread stayed above 5 % in all attempts */
};

/* What calibration needs: CPU time of this thread, and the loop; a seam for tests. */
struct stopwatch {
    int64_t (*cpu_ns)(void *self);
    void (*burn)(void *self, uint64_t loops);
    void *self;
};

/*
 * On the first CPU that is allowed: at least 300 ms of warm-up, then 21 batches of about 10 ms in CPU time of the
 * thread, of which the fast decile counts; when they spread by more than 5 %, again, up to 5 times.  Always ends.
 */
struct calibration calibrate(struct stopwatch stopwatch);

/* The real one, in a thread that is bound to the first CPU that is allowed. */
struct calibration calibrate_here(void);

/*
 * The value of an earlier calibration, kept in $XDG_CACHE_HOME/interbench or ~/.cache/interbench (with UB_SCRATCH:
 * there) under the model of the CPU and a hash of this program's file, or 0.
 */
int64_t calibration_kept(void);

/* Keeps it; what can't be kept is measured again next time. */
void calibration_keep(int64_t loops_per_ms);

#endif
