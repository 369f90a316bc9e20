/* meters BEFORE AFTER: opens and reads the trees of two recorded moments, and prints the values between them. */
#include "meters.h"

#include <stdio.h>

static void print(const struct meters_reading *before, const struct meters_reading *after,
                  const struct memory_peak *peak)
{
    for (int i = 0; i < meters_count(); i++)
        printf("%s %.6f\n", meters_name(i), meters_value(i, before, after, peak));
}

static void print_between(const char *root_before, const char *root_after)
{
    struct meters first, second;
    struct meters_reading before = {.moment_ns = 1500000000}, after = {.moment_ns = 4750000000};
    struct memory_peak peak = MEMORY_UNKNOWN;

    meters_open(&first, root_before);
    meters_open(&second, root_after);
    meters_read(&first, &before);
    meters_read_memory(&first, &peak);
    meters_read(&second, &after);
    meters_read_memory(&second, &peak);
    print(&before, &after, &peak);
    meters_close(&first);
    meters_close(&second);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    print_between(argv[1], argv[2]);
    return 0;
}
