/* Loads that start programs: Compile acts like the build of a large program, Command repeats a command of the user. */
#include "loads/load.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A thread that starts processes, one after another. */
struct starter {
    struct load_shared *shared;
    int part;
    const char *command;
};

static struct starter spawner, commander;

/* Waits for a child; returns the status with which it has ended. */
static int wait_for(const struct starter *starter, pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            load_fail(starter->shared, "waitpid: %s", strerror(errno));
    return status;
}

static void spawn_true(const struct starter *starter)
{
    static char name[] = "true";
    char *const words[] = {name, NULL};
    pid_t child;
    const int error = posix_spawnp(&child, name, NULL, NULL, words, environ);

    if (error)
        load_fail(starter->shared, "can't start the program true: %s", strerror(error));

    const int status = wait_for(starter, child);

    if (status != 0)
        load_fail_as(starter->shared, "the program true ended", status);
    load_count(starter->shared, starter->part, 1);
}

static void *spawn(void *argument)
{
    for (;;)
        spawn_true(argument);
    return NULL;
}

static void set_up_compile(const struct load_setting *setting, struct load_shared *shared)
{
    load_write.set_up(setting, shared);
    load_read.set_up(setting, shared);
}

static void start_compile(const struct load_setting *setting, struct load_shared *shared, int part)
{
    load_burn.start(setting, shared, part);
    load_write.start(setting, shared, part + 1);
    load_read.start(setting, shared, part + 2);
    spawner = (struct starter){.shared = shared, .part = part + 3};
    load_thread(shared, spawn, &spawner);
}

static int compile_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    return load_write.is_impossible(setting, why);
}

const struct load load_compile = {
    .name = "Compile", .about = "Burn, Write and Read together, and short-lived processes",
    .parts = 4, .is_mixed = 1, .is_reading = 1,
    .is_impossible = compile_is_impossible, .set_up = set_up_compile, .start = start_compile
};

#define FAILURES_MOST 3

static int command_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    if (setting->command && setting->command[strspn(setting->command, " \t\n")] != '\0')
        return 0;
    snprintf(why, LOAD_WHY_MAX, "it has no command; use --load-cmd");
    return 1;
}

/* Returns the status with which the command has ended. */
static int run_command(const struct starter *starter)
{
    const pid_t parent = getpid(), child = fork();

    if (child < 0)
        load_fail(starter->shared, "can't start a process: %s", strerror(errno));
    if (child == 0) {
        load_follow(parent);
        execl("/bin/sh", "sh", "-c", starter->command, (char *)NULL);
        _exit(127);
    }
    return wait_for(starter, child);
}

__attribute__((noreturn))
static void fail_command(const struct starter *starter, int status)
{
    char what[LOAD_WHY_MAX];

    snprintf(what, sizeof what, "\"%.90s\" failed %d times in a row, the last time", starter->command, FAILURES_MOST);
    load_fail_as(starter->shared, what, status);
}

static void *repeat_command(void *argument)
{
    const struct starter *starter = argument;

    for (int failures = 0;;) {
        const int status = run_command(starter);

        if (status == 0) {
            failures = 0;
            load_count(starter->shared, starter->part, 1);
        } else if (++failures == FAILURES_MOST) {
            fail_command(starter, status);
        }
    }
    return NULL;
}

static void start_command(const struct load_setting *setting, struct load_shared *shared, int part)
{
    commander = (struct starter){shared, part, setting->command};
    load_thread(shared, repeat_command, &commander);
}

const struct load load_command = {
    .name = "Command", .about = "repeats the command of --load-cmd", .parts = 1,
    .steady_ms = LOAD_STEADY_MS, .is_impossible = command_is_impossible, .start = start_command
};
