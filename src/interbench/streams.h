/* The process that plays the tasks of a cell: a thread for each stream. */
#ifndef INTERBENCH_STREAMS_H
#define INTERBENCH_STREAMS_H

#include <stdatomic.h>
#include <stdint.h>

#include "bench.h"
#include "child.h"
#include "report.h"

struct stream {
    const struct task *task;
    int number, count;      /* which of how many streams of this task */
    int cpu;                /* to be bound to, or UNKNOWN */
    struct record *record;  /* in shared memory */
    struct frame_list *list; /* in shared memory, or null */
};

/* In shared memory, but for bench. */
struct play {
    const struct bench *bench;
    int64_t warmup_ns, duration_ns;
    _Atomic int64_t zero_ns; /* the moment of frame 0, set before the process may go */
    char why[LOAD_WHY_MAX];  /* why the process has failed */
    int stream_count;
    struct stream streams[];
};

/* The body of the process; data is the play. */
void streams_body(struct gate *gate, void *data);

#endif
