/* Plays jobs back to back, as a game that draws as many frames as it can: there are no deadlines. */
#ifndef INTERBENCH_JOBS_H
#define INTERBENCH_JOBS_H

#include "frames.h"

struct job_playing {
    int64_t demand_ns;                  /* of each job */
    int64_t begin_ns, from_ns, until_ns; /* jobs start at begin; those that start between from and until count */
    struct clock clock;
    struct work work;
    void (*before)(void *self);
    void *self;
};

/*
 * Counts jobs as frames and enters the time of each as response, and what it took beyond its demand as wake.  Returns
 * the nanoseconds from the start of the first job that counts to the end of the last.
 */
int64_t jobs_play(const struct job_playing *playing, struct tally *tally);

#endif
