/*
 * What a thread used from its first frame that counts to its last: CPU time, waiting on run queues, switches,
 * migrations.  Between frames it asks for nothing that enters the kernel: on the way out the thread could lose the
 * CPU that it would otherwise have given back by sleeping.
 */
#ifndef INTERBENCH_METER_H
#define INTERBENCH_METER_H

#include <stdint.h>

#include "report.h"

struct meter {
    struct record *record;
    int schedstat;             /* descriptor, or -1 */
    int has_started;           /* the first frame that counts has come */
    int cpu;                   /* of the last frame, or UNKNOWN */
    int64_t cpu_ns, run_delay_ns, voluntary, involuntary; /* when the first frame began */
};

/* In the thread that will play; what it finds goes to the record. */
void meter_begin(struct meter *meter, struct record *record);

/* Right before the work of each frame that counts. */
void meter_frame(struct meter *meter);

/* When all is played. */
void meter_finish(struct meter *meter);

#endif
