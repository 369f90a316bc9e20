/*
 * A run: users run the script at the same time.  All log in.  When the last one is ready, the meters are read, and
 * every user thinks and runs the first line.  When the last one has gone, the meters are read again.
 */
#ifndef MULTIUSER_RUN_H
#define MULTIUSER_RUN_H

#include <stdint.h>

#include "meters.h"
#include "script.h"
#include "stats.h"
#include "users.h"

#define WHY_MAX     200
#define ERRORS_KEPT 20

/* A line that failed or was not answered, or a user that died. */
struct user_error {
    int user;                       /* from 1 */
    const struct script_line *line; /* NULL: not at a line */
    char what[80];
    int run_users; /* of an earlier run; 0 for the last run */
};

struct user_errors {
    int count; /* of all; the first ones are kept */
    struct user_error kept[ERRORS_KEPT];
};

/* Appends the errors of a run with that many users, or of the last run with 0. */
void errors_append(struct user_errors *all, const struct user_errors *more, int run_users);

struct run_plan {
    int users;
    const struct script *script;
    struct think_time think;
    int64_t line_limit_ns;    /* for the answer to a line; 0: a minute, and a second for each user */
    const char *shell, *home; /* users' homes are directories in this one */
};

struct run {
    int users, finished; /* finished: those that have run the whole script */
    int64_t elapsed_ns;
    int64_t late_ns; /* the longest time by which a user began a line too late */
    long lines;      /* that were answered */
    struct responses responses;
    struct user_errors errors;
    struct usage usage, usage_of_finished; /* of the users' processes */
    double rss_most_kb;                    /* of the largest process */
    double driver_cpu_s;                   /* of this program */
    struct meters_reading before, after;
    struct memory_peak peak;
};

enum run_outcome { RUN_DONE, RUN_INTERRUPTED, RUN_FAILED };

/*
 * Makes a run; run_end() has to be called for it afterwards, whatever the outcome.  A run fails if not all users can
 * log in: why is the error.  Afterwards no process of any user is left, but their files are.
 */
enum run_outcome run_make(const struct run_plan *plan, struct meters *meters, struct run *run, char why[WHY_MAX]);

/* Frees the response times. */
void run_end(struct run *run);

#endif
