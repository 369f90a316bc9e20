/* A job starts when the one before has ended. */
#include "jobs.h"

int64_t jobs_play(const struct job_playing *playing, struct tally *tally)
{
    const struct clock *clock = &playing->clock;
    int64_t now_ns, first_ns = UNKNOWN, last_ns = 0;

    clock->sleep_until(clock->self, playing->begin_ns);
    while ((now_ns = clock->now_ns(clock->self)) < playing->until_ns) {
        const int is_counted = now_ns >= playing->from_ns;
        const int64_t start_ns = now_ns;

        if (is_counted && playing->before)
            playing->before(playing->self);
        playing->work.burn(playing->work.self, playing->demand_ns);
        now_ns = clock->now_ns(clock->self);
        if (!is_counted)
            continue;
        if (first_ns == UNKNOWN)
            first_ns = start_ns;
        last_ns = now_ns;
        tally->frames++;
        tally->demand_ns += playing->demand_ns;
        tally->done_ns += playing->demand_ns;
        distribution_add(&tally->response, now_ns - start_ns);
        distribution_add(&tally->wake, now_ns - start_ns - playing->demand_ns);
    }
    return first_ns == UNKNOWN ? 0 : last_ns - first_ns;
}
