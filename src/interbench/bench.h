/* What all cells of an invocation have in common. */
#ifndef INTERBENCH_BENCH_H
#define INTERBENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "load.h"
#include "options.h"

#define TROUBLE_MAX 300

/* How a step ended. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_FAILED,      /* a child has failed; trouble says why */
    OUTCOME_TIMED_OUT,   /* a child took too long; trouble says which */
    OUTCOME_NO_ROOM,     /* memory can't be had; trouble says how much */
    OUTCOME_INTERRUPTED  /* a signal is to end the run */
};

struct bench {
    const struct options *options;
    struct load_setting setting;
    int64_t loops_per_ms; /* of the work of tasks */
    int cpu_count;        /* that may be used */
    int pin_cpu;          /* that tasks and loads are bound to, or UNKNOWN */
    char trouble[TROUBLE_MAX];
};

/* Notes what went wrong, and returns the outcome. */
__attribute__((format(printf, 3, 4)))
enum outcome bench_trouble(struct bench *bench, enum outcome outcome, const char *format, ...);

/*
 * Whether a step counts for nothing, as this program was stopped since events_was_stopped was last called: what was
 * measured meanwhile, or took too long, is to be measured again.
 */
int outcome_is_void(enum outcome outcome);

/* Anonymous memory that children share, zeroed; null, and trouble, when there is none. */
void *shared_memory(struct bench *bench, size_t size);
void shared_memory_free(void *memory, size_t size);

#endif
