/* jobs BEGIN FROM UNTIL DEMAND EXTRA...: runs jobs with a simulated clock; each takes its EXTRA beyond the demand. */
#include <stdio.h>
#include <stdlib.h>

#include "frames.h"

struct machine {
    int64_t now;
    int jobs, extra_count;
    char **extras;
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
}

static void burn(void *self, int64_t demand_ns)
{
    struct machine *machine = self;
    const int job = machine->jobs++;

    machine->now += demand_ns + (job < machine->extra_count ? atoll(machine->extras[job]) : 0);
}

int main(int argc, char **argv)
{
    static struct tally tally;
    struct machine machine = {.extra_count = argc - 5, .extras = argv + 5};
    const struct job_run run = {
        .begin_ns = atoll(argv[1]), .from_ns = atoll(argv[2]), .until_ns = atoll(argv[3]),
        .demand_ns = atoll(argv[4]), .clock = {now_ns, sleep_until, &machine}, .work = {burn, &machine},
    };
    const int64_t elapsed_ns = jobs_run(&run, &tally);

    printf("%lld %lld %lld %lld %lld %.3f %lld\n", (long long)tally.frames, (long long)elapsed_ns,
           (long long)tally.done_ns, (long long)tally.response.moments.max, (long long)tally.wake.moments.max,
           tally.response.moments.mean, (long long)tally.staleness.moments.count);
    return 0;
}
