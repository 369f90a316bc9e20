/* The gate and the lines are those of the other measured programs. */
#include "../ub.h"

#include "clock.h"
#include "message.h"
#include "protocol.h"

void protocol_wait(void)
{
    ub_gate();
}

void protocol_trials(const struct capacity *capacity)
{
    for (int i = 0; i < capacity->trial_count; i++)
        if (capacity->trials[i].on_time >= 0)
            ub_say("trial.%d|%.2f\n", capacity->trials[i].streams, capacity->trials[i].on_time);
}

void protocol_score(double score, const char *unit, int64_t elapsed_ns)
{
    if (!(score > 0))
        fail(STATUS_WRONG_PLACE, "nothing was on time");
    ub_say("COUNT|%.3f|0|%s\n", score, unit);
    ub_time((double)elapsed_ns / NS_PER_S);
}
