/* The lines by which ./Run learns a test's result; see WRITING_TESTS. */
#ifndef INTERBENCH_PROTOCOL_H
#define INTERBENCH_PROTOCOL_H

#include <stdint.h>

#include "capacity.h"

/* Waits at the gate until all copies may start. */
void protocol_wait(void);

/* The trials: "trial.STREAMS|percent on time". */
void protocol_trials(const struct capacity *capacity);

/* The score, a rate in that unit, and the time that it took; ends the program with status 2 when the score is 0. */
void protocol_score(double score, const char *unit, int64_t elapsed_ns);

#endif
