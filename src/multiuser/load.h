/*
 * A load: so many users play the script at once.  All log in; when the last one is ready the meters are read and all
 * begin, each with a pause; when the last one has gone, the meters are read again.  Meanwhile this program sleeps until
 * an answer comes or a pause is over.
 */
#ifndef MULTIUSER_LOAD_H
#define MULTIUSER_LOAD_H

#include <stdint.h>

#include "incidents.h"
#include "meters.h"
#include "pauses.h"
#include "responses.h"
#include "script.h"
#include "usage.h"

#define WHY_MAX 200

struct load_wish {
    int users;
    const struct script *script;
    struct pace pace;
    int64_t line_limit_ns;  /* that a user waits for an answer at most; 0: a minute, and a second for each user */
    const char *shell, *home; /* the directory of their homes */
};

struct load {
    int users, finished;
    int64_t elapsed_ns;
    long lines; /* that were answered */
    struct responses responses;
    struct incidents incidents;
    struct usage usage, usage_of_finished; /* of the users' processes */
    double rss_most_kb;                    /* of the largest one */
    double driver_cpu_s;
    struct meters_look before, after;
    struct meters_most most;
};

enum load_outcome { LOAD_PLAYED, LOAD_INTERRUPTED, LOAD_FAILED };

/*
 * Plays one and says in *load how it went; load_end() is to be called for it afterwards, whatever it returns.  On
 * failure, when not all users could log in, why says so.  Nothing of any user is left running, their files are.
 */
enum load_outcome load_play(const struct load_wish *wish, struct meters_sources *sources, struct load *load,
                            char why[WHY_MAX]);

/* Frees what it holds. */
void load_end(struct load *load);

#endif
