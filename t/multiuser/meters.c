/*
 * meters BEFORE AFTER   opens both trees, looks at each, and prints what is reported: NAME VALUE
 * meters same ROOT COMMAND   opens the tree, looks, runs the command, and looks again through the same open files
 */
#include "meters.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print(const struct meters_look *before, const struct meters_look *after, const struct meters_most *most)
{
    for (int i = 0; i < meters_count(); i++)
        printf("%s %.6f\n", meters_name(i), meters_value(i, before, after, most));
}

/* A program that is started must not have the files. */
static int stays_open(const struct meters_sources *sources)
{
    for (int file = 0; file < METERS_FILES; file++)
        if (sources->fds[file] >= 0 && !(fcntl(sources->fds[file], F_GETFD) & FD_CLOEXEC))
            return 1;
    return 0;
}

static int look_again(const char *root, const char *command)
{
    struct meters_sources sources;
    struct meters_look before = {.moment_ns = 1500000000}, after = {.moment_ns = 4750000000};
    struct meters_most most;

    meters_open(&sources, root);
    meters_most_begin(&most);
    meters_read(&sources, &before);
    meters_note_memory(&sources, &most);
    if (stays_open(&sources) || system(command) != 0)
        return 1;
    meters_read(&sources, &after);
    meters_note_memory(&sources, &most);
    meters_close(&sources);
    print(&before, &after, &most);
    return 0;
}

int main(int argc, char **argv)
{
    struct meters_sources first, second;
    struct meters_look before = {.moment_ns = 1500000000}, after = {.moment_ns = 4750000000};
    struct meters_most most;

    if (argc == 4 && strcmp(argv[1], "same") == 0)
        return look_again(argv[2], argv[3]);
    if (argc != 3)
        return 1;
    meters_open(&first, argv[1]);
    meters_open(&second, argv[2]);
    meters_most_begin(&most);
    meters_read(&first, &before);
    meters_note_memory(&first, &most);
    meters_read(&second, &after);
    meters_note_memory(&second, &most);
    print(&before, &after, &most);
    meters_close(&first);
    meters_close(&second);
    return 0;
}
