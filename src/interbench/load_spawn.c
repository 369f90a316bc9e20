/* A part of Compile: processes that do nothing start and end, one after another. */
#include "load_parts.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct spawning {
    struct load_board *board;
    int part;
};

static void spawn(const struct spawning *spawning)
{
    static char name[] = "true";
    char *const words[] = {name, NULL};
    int status = 0;
    pid_t child;
    const int error = posix_spawnp(&child, name, NULL, NULL, words, environ);

    if (error)
        load_fail(spawning->board, "the program true can't be started: %s", strerror(error));
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            load_fail(spawning->board, "waitpid: %s", strerror(errno));
    if (status != 0)
        load_fail_as(spawning->board, "the program true ended", status);
    load_count(spawning->board, spawning->part, 1);
}

static void *spawn_on(void *argument)
{
    for (;;)
        spawn(argument);
    return NULL;
}

void load_start_spawn(const struct load_setting *setting, struct load_board *board, int part)
{
    struct spawning *spawning = load_allocate(board, sizeof *spawning);

    (void)setting;
    *spawning = (struct spawning){board, part};
    load_thread(board, spawn_on, spawning);
}
