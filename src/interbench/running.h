/* A load that is running, in its process. */
#ifndef INTERBENCH_RUNNING_H
#define INTERBENCH_RUNNING_H

#include "bench.h"
#include "child.h"

struct running {
    const struct load *load;
    struct load_board *board;
    struct child child;
    struct bench *bench;
};

/* What the parts of a load had done at a moment. */
struct progress {
    int64_t moment_ns;
    int is_steady; /* the load works as it will go on working */
    uint64_t done[LOAD_PARTS_MAX];
};

/* Starts the process and waits until it is ready; None has no process. */
enum outcome running_begin(struct running *running, struct bench *bench, const struct load *load);

/* Lets the load work, and waits until it does so steadily, at most 10 s. */
enum outcome running_go(struct running *running);

/* What it has done so far. */
struct progress running_progress(const struct running *running);

/* What each part did a second between two moments, UNKNOWN when it was not steady yet at the first. */
void running_rates(const struct progress *from, const struct progress *to, double rates[LOAD_PARTS_MAX]);

/* Why the load has ended, as trouble; OUTCOME_DONE when it has not. */
enum outcome running_check(struct running *running);

/* Waits until that moment while the load works; returns early when a child has ended, be it the load or not. */
enum outcome running_wait(struct running *running, int64_t moment_ns);

/* Ends it with all that it has started. */
void running_end(struct running *running);

#endif
