/* What the user is told on standard error, and how the program ends. */
#ifndef INTERBENCH_MESSAGE_H
#define INTERBENCH_MESSAGE_H

enum status {
    STATUS_DONE = 0,
    STATUS_WRONG_USAGE = 1,
    STATUS_WRONG_PLACE = 2,  /* what was asked for can't be had here: no SCHED_FIFO with -r, no disk */
    STATUS_CHILD_FAILED = 3, /* a load or a task failed; what was measured is printed */
    STATUS_TIMED_OUT = 4     /* a load or a task did not get ready, or did not end, in its time */
};

/* From now on messages are lines of the suite's protocol: "ERROR|message" for errors, notices go to standard output. */
void message_use_protocol(void);

/* Prints "interbench: message". */
__attribute__((format(printf, 1, 2)))
void notice(const char *format, ...);

/* Prints the same of what went wrong. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/* The same, and ends the program with that status. */
__attribute__((noreturn, format(printf, 2, 3)))
void fail(enum status status, const char *format, ...);

#endif
