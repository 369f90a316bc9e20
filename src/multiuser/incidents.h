/* What went wrong while a load was played: lines that failed or hung, users that died.  The first ones are kept. */
#ifndef MULTIUSER_INCIDENTS_H
#define MULTIUSER_INCIDENTS_H

#include "script.h"

#define INCIDENTS_KEPT 20
#define WHAT_MAX       80

struct incident {
    int user;                       /* from 1 */
    const struct script_line *line; /* NULL: it was not at a line */
    char what[WHAT_MAX];
    int users; /* of the load, where it was an earlier one; else 0 */
};

struct incidents {
    int count; /* all of them */
    struct incident kept[INCIDENTS_KEPT];
};

/* Notes one, in words such as "exit status 1 instead of 0". */
__attribute__((format(printf, 4, 5)))
void incident_note(struct incidents *incidents, int user, const struct script_line *line, const char *format, ...);

/* Adds those of a load behind others; users: how many it had, when it was not the last one, else 0. */
void incidents_add(struct incidents *all, const struct incidents *more, int users);

/* Why a process ended, from its wait status: "exit status 2", "killed by SIGKILL". */
const char *ending_in_words(int wait_status);

#endif
