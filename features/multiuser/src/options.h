/* The options of the command line. */
#ifndef MULTIUSER_OPTIONS_H
#define MULTIUSER_OPTIONS_H

#include "script.h"

#define RUNS_MAX  32
#define USERS_MAX 2000

struct options {
    int users[RUNS_MAX], run_count; /* users of each run */
    int is_capacity;
    double limit;           /* of the search: a multiple of the 95th percentile of a single user */
    struct think_time think; /* already multiplied by scale */
    double scale;
    double line_limit_s; /* 0: not given */
    const char *script, *shell, *home; /* home: NULL if it is not given */
};

/* Parses the command line; if it is wrong, ends the program with an error and status 2. */
void options_parse(struct options *options, int argc, char **argv);

#endif
