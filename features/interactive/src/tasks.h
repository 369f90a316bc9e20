/* The simulated interactive tasks, and the schedules of their frames. */
#ifndef INTERBENCH_TASKS_H
#define INTERBENCH_TASKS_H

#include <stdint.h>

#define SHARES_MAX 100

/*
 * When the frames of a stream are due, and how much work each one demands: fixed before the run, from the number of the
 * frame alone, so that no error adds up and no event can move a frame.  Times are relative to the nominal moment of
 * frame 0.
 */
struct schedule {
    int64_t period_num_ns, period_den; /* the period is their quotient: 60 Hz is 10^9 / 60 */
    int64_t spread_ns;                 /* each release is delayed by 0 to this, evenly distributed */
    int64_t phase_ns;                  /* all releases are delayed by this */
    int64_t demand_ns;                 /* of every frame, unless there are shares */
    int share_count;                   /* of X: demands in percent of the period, in turn */
    unsigned char shares[SHARES_MAX];
    uint64_t seed;
};

/* Returns R_k = phase + floor(k * period) + the random delay of frame k; it rises strictly with k. */
int64_t schedule_release_ns(const struct schedule *schedule, int64_t k);

/* Returns D_k = R_(k+1). */
int64_t schedule_deadline_ns(const struct schedule *schedule, int64_t k);

/* Returns the first frame whose release is at or after that moment, at least 0. */
int64_t schedule_first_at(const struct schedule *schedule, int64_t moment_ns);

/* Returns the work of frame k in nanoseconds. */
int64_t schedule_demand_ns(const struct schedule *schedule, int64_t k);

#define TASKS_MAX 12

struct task {
    const char *name;
    const char *about;                 /* for --list */
    int64_t period_num_ns, period_den; /* num 0: no period, jobs back to back (Gaming) */
    int64_t demand_ns;                 /* of a frame or a job */
    int spread_percent;                /* releases are delayed by 0 to this part of the period */
    int is_varying;                    /* demand runs through 0 .. 99 % of the period, shuffled, at most 95 % */
    int is_default;                    /* part of the standard matrix */
    int is_real_time;                  /* part of the matrix with -r */
    int is_mixed;                      /* part of the desktop mix */
};

/* All tasks, in the order of the tables. */
int tasks_count(void);
const struct task *tasks_at(int index);

/* Returns the task of that name, in upper or lower case, or NULL. */
const struct task *tasks_find(const char *name);

/* Defines Custom, which has no period before: this percentage of a CPU in each period. */
void tasks_define_custom(int percent, int64_t period_us);

/* Returns the schedule of one of several streams of a periodic task; the streams differ in phase. */
struct schedule task_schedule(const struct task *task, uint64_t seed, int stream, int stream_count);

/* Returns whether a task has deadlines. */
int task_is_periodic(const struct task *task);

#endif
