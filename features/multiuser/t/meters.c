/*
 * The meters of recorded machines:
 *
 *   meters BEFORE AFTER        opens and reads both trees, and prints the values between them: NAME VALUE
 *   meters same ROOT COMMAND   opens and reads the tree, runs the command, and reads the same open files again
 */
#include "meters.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print(const struct meters_reading *before, const struct meters_reading *after,
                  const struct memory_peak *peak)
{
    for (int i = 0; i < meters_count(); i++)
        printf("%s %.6f\n", meters_name(i), meters_value(i, before, after, peak));
}

/* Returns whether a program that is started would inherit one of the files. */
static int stays_open(const struct meters *meters)
{
    for (int file = 0; file < METERS_FILES; file++)
        if (meters->fds[file] >= 0 && !(fcntl(meters->fds[file], F_GETFD) & FD_CLOEXEC))
            return 1;
    return 0;
}

static int look_again(const char *root, const char *command)
{
    struct meters meters;
    struct meters_reading before = {.moment_ns = 1500000000}, after = {.moment_ns = 4750000000};
    struct memory_peak peak = MEMORY_UNKNOWN;

    meters_open(&meters, root);
    meters_read(&meters, &before);
    meters_read_memory(&meters, &peak);
    if (stays_open(&meters) || system(command) != 0)
        return 1;
    meters_read(&meters, &after);
    meters_read_memory(&meters, &peak);
    meters_close(&meters);
    print(&before, &after, &peak);
    return 0;
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
    if (argc == 4 && strcmp(argv[1], "same") == 0)
        return look_again(argv[2], argv[3]);
    if (argc != 3)
        return 1;
    print_between(argv[1], argv[2]);
    return 0;
}
