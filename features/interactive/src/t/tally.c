/* tally: prints the tallies of two simulated streams, and what merging makes of them. */
#include <stdio.h>

#include "frames.h"

#define FRAMES 300
#define FIRST  20
#define ZERO   77777

static int64_t now_ns(void *self)
{
    return *(int64_t *)self;
}

static void sleep_until(void *self, int64_t moment_ns)
{
    int64_t *now = self;

    *now = greatest(*now, moment_ns);
}

static void burn(void *self, int64_t demand_ns)
{
    *(int64_t *)self += demand_ns;
}

static void play(const struct schedule *schedule, struct tally *tally)
{
    int64_t now = 0;
    const struct frame_run run = {
        .schedule = schedule, .policy = POLICY_SKIP, .zero_ns = ZERO, .first = FIRST, .end = FRAMES,
        .clock = {now_ns, sleep_until, &now}, .work = {burn, &now},
    };

    frames_run(&run, tally);
}

static void print_tally(const char *name, const struct tally *tally)
{
    printf("%s frames %lld on_time %lld late %lld dropped %lld censored %lld censored_max %lld demand %lld done %lld"
           " stalest %lld wakes %lld responses %lld stales %lld sum %.0f\n",
           name, (long long)tally->frames, (long long)tally->on_time, (long long)tally->late,
           (long long)tally->dropped, (long long)tally->censored, (long long)tally->censored_max_ns,
           (long long)tally->demand_ns, (long long)tally->done_ns, (long long)tally_max_staleness_ns(tally),
           (long long)tally->wake.moments.count, (long long)tally->response.moments.count,
           (long long)tally->staleness.moments.count,
           tally->staleness.moments.mean * (double)tally->staleness.moments.count);
}

/* Prints tallies, merged and not.  The frames of the second stream take three periods, so its last frame is dropped. */
int main(void)
{
    static struct tally one, other, both, from_nothing, with_nothing, nothing, counted = {.is_counting_only = 1};
    struct schedule schedule = {.period_num_ns = 1000, .period_den = 1, .demand_ns = 400};
    struct schedule slow = {.period_num_ns = 1000, .period_den = 1, .demand_ns = 2500};

    play(&schedule, &one);
    play(&slow, &other);
    play(&slow, &counted);
    both = one;
    tally_merge(&both, &other);
    with_nothing = one;
    tally_merge(&with_nothing, &nothing);
    tally_merge(&from_nothing, &one);
    print_tally("one", &one);
    print_tally("other", &other);
    print_tally("both", &both);
    print_tally("with_nothing", &with_nothing);
    print_tally("from_nothing", &from_nothing);
    print_tally("nothing", &nothing);
    print_tally("counted", &counted);
    return 0;
}
