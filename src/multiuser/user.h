/*
 * A user: a shell that is fed the script line by line.  It is a process group of its own with a home of its own; what
 * it prints goes to a file beside its home.  It ends with this program.
 */
#ifndef MULTIUSER_USER_H
#define MULTIUSER_USER_H

#include <stdint.h>
#include <sys/types.h>

#include "script.h"
#include "usage.h"

enum user_state {
    USER_STARTING, /* has not answered at all */
    USER_READY,    /* waits for the others */
    USER_THINKING, /* until due_ns */
    USER_WAITING,  /* for the answer to a line, until due_ns */
    USER_LEAVING,  /* has done the script and is to end, until due_ns */
    USER_ENDING,   /* was killed */
    USER_GONE
};

struct user {
    int number; /* from 1 */
    enum user_state state;
    pid_t pid;
    int feed_fd;
    int place;        /* of the line that is next, or under way */
    int64_t asked_ns; /* when that was written */
    int64_t due_ns;
    int was_stopped;
    int has_ended; /* the shell; then what it and its commands used is known, and how it ended */
    int wait_status;
    struct usage usage;
    double rss_most_kb; /* of its largest process */
};

/* Where users live. */
struct lodging {
    const char *shell, *home; /* homes are directories in that one */
    int answers_fd;           /* what their shells answer is written there */
};

/*
 * Makes its home and starts its shell, which answers line 0 with status 0 when it is ready; returns 0, or an errno, and
 * then nothing of it is left.
 */
int user_start(struct user *user, int number, const struct lodging *lodging);

/* Writes a line to it; returns 0, or an errno: EPIPE where the shell has just ended. */
int user_feed(struct user *user, const struct script_line *line);

/* No line will come any more. */
void user_let_leave(struct user *user);

/* Kills what there is of its processes. */
void user_kill(const struct user *user);

/* Waits for its shell, which has ended or been killed, and kills the rest of its group. */
void user_collect(struct user *user);

#endif
