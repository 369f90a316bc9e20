/*
 * What a program waits for: a moment, a byte from a child, the end of a child, a signal.  It sleeps meanwhile;
 * signals come only then, or when it is asked whether it was stopped.
 */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdint.h>
#include <sys/types.h>

enum event { EVENT_TIME, EVENT_INPUT, EVENT_ENDED, EVENT_SIGNAL };

/* Waits for what has ended; says whether a child that is watched has. */
typedef int (*reaper)(void);

/* Takes over the signals: INT, TERM and HUP end the run, CHLD and CONT are noticed. */
void watch_begin(void);

/* When all is measured: signals that end the run interrupt what is written to somebody who does not read. */
void watch_finish(void);

/* In a child: signals are as they were at the start of the program. */
void watch_forget(void);

/*
 * Sleeps until the moment has come, fd (or -1) can be read, has_ended says that a child has ended, or a signal that
 * ends the run has come.
 */
enum event watch_until(int64_t moment_ns, int fd, reaper has_ended);

/* The signal that is to end the run, or 0. */
int watch_signal(void);

/* Whether this program was stopped and went on since the last call. */
int watch_was_stopped(void);

#endif
