/* disturbance ROOT ROOT OWN_TICKS: prints the disturbances between two moments of a machine, as fractions. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "machine.h"

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
    if (argc != 4)
        return 2;
    print_between(argv + 1);
    return 0;
}
