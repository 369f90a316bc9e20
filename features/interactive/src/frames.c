/* Runs frames by a policy, or jobs without deadlines, and counts them. */
#include "frames.h"

#include <assert.h>

/* A run, while it lasts. */
struct state {
    const struct frame_run *run;
    struct tally *tally;
    int64_t first_waiting; /* the first frame that counts and has no staleness yet */
};

/* Returns the current time.  From here on, moments are relative to frame 0. */
static int64_t now_ns(const struct frame_run *run)
{
    return run->clock.now_ns(run->clock.self) - run->zero_ns;
}

static void sleep_until(const struct frame_run *run, int64_t moment_ns)
{
    run->clock.sleep_until(run->clock.self, run->zero_ns + moment_ns);
}

static void drop_frames(struct state *state, int64_t from, int64_t to)
{
    const struct frame_run *run = state->run;

    to = least(to, run->end);
    for (int64_t k = greatest(from, run->first); k < to; k++) {
        state->tally->dropped++;
        state->tally->demand_ns += schedule_demand_ns(run->schedule, k);
    }
}

/* Counts the times of an executed frame k.  Frame k and the dropped ones before it were stale until its end. */
static void count_times(struct state *state, int64_t k, int64_t start_ns, int64_t end_ns)
{
    const struct schedule *schedule = state->run->schedule;
    const int64_t release_ns = schedule_release_ns(schedule, k);
    struct tally *tally = state->tally;

    distribution_add(&tally->wake, start_ns - release_ns);
    for (int64_t waiting = state->first_waiting; waiting <= k; waiting++)
        distribution_add(&tally->staleness, end_ns - schedule_release_ns(schedule, waiting));
}

static void count_executed(struct state *state, int64_t k, int64_t start_ns, int64_t end_ns)
{
    const struct frame_run *run = state->run;
    const int64_t demand_ns = schedule_demand_ns(run->schedule, k);
    const int is_late = end_ns > schedule_deadline_ns(run->schedule, k);
    struct tally *tally = state->tally;

    tally->late += is_late;
    tally->on_time += !is_late;
    tally->demand_ns += demand_ns;
    tally->done_ns += demand_ns;
    if (!tally->is_counting_only)
        count_times(state, k, start_ns, end_ns);
    state->first_waiting = k + 1;
}

static int64_t execute(struct state *state, int64_t k, int64_t start_ns)
{
    const struct frame_run *run = state->run;
    const int is_counted = k >= run->first;

    run->work.burn(run->work.self, schedule_demand_ns(run->schedule, k));

    const int64_t end_ns = now_ns(run);

    if (is_counted)
        count_executed(state, k, start_ns, end_ns);
    return end_ns;
}

/* Returns the frame to run after waking for frame k: k itself, unless its deadline has come. */
static int64_t frame_due(const struct frame_run *run, int64_t k, int64_t start_ns)
{
    if (start_ns < schedule_deadline_ns(run->schedule, k))
        return k;
    if (run->policy == POLICY_SKIP)
        return schedule_first_at(run->schedule, start_ns);
    return schedule_first_at(run->schedule, start_ns + 1) - 1;
}

static int64_t frame_after(const struct frame_run *run, int64_t k, int64_t end_ns)
{
    if (run->policy == POLICY_CATCH_UP || end_ns <= schedule_deadline_ns(run->schedule, k))
        return k + 1;
    return schedule_first_at(run->schedule, end_ns);
}

/* Sleeps until frame k and executes it, or the frame that is due instead; returns the frame to run next. */
static int64_t run_frame(struct state *state, int64_t k)
{
    const struct frame_run *run = state->run;

    sleep_until(run, schedule_release_ns(run->schedule, k));

    const int64_t start_ns = now_ns(run), due = frame_due(run, k, start_ns);

    drop_frames(state, k, due);
    if (due >= run->end || (due > k && run->policy == POLICY_SKIP))
        return due;

    const int64_t next = frame_after(run, due, execute(state, due, start_ns));

    drop_frames(state, due + 1, next);
    return next;
}

static void count_censored(struct state *state)
{
    const struct frame_run *run = state->run;
    struct tally *tally = state->tally;

    tally->censored = greatest(run->end - state->first_waiting, 0);
    tally->censored_max_ns = UNKNOWN;
    if (tally->censored > 0)
        tally->censored_max_ns = now_ns(run) - schedule_release_ns(run->schedule, state->first_waiting);
}

void frames_run(const struct frame_run *run, struct tally *tally)
{
    struct state state = {.run = run, .tally = tally, .first_waiting = run->first};

    tally->frames = greatest(run->end - run->first, 0);
    for (int64_t k = 0; k < run->end;)
        k = run_frame(&state, k);
    count_censored(&state);
    assert(tally->on_time + tally->late + tally->dropped == tally->frames);
}

static int64_t censored_max_ns(const struct tally *tally)
{
    return tally->censored > 0 ? tally->censored_max_ns : UNKNOWN;
}

void tally_merge(struct tally *into, const struct tally *from)
{
    into->censored_max_ns = greatest(censored_max_ns(into), censored_max_ns(from));
    into->frames += from->frames;
    into->on_time += from->on_time;
    into->late += from->late;
    into->dropped += from->dropped;
    into->censored += from->censored;
    into->demand_ns += from->demand_ns;
    into->done_ns += from->done_ns;
    distribution_merge(&into->wake, &from->wake);
    distribution_merge(&into->response, &from->response);
    distribution_merge(&into->staleness, &from->staleness);
}

int64_t tally_max_staleness_ns(const struct tally *tally)
{
    const struct moments *staleness = &tally->staleness.moments;

    return greatest(staleness->count > 0 ? staleness->max : UNKNOWN, censored_max_ns(tally));
}

static void count_job(struct tally *tally, int64_t demand_ns, int64_t elapsed_ns)
{
    tally->frames++;
    tally->demand_ns += demand_ns;
    tally->done_ns += demand_ns;
    distribution_add(&tally->response, elapsed_ns);
    distribution_add(&tally->wake, elapsed_ns - demand_ns);
}

/* A job starts when the one before has ended. */
int64_t jobs_run(const struct job_run *run, struct tally *tally)
{
    const struct clock *clock = &run->clock;
    int64_t start_ns, first_ns = UNKNOWN, last_ns = 0;

    clock->sleep_until(clock->self, run->begin_ns);
    while ((start_ns = clock->now_ns(clock->self)) < run->until_ns) {
        const int is_counted = start_ns >= run->from_ns;

        run->work.burn(run->work.self, run->demand_ns);

        const int64_t end_ns = clock->now_ns(clock->self);

        if (!is_counted)
            continue;
        if (first_ns == UNKNOWN)
            first_ns = start_ns;
        last_ns = end_ns;
        count_job(tally, run->demand_ns, end_ns - start_ns);
    }
    return first_ns == UNKNOWN ? 0 : last_ns - first_ns;
}
