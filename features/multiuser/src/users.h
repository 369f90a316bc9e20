/*
 * The users of a run: shells that get the script line by line, and answer through one pipe.  Each has a home and a
 * process group of its own.  They end with this program, and so do all processes that they have started.
 */
#ifndef MULTIUSER_USERS_H
#define MULTIUSER_USERS_H

#include <stddef.h>

#include "shell.h"

#define ANSWER_MAX 64 /* bytes of an answer */

/* The part of an answer that was read so far. */
struct answers {
    char line[ANSWER_MAX];
    size_t length;
    int is_too_long; /* the rest of this line is ignored */
};

/* The exit status of a line. */
struct answer {
    int user, line, status;
};

struct users {
    struct user *list;
    int count, room; /* users that were started; users to start */
    int answers_fd;  /* is read */
    int write_fd;    /* its other end, kept open: a pipe without writers is always readable */
    struct answers answers;
    char bytes[4096]; /* that were read from answers_fd; those from next on are not parsed yet */
    const char *next;
    size_t left;
};

/* Starts users, and asks each whether it is ready; returns 0, or an errno.  users_end() must be called afterwards. */
int users_start(struct users *users, int count, const char *shell, const char *home);

/* Waits for the children that have ended; returns whether a shell has ended whose user is not USER_GONE yet. */
int users_reap(void);

/* Reads the next answer; returns 0 if there is none. */
int users_read(struct users *users, struct answer *answer);

/*
 * Parses bytes up to the next answer.  Returns 1, with bytes and size moved past the answer; or 0 if there is no whole
 * answer left.  Lines that are not answers are ignored.
 */
int answers_next(struct answers *answers, const char **bytes, size_t *size, struct answer *answer);

/* Kills all users that are left, and orphans, and waits for them. */
void users_end(struct users *users);

/* Makes this program the parent of orphans: processes that have left their user's group, and whose parent ends. */
void orphans_adopt(void);

#endif
