/* All users of a load, and the pipe through which their shells answer. */
#ifndef MULTIUSER_CREW_H
#define MULTIUSER_CREW_H

#include "answers.h"
#include "user.h"

struct crew {
    struct user *users;
    int count, room; /* started, and to be started */
    int answers_fd;  /* to be read */
    int say_fd;      /* its other end, kept open: a pipe without one could always be read */
    struct answers answers;
    char heard[4096]; /* bytes that were read; those from heard_at on are not taken yet */
    const char *heard_at;
    size_t heard_size;
};

/* Starts so many users and asks each whether it is ready; returns 0, or an errno.  Either way crew_end() follows. */
int crew_start(struct crew *crew, int count, const char *shell, const char *home);

/* Waits for children that have ended; returns whether the shell of a user that is not gone has, now or before. */
int crew_reap(void);

/* The next answer that is there to be read; returns 0 when there is none. */
int crew_hear(struct crew *crew, struct answer *answer);

/* Ends all users that are left, and what they have left. */
void crew_end(struct crew *crew);

#endif
