/* What /proc says of a process. */
#ifndef BASE_PROCESS_STAT_H
#define BASE_PROCESS_STAT_H

#include <sys/types.h>

/* Its state, such as 'T' for a stopped one, and its parent; returns 0, or -1 when it is not there, nor /proc. */
int process_stat(pid_t pid, char *state, pid_t *parent);

#endif
