/*
 * When the frames of a stream are released and how much work each demands: fixed before the run, from the number of
 * the frame alone, so that no error adds up and nothing that happens can move a frame.  Times are relative to frame 0's
 * nominal moment.
 */
#ifndef INTERBENCH_SCHEDULE_H
#define INTERBENCH_SCHEDULE_H

#include <stdint.h>

#define SHARES_MAX 100

struct schedule {
    int64_t period_num_ns, period_den; /* the period is their quotient: 60 Hz is 10^9 / 60 */
    int64_t spread_ns;                 /* each release is put off by 0 to so much, evenly */
    int64_t phase_ns;                  /* all are put off by so much */
    int64_t demand_ns;                 /* of every frame; unless there are shares */
    int share_count;                   /* of X: demands in percent of the period, in turn */
    unsigned char shares[SHARES_MAX];
    uint64_t seed;
};

/* R_k = phase + floor(k * period) + what the seed puts it off by; strictly rising with k. */
int64_t schedule_release_ns(const struct schedule *schedule, int64_t k);

/* D_k = R_(k+1). */
int64_t schedule_deadline_ns(const struct schedule *schedule, int64_t k);

/* The first frame whose release is at or after that moment, at least 0. */
int64_t schedule_first_at(const struct schedule *schedule, int64_t moment_ns);

/* Nanoseconds of work of frame k. */
int64_t schedule_demand_ns(const struct schedule *schedule, int64_t k);

#endif
