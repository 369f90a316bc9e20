/* Command: a command of the user's, again and again. */
#include "load_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAILURES_MOST 3

struct commanded {
    struct load_board *board;
    int part;
    const char *command;
};

static struct commanded the_command;

int load_command_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    if (setting->command && setting->command[strspn(setting->command, " \t\n")] != '\0')
        return 0;
    snprintf(why, LOAD_WHY_MAX, "there is no command; use --load-cmd");
    return 1;
}

void load_set_up_command(const struct load_setting *setting, struct load_board *board)
{
    the_command.board = board;
    the_command.command = setting->command;
}

__attribute__((noreturn))
static void become(const char *command, pid_t parent)
{
    load_follow(parent);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Returns the status with which the command has ended. */
static int run(const struct commanded *commanded)
{
    const pid_t parent = getpid(), child = fork();
    int status = 0;

    if (child < 0)
        load_fail(commanded->board, "no process can be started: %s", strerror(errno));
    if (child == 0)
        become(commanded->command, parent);
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            load_fail(commanded->board, "waitpid: %s", strerror(errno));
    return status;
}

__attribute__((noreturn))
static void give_up(const struct commanded *commanded, int status)
{
    char what[LOAD_WHY_MAX];

    snprintf(what, sizeof what, "\"%.90s\" failed %d times in a row, at last", commanded->command, FAILURES_MOST);
    load_fail_as(commanded->board, what, status);
}

static void *run_on(void *argument)
{
    const struct commanded *commanded = argument;

    for (int failures = 0;;) {
        const int status = run(commanded);

        if (status == 0) {
            failures = 0;
            load_count(commanded->board, commanded->part, 1);
        } else if (++failures == FAILURES_MOST) {
            give_up(commanded, status);
        }
    }
    return NULL;
}

void load_start_command(const struct load_setting *setting, struct load_board *board, int part)
{
    (void)setting;
    the_command.part = part;
    load_thread(board, run_on, &the_command);
}
