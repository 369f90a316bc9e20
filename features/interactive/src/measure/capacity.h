/*
 * The search for the interactive capacity: the largest number of streams with 99 % of their frames on time.  It uses
 * doubling and bisection, and interpolates between the last number that passes and the first that fails.
 */
#ifndef INTERBENCH_CAPACITY_H
#define INTERBENCH_CAPACITY_H

#define CAPACITY_TRIALS_MAX  64
#define CAPACITY_STREAMS_MAX 16384
#define CAPACITY_ON_TIME     99.0 /* percent */
#define CAPACITY_RATE        60.0 /* frames a second of each stream */

struct trial {
    int streams;
    double on_time; /* percent of the frames of all streams; negative: the trial failed */
};

struct capacity {
    double fps;                    /* 60 times the capacity in streams; negative: a trial failed */
    int most_passed, least_failed; /* 0 without one */
    int is_limited;                /* all passed up to CAPACITY_STREAMS_MAX: the capacity is at least this */
    int trial_count;
    struct trial trials[CAPACITY_TRIALS_MAX];
};

/* Makes at most that many trials, by calling on_time with numbers of streams, and fills in capacity. */
void capacity_search(struct capacity *capacity, double (*on_time)(void *self, int streams), void *self,
                     int trials_most);

#endif
