/*
 * The events for which a program waits: a moment, a byte from a child, the end of a child, a signal.  Signals are let
 * in only while it waits, or when it asks whether it was stopped.
 */
#ifndef BASE_EVENTS_H
#define BASE_EVENTS_H

#include <stdint.h>
#include <sys/types.h>

enum event { EVENT_TIME, EVENT_INPUT, EVENT_ENDED, EVENT_SIGNAL };

/* Waits for children that have ended; returns whether one of those that matter has. */
typedef int (*reaper)(void);

/* Catches the signals: INT, TERM and HUP end the run; CHLD and CONT are noticed; PIPE is ignored. */
void events_begin(void);

/* After the last measurement: lets signals in at any time, so that they interrupt a report that no reader takes. */
void events_finish(void);

/* In a child: handles signals as at the start of the program. */
void events_forget(void);

/*
 * Sleeps until the moment has come, fd (or -1) can be read, has_ended says that a child has ended, or a signal that
 * ends the run has come.
 */
enum event events_wait(int64_t moment_ns, int fd, reaper has_ended);

/* Returns the signal that is to end the run, or 0. */
int events_signal(void);

/* Returns whether this program was stopped and continued since the last call. */
int events_was_stopped(void);

#endif
