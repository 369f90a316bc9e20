/* pauses SEED MIN MAX USER COUNT: prints the think times of USER, from 0, before COUNT lines, in nanoseconds. */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct think_time think;

    if (argc != 6)
        return 1;
    think = (struct think_time){.seed = strtoull(argv[1], NULL, 10), .min_s = atof(argv[2]), .max_s = atof(argv[3])};
    for (int place = 0; place < atoi(argv[5]); place++)
        printf("%lld\n", (long long)think_time_ns(&think, atoi(argv[4]), place));
    return 0;
}
