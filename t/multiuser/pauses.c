/* pauses SEED LEAST MOST USER COUNT: the pauses of a user, numbered from 0, before so many lines, in nanoseconds. */
#include "pauses.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct pace pace;

    if (argc != 6)
        return 1;
    pace = (struct pace){.seed = strtoull(argv[1], NULL, 10), .least_s = atof(argv[2]), .most_s = atof(argv[3])};
    for (int place = 0; place < atoi(argv[5]); place++)
        printf("%lld\n", (long long)pause_ns(&pace, atoi(argv[4]), place));
    return 0;
}
