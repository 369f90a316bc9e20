/* The task's process of a cell: its making, its run, its end. */
#ifndef INTERBENCH_PLAY_H
#define INTERBENCH_PLAY_H

#include "bench.h"
#include "child.h"
#include "running.h"
#include "streams.h"

struct performance {
    struct bench *bench;
    struct play *play; /* in shared memory, with all records and lists */
    struct child child;
    size_t size;
};

/* The tasks that are played together, each as so many streams; is_counting_only for books without distributions. */
struct cast {
    const struct task *const *tasks;
    int task_count, copies;
    int is_counting_only, is_listing;
    int64_t warmup_ns, duration_ns;
};

/* Starts the process and waits until all streams are set up; running is the load that is to run beside it. */
enum outcome play_begin(struct performance *performance, struct running *running, const struct cast *cast);

/*
 * Plays to the end, while the load runs.  Writes what the load did a second while frames counted to rates, where
 * that is not null.
 */
enum outcome play_run(struct performance *performance, struct running *running, double rates[LOAD_PARTS_MAX]);

/* Ends the process, and gives back the memory. */
void play_end(struct performance *performance);

#endif
