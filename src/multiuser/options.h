/* What the command line asks for. */
#ifndef MULTIUSER_OPTIONS_H
#define MULTIUSER_OPTIONS_H

#include <stdint.h>

#include "pauses.h"

#define LOADS_MAX 32
#define USERS_MAX 2000

struct options {
    int users[LOADS_MAX], load_count; /* one load after the other */
    int is_capacity, is_extract;
    double limit;
    double think_least_s, think_most_s, scale;
    struct pace pace; /* what these come to, and the seed */
    int64_t line_limit_ns; /* 0: not given */
    const char *script, *shell, *home; /* home: NULL when not given */
};

/* Reads it; ends the program with status 2 and a line for what makes no sense. */
void options_read(struct options *options, int argc, char **argv);

#endif
