/* Searches for the capacity by doubling and bisection; results of trials need not be monotonic. */
#include "measure/capacity.h"

#include <string.h>

struct search {
    struct capacity *capacity;
    double (*on_time)(void *self, int streams);
    void *self;
    int trials_most;
    double passed, failed; /* percent on time at most_passed and at least_failed */
};

/* Makes one trial; returns 0 if there are no more trials, or it failed. */
static int try_streams(struct search *search, int streams, double *on_time)
{
    struct capacity *capacity = search->capacity;

    if (capacity->trial_count == search->trials_most)
        return 0;
    *on_time = search->on_time(search->self, streams);
    capacity->trials[capacity->trial_count++] = (struct trial){streams, *on_time};
    if (*on_time >= 0)
        return 1;
    capacity->fps = -1;
    return 0;
}

static int narrow(struct search *search, int streams)
{
    double on_time;

    if (!try_streams(search, streams, &on_time))
        return 0;
    if (on_time >= CAPACITY_ON_TIME) {
        search->capacity->most_passed = streams;
        search->passed = on_time;
    } else {
        search->capacity->least_failed = streams;
        search->failed = on_time;
    }
    return 1;
}

/* Doubles the streams until a trial fails; returns 0 if none does. */
static int double_up(struct search *search, int streams)
{
    for (; streams <= CAPACITY_STREAMS_MAX; streams *= 2) {
        if (!narrow(search, streams))
            return 0;
        if (search->capacity->least_failed)
            return 1;
    }
    search->capacity->is_limited = 1;
    return 0;
}

static int bisect(struct search *search)
{
    const struct capacity *capacity = search->capacity;

    while (capacity->least_failed - capacity->most_passed > 1)
        if (!narrow(search, (capacity->most_passed + capacity->least_failed) / 2))
            return 0;
    return 1;
}

/* Tries twice as many streams as those that failed; returns whether they pass. */
static int was_accident(struct search *search)
{
    struct capacity *capacity = search->capacity;
    const int streams = 2 * capacity->least_failed;
    double on_time;

    if (streams > CAPACITY_STREAMS_MAX || !try_streams(search, streams, &on_time) || on_time < CAPACITY_ON_TIME)
        return 0;
    capacity->most_passed = streams;
    capacity->least_failed = 0;
    search->passed = on_time;
    return 1;
}

/*
 * A short disturbance is enough for a few streams to fail.  So if all trials of the bisection pass, the failure of the
 * doubling is checked once more, from above.
 */
static void search_bracket(struct search *search)
{
    const struct capacity *capacity = search->capacity;
    int doubled;

    do {
        if (!double_up(search, capacity->most_passed ? 2 * capacity->most_passed : 1))
            return;
        doubled = capacity->least_failed;
    } while (bisect(search) && capacity->least_failed == doubled && was_accident(search));
}

static double clip(double part)
{
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* Returns the capacity in streams.  It interpolates linearly in the bracket, even if that is still wide. */
static double streams_of(const struct search *search)
{
    const struct capacity *capacity = search->capacity;

    if (capacity->most_passed == 0)
        return capacity->least_failed * search->failed / CAPACITY_ON_TIME;
    if (capacity->least_failed == 0)
        return capacity->most_passed;

    const double part = clip((search->passed - CAPACITY_ON_TIME) / (search->passed - search->failed));

    return capacity->most_passed + part * (capacity->least_failed - capacity->most_passed);
}

void capacity_search(struct capacity *capacity, double (*on_time)(void *self, int streams), void *self,
                     int trials_most)
{
    struct search search = {capacity, on_time, self, trials_most, 0, 0};

    memset(capacity, 0, sizeof *capacity);
    if (search.trials_most > CAPACITY_TRIALS_MAX)
        search.trials_most = CAPACITY_TRIALS_MAX;
    if (search.trials_most < 1)
        search.trials_most = 1;
    search_bracket(&search);
    if (capacity->fps >= 0)
        capacity->fps = CAPACITY_RATE * streams_of(&search);
}
