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

#include "homes.h"
#include "ward.h"
#include "watch.h"

#define ANSWERS_FD     3
#define CANNOT_RUN     127
#define FEED_ROOM      (SCRIPT_LINE_MAX + 100)
#define OUTPUT_FLAGS   (O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC)

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
    watch_forget();
    if (getppid() != parent)
        _exit(0);
    set_environment(home);
    if (chdir(home) == 0 && dup2(feed_fd, STDIN_FILENO) >= 0 && dup2(output_fd, STDOUT_FILENO) >= 0
        && dup2(output_fd, STDERR_FILENO) >= 0 && dup2(lodging->answers_fd, ANSWERS_FD) >= 0)
        execl(lodging->shell, lodging->shell, (char *)NULL);
    _exit(CANNOT_RUN);
}

/* Both pipe ends and the file are closed again where something fails. */
int user_start(struct user *user, int number, const struct lodging *lodging)
{
    char home[HOME_MAX], output[HOME_MAX];
    const pid_t parent = getpid();
    int ends[2], output_fd, error;

    *user = (struct user){.number = number, .state = USER_STARTING, .feed_fd = -1};
    home_of(home, lodging->home, number);
    output_of(output, lodging->home, number);
    if (mkdir(home, 0700) != 0)
        return errno;
    output_fd = far_fd(open(output, OUTPUT_FLAGS, 0600));
    if (output_fd < 0)
        return errno;
    if (far_pipe(ends) != 0) {
        error = errno;
        close(output_fd);
        return error;
    }
    user->pid = fork();
    error = user->pid < 0 ? errno : 0;
    if (user->pid == 0)
        become_shell(lodging, home, ends[0], output_fd, parent);
    close(ends[0]);
    close(output_fd);
    if (error) {
        close(ends[1]);
        user->pid = 0;
        return error;
    }
    setpgid(user->pid, user->pid);
    ward_add(user->pid);
    user->feed_fd = ends[1];
    fcntl(user->feed_fd, F_SETFL, O_NONBLOCK); /* a shell that does not read is no reason to wait */
    return 0;
}

static int feed(const struct user *user, const char *text)
{
    const size_t length = strlen(text);
    const ssize_t written = write(user->feed_fd, text, length);

    if (written < 0)
        return errno;
    return (size_t)written == length ? 0 : EAGAIN;
}

int user_ask_ready(struct user *user)
{
    char text[FEED_ROOM];

    snprintf(text, sizeof text, "echo \"%d 0 $?\" >&%d\n", user->number, ANSWERS_FD);
    return feed(user, text);
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
    while (wait4(user->pid, &user->wait_status, 0, &kernel) < 0 && errno == EINTR)
        continue;
    user->usage = usage_of(&kernel);
    ward_remove(user->pid);
    user_let_leave(user);
    user->pid = 0;
    user->has_ended = 1;
}
