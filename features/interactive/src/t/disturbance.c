/*
 * Snapshots of a recorded machine:
 *
 *   disturbance look ROOT                      prints busy, stolen and all ticks
 *   disturbance between ROOT ROOT OWN_TICKS    prints the disturbances between the two, as fractions
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

static void print_look(const char *root)
{
    struct snapshot snapshot;

    machine_snapshot(root, &snapshot);
    printf("%lld %lld %lld\n", (long long)snapshot.busy_ticks, (long long)snapshot.steal_ticks,
           (long long)snapshot.all_ticks);
}

static void print_between(char **words)
{
    struct snapshot before, after;

    machine_snapshot(words[0], &before);
    machine_snapshot(words[1], &after);
    const struct disturbance between = machine_disturbance(
        &before, &after, strtoll(words[2], NULL, 10) * 1000000000 / sysconf(_SC_CLK_TCK));

    printf("%.4g %.4g\n", between.steal, between.other_work);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "look") == 0)
        print_look(argv[2]);
    else if (argc == 5 && strcmp(argv[1], "between") == 0)
        print_between(argv + 2);
    else
        return 2;
    return 0;
}
