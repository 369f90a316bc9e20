/*
 * The ward: a small process that outlives this program by a moment.  When the program has gone, however it went, the
 * ward ends the process groups of loads and tasks.  While the program is stopped, so are they.
 */
#ifndef INTERBENCH_WARD_H
#define INTERBENCH_WARD_H

#include <sys/types.h>

/* Starts it; ends this program with status 2 when that can't be done. */
void ward_begin(void);

/* A process group that is to be ended, and one that has been. */
void ward_add(pid_t group);
void ward_remove(pid_t group);

/* In a child: it must not keep the ward from seeing that this program has gone. */
void ward_forget(void);

/* Ends it, with nothing left to end. */
void ward_finish(void);

#endif
