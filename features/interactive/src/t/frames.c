/*
 * frames POLICY PERIOD DEMAND FRAMES FIRST [WHAT FRAME NS]...: runs a scenario with a simulated clock and simulated
 * work, in units of 1 ns, and prints what is counted.  FIRST is the number of frames that warm up.  WHAT is "stall" if
 * the sleep for that frame takes longer, or "extra" if its work does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define FRAMES_MAX 1000
#define ZERO_NS    1000003 /* the moment of frame 0 */

struct machine {
    int64_t period, first, now, burns;
    int64_t stalls[FRAMES_MAX], extras[FRAMES_MAX];
    int is_wrong;
};

static int64_t now_ns(void *self)
{
    return ((struct machine *)self)->now;
}

static void sleep_until(void *self, int64_t moment_ns)
{
    struct machine *machine = self;

    if (machine->now < moment_ns)
        machine->now = moment_ns;
    machine->is_wrong |= (moment_ns - ZERO_NS) % machine->period != 0;
    machine->now += machine->stalls[(moment_ns - ZERO_NS) / machine->period];
}

/* Works on the current frame, which is always the newest one that has been released. */
static void burn(void *self, int64_t demand_ns)
{
    struct machine *machine = self;
    int64_t k = (machine->now - ZERO_NS) / machine->period;

    machine->burns += k >= machine->first;
    machine->now += demand_ns + machine->extras[k];
}

/* Prints the values of a distribution that are counted, in their order. */
static void print_values(const char *name, const struct distribution *distribution)
{
    printf(" %s ", name);
    for (int index = 0; index < HISTOGRAM_BUCKETS; index++)
        for (uint64_t n = 0; n < distribution->histogram.buckets[index]; n++)
            printf("%llu,", (unsigned long long)histogram_low(index));
}

static void print_tally(const struct tally *tally, const struct machine *machine)
{
    const struct distribution *staleness = &tally->staleness;

    printf("on_time %lld late %lld dropped %lld censored %lld censored_max %lld demand %lld done %lld stalest %lld",
           (long long)tally->on_time, (long long)tally->late, (long long)tally->dropped, (long long)tally->censored,
           (long long)tally->censored_max_ns, (long long)tally->demand_ns, (long long)tally->done_ns,
           (long long)tally_max_staleness_ns(tally));
    printf(" mean %.3f p50 %lld p90 %lld max %lld burns %lld wrong %d", staleness->moments.mean,
           (long long)distribution_rank(staleness, 500), (long long)distribution_rank(staleness, 900),
           (long long)staleness->moments.max, (long long)machine->burns, machine->is_wrong);
    print_values("staleness", staleness);
    print_values("wake", &tally->wake);
}

int main(int argc, char **argv)
{
    static struct machine machine;
    static struct tally tally;

    if (argc < 6 || atoi(argv[4]) > FRAMES_MAX)
        return 2;
    for (int i = 6; i + 2 < argc; i += 3)
        (*argv[i] == 's' ? machine.stalls : machine.extras)[atoi(argv[i + 1]) % FRAMES_MAX] = atoll(argv[i + 2]);
    machine.period = atoll(argv[2]);
    machine.first = atoll(argv[5]);
    struct schedule schedule = {.period_num_ns = machine.period, .period_den = 1, .demand_ns = atoll(argv[3])};
    struct frame_run run = {
        .schedule = &schedule,
        .policy = strcmp(argv[1], "skip") == 0 ? POLICY_SKIP : POLICY_CATCH_UP,
        .zero_ns = ZERO_NS, .first = machine.first, .end = atoll(argv[4]),
        .clock = {now_ns, sleep_until, &machine}, .work = {burn, &machine},
    };
    frames_run(&run, &tally);
    print_tally(&tally, &machine);
    putchar('\n');
    return 0;
}
