/*
 * The process of the guardian.  It reads numbers of process groups from a pipe: a positive number is added, a negative
 * one is removed.  At the end of the pipe it kills the groups that are left.
 */
#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "proc.h"
#ifdef __APPLE__
#include "macos.h"
#endif

#define LOOK_MS 500 /* how often it looks whether this program is stopped */

static int pipe_end = -1;
static pid_t guardian;

static pid_t *groups;
static int group_count, group_room;

static void signal_groups(int signal)
{
    for (int i = 0; i < group_count; i++)
        kill(-groups[i], signal);
}

/* Makes room for one more group; returns whether there is room. */
static int has_room(void)
{
    if (group_count < group_room)
        return 1;

    const int room = group_room ? 2 * group_room : 8;
    pid_t *larger = realloc(groups, (size_t)room * sizeof *groups);

    if (!larger)
        return 0;
    groups = larger;
    group_room = room;
    return 1;
}

/* Adds the group, or removes it if the number is negative. */
static void note(pid_t group)
{
    if (group > 0 && has_room())
        groups[group_count++] = group;
    for (int i = 0; i < group_count; i++)
        if (groups[i] == -group)
            groups[i--] = groups[--group_count];
}

static int is_stopped(pid_t pid)
{
    char state;
    pid_t parent;

    return proc_process(pid, &state, &parent) == 0 && (state == 'T' || state == 't');
}

__attribute__((noreturn))
static void watch_over(pid_t program, int input)
{
    struct pollfd poll_input = {.fd = input, .events = POLLIN};
    int was_stopped = 0;

    for (;;) {
        pid_t group;
        const int found = poll(&poll_input, 1, group_count > 0 ? LOOK_MS : -1);

        if (found > 0 || (found < 0 && errno != EINTR)) {
            if (read(input, &group, sizeof group) != sizeof group)
                break;
            note(group);
        }
        if (group_count > 0 && is_stopped(program) != was_stopped) {
            was_stopped = !was_stopped;
            signal_groups(was_stopped ? SIGSTOP : SIGCONT);
        }
    }
    signal_groups(SIGKILL);
    _exit(0);
}

/* Runs the guardian in its process: ignores signals, closes what it does not need, and watches the program. */
__attribute__((noreturn))
static void run_guardian(pid_t program, const int ends[2])
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_NAME, "guardian");
#endif
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    close(ends[1]);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    watch_over(program, ends[0]);
}

int guardian_start(void)
{
    const pid_t program = getpid();
    int ends[2], error = 0;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    guardian = fork();
    if (guardian == 0)
        run_guardian(program, ends);
    if (guardian < 0) {
        error = errno;
        close(ends[1]);
    }
    close(ends[0]);
    pipe_end = error ? -1 : ends[1];
    return error;
}

/* Writes the number to the guardian, negative to remove the group; returns 0, or -1 if the guardian has ended. */
static int send_group(pid_t group)
{
    return pipe_end < 0 || write(pipe_end, &group, sizeof group) == sizeof group ? 0 : -1;
}

int guardian_add(pid_t group)
{
    return send_group(group);
}

int guardian_remove(pid_t group)
{
    return send_group(-group);
}

static void close_pipe(void)
{
    if (pipe_end >= 0)
        close(pipe_end);
    pipe_end = -1;
}

void guardian_forget_in_child(void)
{
    close_pipe();
}

pid_t guardian_pid(void)
{
    return guardian;
}

void guardian_stop(void)
{
    close_pipe();
    while (guardian > 0 && waitpid(guardian, NULL, 0) < 0 && errno == EINTR)
        continue;
    guardian = 0;
}
