/*
 * The output of the program.  On standard error it prints the lines of the protocol, from which ./Run takes the result
 * (see WRITING_TESTS).  On standard output it prints the output of the users.
 */
#ifndef MULTIUSER_REPORT_H
#define MULTIUSER_REPORT_H

#include "run.h"

/* Reports a run in one line: "trial.USERS.|lines|elapsed|mean|p50|p95". */
void report_summary(const struct run *run);

/* Reports how many users earlier runs had together, and how many of them finished the script. */
void report_earlier(int users, int finished);

/* Reports users, lines, meters and response times of a run, and errors: its own, and those of earlier runs. */
void report_run(const struct run *run, const struct user_errors *errors, const struct script *script);

/* Reports the result of a search. */
void report_capacity(const struct search *search, double alone_p95_s, double limit);

/* Reports the score, in that unit, and the time that it took. */
void report_score(double score, const char *unit, int64_t elapsed_ns);

/*
 * Prints the output of each of that many users.  Equal outputs are printed once, after a line such as "== users 1-19,
 * 1897 lines ==".
 */
void report_outputs(const char *home, int users);

#endif
