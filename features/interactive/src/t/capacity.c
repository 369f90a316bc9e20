/*
 * capacity KIND AMOUNT MOST [STREAMS...]: the search for the capacity on a simulated machine, in at most MOST trials.
 * With these numbers of STREAMS nothing is on time.  The KIND decides how many percent are on time with N streams:
 *
 *   line     100 up to AMOUNT streams, then 100 * AMOUNT / N
 *   cliff    100 up to AMOUNT streams, then 0
 *   broken   100, but from AMOUNT streams on trials fail
 */
#include "measure/capacity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine {
    const char *kind;
    double amount;
    char **accidents;
};

static double line(const struct machine *machine, int streams)
{
    return streams <= machine->amount ? 100 : 100 * machine->amount / streams;
}

static int is_accident(const struct machine *machine, int streams)
{
    for (char **accident = machine->accidents; *accident; accident++)
        if (atoi(*accident) == streams)
            return 1;
    return 0;
}

static double on_time(void *self, int streams)
{
    const struct machine *machine = self;
    int is_beyond = streams > machine->amount;

    if (is_accident(machine, streams))
        return 0;
    if (strcmp(machine->kind, "cliff") == 0)
        return is_beyond ? 0 : 100;
    if (strcmp(machine->kind, "broken") == 0)
        return streams >= machine->amount ? -1 : 100;
    return line(machine, streams);
}

int main(int argc, char **argv)
{
    struct capacity capacity;
    struct machine machine;

    if (argc < 4)
        return 1;
    machine = (struct machine){argv[1], atof(argv[2]), argv + 4};
    capacity_search(&capacity, on_time, &machine, atoi(argv[3]));
    printf("%.6f %d %d %d\n", capacity.fps, capacity.most_passed, capacity.least_failed, capacity.is_limited);
    for (int i = 0; i < capacity.trial_count; i++)
        printf("%d %.4f\n", capacity.trials[i].streams, capacity.trials[i].on_time);
    return 0;
}
