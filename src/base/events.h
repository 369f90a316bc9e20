/*
 * The events for which a program waits: a moment, a byte from a child, the end of a child, a signal.  Signals are
 * delivered only while the program waits, or when it asks whether it was stopped.
 */
#ifndef BASE_EVENTS_H
#define BASE_EVENTS_H

#include <stdint.h>
#include <sys/types.h>

enum event { EVENT_TIME, EVENT_INPUT, EVENT_ENDED, EVENT_SIGNAL };

/* Waits for the children that have ended; returns whether one of those that the caller watches has ended. */
typedef int (*reaper)(void);

/* Handles the signals: INT, TERM and HUP end the run unless ignored; CHLD and CONT are noted; PIPE is ignored. */
void events_begin(void);

/*
 * Unblocks the signals after the last measurement.  One that ends the run interrupts a report that no program reads:
 * a system call that waits fails with EINTR, again and again, until this program ends.
 */
void events_finish(void);

/* In a child: restores the handling of signals as it was before events_begin. */
void events_forget_in_child(void);

/*
 * Sleeps until one of the events comes, and returns it.  EVENT_TIME: the moment, in nanoseconds of CLOCK_MONOTONIC.
 * EVENT_INPUT: fd can be read; fd may be -1.  EVENT_ENDED: has_ended returns true.  EVENT_SIGNAL: a signal that ends
 * the run.
 */
enum event events_wait(int64_t moment_ns, int fd, reaper has_ended);

/* Returns the signal that is to end the run, or 0. */
int events_signal(void);

/* Returns whether this program was stopped and continued since the last call. */
int events_was_stopped(void);

#endif
