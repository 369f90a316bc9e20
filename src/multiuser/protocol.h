/* The lines by which ./Run learns a test's result, on standard error; see WRITING_TESTS.  How the program ends. */
#ifndef MULTIUSER_PROTOCOL_H
#define MULTIUSER_PROTOCOL_H

#include "load.h"

/* Says "ERROR|message" and ends the program: with status 2 for wrong usage, 1 for what went wrong. */
__attribute__((noreturn, format(printf, 1, 2)))
void misused(const char *format, ...);
__attribute__((noreturn, format(printf, 1, 2)))
void failed(const char *format, ...);

/* Waits at the gate until all copies may start. */
void protocol_wait(void);

/* A load: users, lines, meters, responses of each class; and incidents, its own and those before it. */
void protocol_load(const struct load *load, const struct incidents *incidents, const struct script *script);

/* How many users earlier loads had, in all, and how many of those came to the end of the script. */
void protocol_before(int users, int finished);

/* A load in one line: "trial.USERS.|lines|elapsed|mean|p50|p95". */
void protocol_trial(const struct load *load);

/* What the search for the capacity found. */
void protocol_capacity(int users, double alone_p95_s, double limit, int is_least);

/* The score, in that unit, and the time it took. */
void protocol_score(double score, const char *unit, int64_t elapsed_ns);

#endif
