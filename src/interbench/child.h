/*
 * A child process of the controller, first of a process group of its own that is ended as a whole.  It ends when the
 * controller does.  It says when it is ready, and waits until it may go.
 */
#ifndef INTERBENCH_CHILD_H
#define INTERBENCH_CHILD_H

#include <sys/types.h>

#include "events.h"

struct gate {
    int ready_fd, go_fd;
};

struct child {
    const char *name; /* of the process, at most 15 characters */
    pid_t pid;        /* 0: not started, or waited for */
    int ready_fd, go_fd;
    int has_ended, wait_status;
};

/*
 * Starts the child, which calls body and ends with status 0 when that returns; with is_session in a session of its own.
 * Returns 0, or an errno.
 */
int child_start(struct child *child, const char *name, int is_session, void (*body)(struct gate *gate, void *data),
                void *data);

/* In the child: says that it is ready and waits for child_go. */
void gate_wait(struct gate *gate);

/* Waits until the child is ready, or that moment; EVENT_ENDED when a child has ended instead. */
enum event child_await_ready(struct child *child, int64_t until_ns);

/* Lets the child go. */
void child_go(struct child *child);

/* Waits for children that have ended; returns whether one of those that are known has, now or before. */
int child_reap(void);

/* Ends the child and all of its group, and waits for them: TERM, and after 2 s KILL. */
void child_end(struct child *child);

/* Why a child that has ended has: "was killed by signal 9 (Killed)", "ended with status 3". */
const char *child_fate(const struct child *child);

#endif
