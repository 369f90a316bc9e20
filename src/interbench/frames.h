/*
 * Plays the frames of a stream and keeps their books: each frame that is scheduled is on time, late or dropped, and
 * for each there is one staleness, counted from its own release, so that a stall hides nothing.
 *
 *   on time    executed, its end at or before its deadline, the release of the next frame
 *   late       executed, its end after that
 *   dropped    never executed
 *   wake       from release to start, of executed frames
 *   response   from release to end, of executed frames
 *   staleness  from release to the end of the first executed frame that is not before it, of all frames; those behind
 *              the last executed one are censored, and count for the greatest staleness alone, up to the end
 */
#ifndef INTERBENCH_FRAMES_H
#define INTERBENCH_FRAMES_H

#include "clock.h"
#include "distribution.h"
#include "schedule.h"
#include "work.h"

enum policy {
    POLICY_SKIP,    /* as a display does: what missed its deadline waits for the next release */
    POLICY_CATCH_UP /* what is late starts at once, unless its own deadline has passed */
};

enum frame_class { FRAME_ON_TIME, FRAME_LATE, FRAME_DROPPED };

/* A frame as the raw file tells it; moments are relative to frame 0's, start and end UNKNOWN when dropped. */
struct frame {
    int64_t number, release_ns, start_ns, end_ns;
    enum frame_class class;
};

struct frame_list {
    struct frame *frames;
    int64_t count, room; /* what there is no room for is left out */
};

struct tally {
    int64_t frames, on_time, late, dropped, censored;
    int64_t demand_ns, done_ns;      /* work of all frames, and of executed ones */
    int64_t censored_max_ns;         /* the greatest staleness of a censored frame, where there is one */
    int is_counting_only;            /* leaves the distributions empty */
    struct distribution wake, response, staleness;
};

/*
 * frames 0 .. first - 1 warm up and are in no book, first .. end - 1 count.  before, where it is not null, is called
 * right before the work of each executed frame that counts.
 */
struct playing {
    const struct schedule *schedule;
    enum policy policy;
    int64_t zero_ns; /* the moment of frame 0 */
    int64_t first, end;
    struct clock clock;
    struct work work;
    struct frame_list *list; /* or null */
    void (*before)(void *self);
    void *self;
};

/* Plays all frames; tally is to be zeroed by the caller, but for is_counting_only. */
void frames_play(const struct playing *playing, struct tally *tally);

/* Adds the books of one stream to those of another. */
void tally_merge(struct tally *into, const struct tally *from);

/* The greatest staleness, censored frames included; UNKNOWN without a frame. */
int64_t tally_stalest_ns(const struct tally *tally);

#endif
