/*
 * The guardian: a small process that lives a moment longer than this program.  When the program has ended, for
 * whatever reason, the guardian kills the process groups that it knows.  While the program is stopped, so are they.
 */
#ifndef BASE_GUARDIAN_H
#define BASE_GUARDIAN_H

#include <sys/types.h>

/* Starts the guardian; returns 0, or an errno. */
int guardian_start(void);

/* Adds a process group that is to be killed, or removes one that has ended; returns 0, or -1 without a guardian. */
int guardian_add(pid_t group);
int guardian_remove(pid_t group);

/* In a child: closes the pipe, by whose end the guardian learns that this program has ended. */
void guardian_forget(void);

/* Returns the guardian's process, or 0. */
pid_t guardian_pid(void);

/* Lets the guardian end and waits for it; groups that were not removed are killed. */
void guardian_stop(void);

#endif
