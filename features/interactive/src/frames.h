/*
 * Runs the frames of a stream, or jobs back to back, and counts them.  Each frame that is scheduled is on time, late or
 * dropped.  Each has one staleness, counted from its own release, so that a stall hides nothing.
 *
 *   on time    executed, its end at or before its deadline, the release of the next frame
 *   late       executed, its end after that
 *   dropped    never executed
 *   wake       from release to start, of executed frames
 *   staleness  from release to the end of the first executed frame that is not earlier, of all frames
 *   censored   a frame after the last executed one: its staleness until the end of the run counts for the maximum only
 */
#ifndef INTERBENCH_FRAMES_H
#define INTERBENCH_FRAMES_H

#include "clock.h"
#include "stats.h"
#include "tasks.h"
#include "work.h"

enum policy {
    POLICY_SKIP,    /* as a display does: after a missed deadline, wait for the next release */
    POLICY_CATCH_UP /* start a late frame at once, unless its own deadline has passed */
};

struct tally {
    int64_t frames, on_time, late, dropped, censored;
    int64_t demand_ns, done_ns; /* work of all frames, and of executed ones */
    int64_t censored_max_ns;    /* the greatest staleness of a censored frame, if there is one */
    int is_counting_only;       /* leaves the distributions empty */
    struct distribution wake, staleness;
    struct distribution response; /* of jobs: how long each took */
};

/* A run of frames.  Frames 0 .. first - 1 warm up and are not counted; frames first .. end - 1 are counted. */
struct frame_run {
    const struct schedule *schedule;
    enum policy policy;
    int64_t zero_ns; /* the moment of frame 0 */
    int64_t first, end;
    struct clock clock;
    struct work work;
};

/* Runs all frames.  The caller has zeroed tally, except for is_counting_only. */
void frames_run(const struct frame_run *run, struct tally *tally);

/* Adds the counts of one stream to those of another. */
void tally_merge(struct tally *into, const struct tally *from);

/* Returns the greatest staleness, censored frames included; UNKNOWN without a frame. */
int64_t tally_max_staleness_ns(const struct tally *tally);

/* Jobs back to back, such as those of a game that draws as many frames as it can.  There are no deadlines. */
struct job_run {
    int64_t demand_ns;                   /* of each job */
    int64_t begin_ns, from_ns, until_ns; /* jobs start at begin; those that start between from and until count */
    struct clock clock;
    struct work work;
};

/*
 * Counts jobs as frames, the duration of each as response, and its excess over the demand as wake.  Returns the
 * nanoseconds from the start of the first job that counts to the end of the last.
 */
int64_t jobs_run(const struct job_run *run, struct tally *tally);

#endif
