/* Messages to the user, and the exit statuses of the program. */
#ifndef INTERBENCH_MESSAGE_H
#define INTERBENCH_MESSAGE_H

enum status {
    STATUS_DONE = 0,
    STATUS_WRONG_USAGE = 1,
    STATUS_IMPOSSIBLE_HERE = 2, /* no SCHED_FIFO for -r, no disk space, too few frames for a score */
    STATUS_CHILD_FAILED = 3,    /* a load or a task failed; results so far are printed */
    STATUS_TIMED_OUT = 4        /* a load or a task was not ready, or did not end, in time */
};

/* Prints messages as lines for Run from now on: errors are "ERROR|message", notices go to standard output. */
void message_use_protocol(void);

/* Prints "interbench: message" on standard error. */
__attribute__((format(printf, 1, 2)))
void notice(const char *format, ...);

/* Prints an error in the same form. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/* Prints an error and ends the program with that status. */
__attribute__((noreturn, format(printf, 2, 3)))
void fail(enum status status, const char *format, ...);

#endif
