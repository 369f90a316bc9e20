/* A stream shows 60 frames a second, each worth 2 ms of the reference machine. */
#include "trials.h"

#include "clock.h"
#include "frames.h"
#include "play.h"
#include "running.h"

#define DEMAND_NS   (2 * NS_PER_MS)
#define TRIALS_MOST 18 /* some 75 s, with a second of warm-up each */

static const struct task stream_task = {
    .name = "Stream",
    .period_num_ns = NS_PER_S,
    .period_den = 60,
    .demand_ns = DEMAND_NS,
};

struct search {
    struct bench *bench;
    struct running running;
    enum outcome outcome;
};

static double percent_on_time(const struct play *play)
{
    int64_t frames = 0, on_time = 0;

    for (int i = 0; i < play->stream_count; i++) {
        frames += play->streams[i].record->tally.frames;
        on_time += play->streams[i].record->tally.on_time;
    }
    return frames > 0 ? 100.0 * (double)on_time / (double)frames : UNKNOWN;
}

static double try_once(struct search *search, const struct cast *cast)
{
    struct performance performance;
    double percent = UNKNOWN;

    search->outcome = play_begin(&performance, &search->running, cast);
    if (search->outcome == OUTCOME_DONE)
        search->outcome = play_run(&performance, &search->running, NULL);
    if (search->outcome == OUTCOME_DONE)
        percent = percent_on_time(performance.play);
    play_end(&performance);
    return percent;
}

static double on_time(void *self, int streams)
{
    struct search *search = self;
    const struct options *options = search->bench->options;
    const struct task *const tasks[] = {&stream_task};
    const struct cast cast = {
        .tasks = tasks,
        .task_count = 1,
        .copies = streams,
        .is_counting_only = 1,
        .warmup_ns = options->warmup_ns,
        .duration_ns = options->duration_ns,
    };
    double percent;

    do {
        events_was_stopped();
        percent = try_once(search, &cast);
    } while (outcome_is_void(search->outcome));
    return percent;
}

enum outcome trials_run(struct bench *bench, struct capacity *capacity)
{
    struct search search = {.bench = bench};

    search.outcome = running_begin(&search.running, bench, loads_find("Burn"));
    if (search.outcome == OUTCOME_DONE)
        search.outcome = running_go(&search.running);
    if (search.outcome == OUTCOME_DONE)
        capacity_search(capacity, on_time, &search, TRIALS_MOST);
    running_end(&search.running);
    return search.outcome;
}
