/*
 * The ward: a small process that outlives this program by a moment.  When the program has gone, however it went, the
 * ward ends the process groups that it was told of.  While the program is stopped, so are they.
 */
#ifndef BASE_WARD_H
#define BASE_WARD_H

#include <sys/types.h>

/* Starts it, as a process of that name (at most 15 characters); returns 0, or an errno. */
int ward_begin(const char *name);

/* A process group that is to be ended, and one that has been; returns -1 when the ward has gone, otherwise 0. */
int ward_add(pid_t group);
int ward_remove(pid_t group);

/* In a child: it must not keep the ward from seeing that this program has gone. */
void ward_forget(void);

/* Its process, or 0. */
pid_t ward_pid(void);

/* Ends it, with nothing left to end. */
void ward_finish(void);

#endif
