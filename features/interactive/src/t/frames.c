/*
 * frames FILE: runs scenarios with a simulated clock and simulated work, in units of 1 ns, and prints a line for each.
 * A line of the file has: policy, period, demand, number of frames, number of frames that warm up, stalls, extra work.
 * The stalls are their number and, for each, the frame that is awaited and how much longer that sleep takes.  Extra
 * work is given in the same way, for frames whose work takes longer.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define FRAMES_MAX 1000
#define ZERO_NS    1000003 /* the moment of frame 0 */

struct scenario {
    char policy[16];
    int64_t period, demand, frames, first;
    int64_t stalls[FRAMES_MAX], extras[FRAMES_MAX];
};

struct machine {
    const struct scenario *scenario;
    int64_t now, burns;
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
    machine->is_wrong |= (moment_ns - ZERO_NS) % machine->scenario->period != 0;
    machine->now += machine->scenario->stalls[(moment_ns - ZERO_NS) / machine->scenario->period];
}

/* Works on the current frame, which is always the newest one that has been released. */
static void burn(void *self, int64_t demand_ns)
{
    struct machine *machine = self;
    int64_t k = (machine->now - ZERO_NS) / machine->scenario->period;

    machine->burns += k >= machine->scenario->first;
    machine->now += demand_ns + machine->scenario->extras[k];
}

static struct machine run_scenario(const struct scenario *scenario, int64_t first, struct tally *tally)
{
    struct scenario from_first = *scenario;
    struct machine machine = {.scenario = &from_first};
    struct schedule schedule = {
        .period_num_ns = scenario->period, .period_den = 1, .demand_ns = scenario->demand,
    };
    struct frame_run run = {
        .schedule = &schedule,
        .policy = strcmp(scenario->policy, "skip") == 0 ? POLICY_SKIP : POLICY_CATCH_UP,
        .zero_ns = ZERO_NS, .first = first, .end = scenario->frames,
        .clock = {now_ns, sleep_until, &machine}, .work = {burn, &machine},
    };

    from_first.first = first;
    memset(tally, 0, sizeof *tally);
    frames_run(&run, tally);
    return machine;
}

/* Returns the sum of the whole values that one distribution has more than the other, or UNKNOWN without one. */
static int64_t added(const struct moments *more, const struct moments *less)
{
    if (more->count == less->count)
        return UNKNOWN;
    return llround(more->mean * (double)more->count - less->mean * (double)less->count);
}

/*
 * Prints class, wake latency and staleness of each frame: the differences between the tally from that frame on and the
 * one from the next on.
 */
static void print_frames(const struct scenario *scenario)
{
    static struct tally with, without;
    static int64_t wakes[FRAMES_MAX], staleness[FRAMES_MAX];

    printf(" classes ");
    run_scenario(scenario, scenario->first, &with);
    for (int64_t k = scenario->first; k < scenario->frames; k++) {
        run_scenario(scenario, k + 1, &without);
        putchar(with.dropped > without.dropped ? 'D' : with.late > without.late ? 'L' : 'M');
        wakes[k] = added(&with.wake.moments, &without.wake.moments);
        staleness[k] = added(&with.staleness.moments, &without.staleness.moments);
        with = without;
    }
    printf(" wake");
    for (int64_t k = scenario->first; k < scenario->frames; k++)
        if (wakes[k] != UNKNOWN)
            printf(" %lld", (long long)wakes[k]);
    printf(" staleness");
    for (int64_t k = scenario->first; k < scenario->frames; k++)
        if (staleness[k] != UNKNOWN)
            printf(" %lld", (long long)staleness[k]);
        else
            printf(" -");
}

static void print_tally(const struct tally *tally)
{
    const struct distribution *staleness = &tally->staleness;

    printf("on_time %lld late %lld dropped %lld censored %lld censored_max %lld demand %lld done %lld stalest %lld",
           (long long)tally->on_time, (long long)tally->late, (long long)tally->dropped, (long long)tally->censored,
           (long long)tally->censored_max_ns, (long long)tally->demand_ns, (long long)tally->done_ns,
           (long long)tally_max_staleness_ns(tally));
    printf(" mean %.15g p50 %lld p90 %lld max %lld", staleness->moments.mean,
           (long long)distribution_rank(staleness, 500), (long long)distribution_rank(staleness, 900),
           (long long)staleness->moments.max);
}

static void print_scenario(const struct scenario *scenario)
{
    static struct tally tally;
    struct machine machine = run_scenario(scenario, scenario->first, &tally);

    print_tally(&tally);
    printf(" burns %lld wrong %d", (long long)machine.burns, machine.is_wrong);
    print_frames(scenario);
    putchar('\n');
}

static void read_pairs(FILE *file, int64_t *values)
{
    long long count = 0, k, value;

    if (fscanf(file, "%lld", &count) != 1)
        exit(2);
    while (count-- > 0) {
        if (fscanf(file, "%lld %lld", &k, &value) != 2 || k < 0 || k >= FRAMES_MAX)
            exit(2);
        values[k] = value;
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    struct scenario scenario;
    long long numbers[4];

    if (!file)
        return 2;
    while (fscanf(file, "%15s %lld %lld %lld %lld", scenario.policy, &numbers[0], &numbers[1], &numbers[2],
                  &numbers[3]) == 5) {
        scenario.period = numbers[0];
        scenario.demand = numbers[1];
        scenario.frames = numbers[2];
        scenario.first = numbers[3];
        memset(scenario.stalls, 0, sizeof scenario.stalls);
        memset(scenario.extras, 0, sizeof scenario.extras);
        read_pairs(file, scenario.stalls);
        read_pairs(file, scenario.extras);
        print_scenario(&scenario);
    }
    return fclose(file);
}
