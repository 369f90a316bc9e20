/* Doubling and bisection; what trials say need not be monotonic. */
#include "capacity.h"

#include <string.h>

struct search {
    struct capacity *capacity;
    double (*on_time)(void *self, int streams);
    void *self;
    int trials_most;
    double passed, failed; /* percent on time at most_passed and at least_failed */
};

/* Makes one trial.  Returns 0 when it can't be made, or failed. */
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

/* The same, and narrows the bracket. */
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

/* Until one fails, or all passed. */
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

/* Whether twice as many streams as those that failed pass. */
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
 * One moment in which the machine did something else is enough for a few streams to fail.  Where all that is tried
 * below a failure of the doubling passes, that failure is looked at again, from above.
 */
static void look(struct search *search)
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

/* A bracket that is still wide is as good a guess, along the line between its ends. */
static double streams_of(const struct search *search)
{
    const struct capacity *capacity = search->capacity;
    double part;

    if (capacity->most_passed == 0)
        return capacity->least_failed * search->failed / CAPACITY_ON_TIME;
    if (capacity->least_failed == 0)
        return capacity->most_passed;
    part = clip((search->passed - CAPACITY_ON_TIME) / (search->passed - search->failed));
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
    look(&search);
    if (capacity->fps >= 0)
        capacity->fps = CAPACITY_RATE * streams_of(&search);
}
