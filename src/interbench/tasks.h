/* The simulated interactive tasks: how often they want the CPU, and for how long. */
#ifndef INTERBENCH_TASKS_H
#define INTERBENCH_TASKS_H

#include <stdint.h>

#include "schedule.h"

#define TASKS_MAX 12

struct task {
    const char *name;
    const char *about;                 /* for --list */
    int64_t period_num_ns, period_den; /* num 0: no period, jobs back to back (Gaming) */
    int64_t demand_ns;                 /* of a frame or a job */
    int spread_percent;                /* releases are put off by 0 to so many percent of the period */
    int is_varying;                    /* demand runs through 0 .. 99 % of the period, shuffled, at most 95 % */
    int is_default;                    /* part of the standard matrix */
    int is_real_time;                  /* part of it with -r */
    int is_mixed;                      /* part of the desktop mix */
};

/* All tasks, in the order of the tables; Custom is among them when its period is not 0. */
int tasks_count(void);
const struct task *tasks_at(int index);

/* The task of that name, in whatever case, or null. */
const struct task *tasks_find(const char *name);

/* Makes Custom a task: so many percent of the CPU each so many microseconds. */
void tasks_define_custom(int percent, int64_t period_us);

/* The schedule of one of several streams of a task; the streams' phases differ. Not for tasks without a period. */
struct schedule task_schedule(const struct task *task, uint64_t seed, int stream, int stream_count);

/* Whether a task has deadlines. */
int task_is_periodic(const struct task *task);

#endif
