/*
 * The guardian: a small process that lives a moment longer than this program.  When the program has ended, for whatever
 * reason, the guardian kills the process groups that it knows.  It stops them while the program is stopped.
 */
#ifndef BASE_GUARDIAN_H
#define BASE_GUARDIAN_H

#include <sys/types.h>

/* Starts the guardian; returns 0, or an errno. */
int guardian_start(void);

/* Add a process group that is to be killed; remove one that has ended.  Return 0, or -1 if the guardian has ended. */
int guardian_add(pid_t group);
int guardian_remove(pid_t group);

/* In a child: closes the pipe.  The guardian learns by the end of the pipe that this program has ended. */
void guardian_forget_in_child(void);

/* Returns the process ID of the guardian, or 0 if there is none. */
pid_t guardian_pid(void);

/* Ends the guardian and waits for it; it kills the groups that were not removed. */
void guardian_stop(void);

#endif
