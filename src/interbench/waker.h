/*
 * A second thread that sleeps on behalf of a stream and wakes it: what is late can then be told apart into the
 * timer's part and that of the hand-over.  Nothing is subtracted from any frame.
 */
#ifndef INTERBENCH_WAKER_H
#define INTERBENCH_WAKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "clock.h"
#include "distribution.h"

struct waker {
    pthread_t thread;
    _Atomic uint32_t asked, answered; /* numbers of the last request and of the last one that is done */
    int64_t moment_ns;                /* to sleep until; below 0: to end */
    int64_t woke_ns;                  /* when the waker woke */
    int64_t from_ns;                  /* sleeps that end at this moment or later count */
    struct distribution *timer_lateness, *hand_off; /* to enter into how late the timer was, and the hand-over */
};

/* Starts the thread, in SCHED_FIFO where that is permitted; returns 0, or an errno.  The caller sets from_ns and on. */
int waker_start(struct waker *waker);

/* A clock that sleeps by it. */
struct clock waker_clock(struct waker *waker);

/* Ends the thread. */
void waker_stop(struct waker *waker);

#endif
