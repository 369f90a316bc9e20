/*
 * Commands don't inherit the pipe of answers, and read nothing: lines that are still to come are no input of theirs.
 * Descriptors of this program are far from those that lines may name.
 */
#include "user.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "events.h"
#include "far.h"
#include "guardian.h"
#include "homes.h"

#define ANSWERS_FD     3
#define CANNOT_RUN     127
#define FEED_ROOM      (SCRIPT_LINE_MAX + 100)
#define OUTPUT_FLAGS   (O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC)

static void set_environment(const char *home)
{
    setenv("HOME", home, 1);
    setenv("TMPDIR", home, 1);
    setenv("PWD", home, 1);
    unsetenv("ENV");
    unsetenv("BASH_ENV");
}

/* The child's part of the fork: from here on it is the user's shell. */
__attribute__((noreturn))
static void become_shell(const struct lodging *lodging, const char *home, int feed_fd, int output_fd, pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    events_forget();
    if (getppid() != parent)
        _exit(0);
    set_environment(home);
    far_disclaim();
    if (chdir(home) == 0 && dup2(feed_fd, STDIN_FILENO) >= 0 && dup2(output_fd, STDOUT_FILENO) >= 0
        && dup2(output_fd, STDERR_FILENO) >= 0 && dup2(lodging->answers_fd, ANSWERS_FD) >= 0)
        execl(lodging->shell, lodging->shell, (char *)NULL);
    _exit(CANNOT_RUN);
}

static int feed(const struct user *user, const char *text)
{
    const size_t length = strlen(text);
    const ssize_t written = write(user->feed_fd, text, length);

    if (written < 0)
        return errno;
    return (size_t)written == length ? 0 : EAGAIN;
}

/* It answers line 0 with status 0; one that has ended is noticed as such. */
static int ask_ready(const struct user *user)
{
    char text[FEED_ROOM];
    int error;

    snprintf(text, sizeof text, "echo \"%d 0 $?\" >&%d\n", user->number, ANSWERS_FD);
    error = feed(user, text);
    return error == EPIPE ? 0 : error;
}

/* Both ends of the pipe are closed again where something fails. */
static int start_shell(struct user *user, const struct lodging *lodging, const char *home, int output_fd)
{
    const pid_t parent = getpid();
    int ends[2], error;

    if (far_pipe(ends) != 0)
        return errno;
    user->pid = fork();
    error = user->pid < 0 ? errno : 0;
    if (user->pid == 0)
        become_shell(lodging, home, ends[0], output_fd, parent);
    close(ends[0]);
    if (error) {
        close(ends[1]);
        user->pid = 0;
        return error;
    }
    setpgid(user->pid, user->pid);
    guardian_add(user->pid); /* where the guardian has gone, the death signal still ends the shell, if not what it runs */
    user->feed_fd = ends[1];
    fcntl(user->feed_fd, F_SETFL, O_NONBLOCK); /* a shell that does not read is no reason to wait */
    error = ask_ready(user);
    if (error) {
        user_kill(user);
        user_collect(user);
    }
    return error;
}

/* What is there already is somebody else's. */
int user_start(struct user *user, int number, const struct lodging *lodging)
{
    char home[HOME_MAX], output[HOME_MAX];
    int output_fd, error;

    *user = (struct user){.number = number, .state = USER_STARTING, .feed_fd = -1};
    home_of(home, lodging->home, number);
    output_of(output, lodging->home, number);
    if (mkdir(home, 0700) != 0)
        return errno;
    output_fd = far_fd(open(output, OUTPUT_FLAGS, 0600));
    error = output_fd < 0 ? errno : start_shell(user, lodging, home, output_fd);
    if (output_fd >= 0) {
        close(output_fd);
        if (error)
            unlink(output);
    }
    if (error)
        rmdir(home);
    return error;
}

/* In a group of nothing but a subshell with a redirection dash forgets that redirection: there is a ":" before it. */
int user_feed(struct user *user, const struct script_line *line)
{
    char text[FEED_ROOM];

    snprintf(text, sizeof text, "{ :\n%s\n} </dev/null %d>&-; echo \"%d %d $?\" >&%d\n", line->text, ANSWERS_FD,
             user->number, line->number, ANSWERS_FD);
    return feed(user, text);
}

void user_let_leave(struct user *user)
{
    if (user->feed_fd >= 0)
        close(user->feed_fd);
    user->feed_fd = -1;
}

void user_kill(const struct user *user)
{
    if (user->pid > 0)
        kill(-user->pid, SIGKILL);
}

/* Until the shell is waited for, the number of its group is no other's. */
void user_collect(struct user *user)
{
    struct rusage kernel = {0};
    siginfo_t info;

    while (waitid(P_PID, (id_t)user->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    user_kill(user);
    guardian_remove(user->pid);
    while (wait4(user->pid, &user->wait_status, 0, &kernel) < 0 && errno == EINTR)
        continue;
    user->usage = usage_of(&kernel);
    user->rss_most_kb = (double)kernel.ru_maxrss;
    user_let_leave(user);
    user->pid = 0;
    user->has_ended = 1;
}
