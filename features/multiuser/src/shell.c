/*
 * A user's shell: its home, its descriptors, its start and its end.
 *
 * Commands do not inherit the pipe to the shell, so they cannot read the lines that follow.  They do not inherit the
 * pipe of the answers either.  Lines may use the descriptors up to 9, and shells keep some above those.  So the
 * descriptors of this program are still higher.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "events.h"
#include "guardian.h"
#include "shell.h"

#define ANSWERS_FD      3 /* in the shell */
#define LOWEST_FD       20
#define CANNOT_RUN      127
#define INPUT_ROOM      (SCRIPT_LINE_MAX + 100)
#define OUTPUT_FLAGS    (O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC)
#define OPEN_DIRS       16
#define REMOVE_ATTEMPTS 100 /* each gives access to one more level of directories */

/* The kernel's unit of the most memory: bytes on macOS, KB elsewhere. */
#ifdef __APPLE__
#define MAXRSS_OF_KB 1024
#else
#define MAXRSS_OF_KB 1
#endif

static struct rlimit files_at_first;
static int has_more_files;
static int has_opened; /* whether access was given to a directory, so that the next attempt can remove its files */

/* If the limit cannot be raised, a later error names the first user that cannot be started. */
void files_allow(unsigned count)
{
    if (getrlimit(RLIMIT_NOFILE, &files_at_first) != 0 || files_at_first.rlim_cur >= count)
        return;

    struct rlimit limit = files_at_first;

    limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
    has_more_files = setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* Moves a descriptor above those that lines may use; returns the new one, or -1 with errno. */
static int move_above(int fd)
{
    if (fd < 0)
        return -1;

    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, LOWEST_FD), error = errno;

    close(fd);
    errno = error;
    return moved;
}

int pipe_above(int ends[2])
{
    int low[2];

    if (pipe(low) != 0)
        return -1;
    ends[0] = move_above(low[0]);
    ends[1] = move_above(low[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return 0;

    const int error = errno;

    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    errno = error;
    return -1;
}

void home_path(char path[HOME_MAX], const char *home, int number)
{
    snprintf(path, HOME_MAX, "%s/user%04d", home, number);
}

void output_path(char path[HOME_MAX], const char *home, int number)
{
    snprintf(path, HOME_MAX, "%s/user%04d.out", home, number);
}

const char *homes_make(void)
{
    static char path[HOME_MAX];
    const char *place = getenv("TMPDIR");

    snprintf(path, sizeof path, "%s/multiuser.XXXXXX", place && *place ? place : "/tmp");
    return mkdtemp(path);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    if (remove(path) != 0 && (kind == FTW_DNR || kind == FTW_DP) && (status->st_mode & S_IRWXU) != S_IRWXU)
        has_opened |= chmod(path, S_IRWXU) == 0;
    return 0;
}

void tree_remove(const char *path)
{
    has_opened = 1;
    for (int attempt = 0; attempt < REMOVE_ATTEMPTS && has_opened; attempt++) {
        has_opened = 0;
        nftw(path, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
    }
}

void homes_remove(const char *home, int users)
{
    char path[HOME_MAX];

    for (int number = 1; number <= users; number++) {
        home_path(path, home, number);
        tree_remove(path);
        output_path(path, home, number);
        remove(path);
    }
}

static void set_environment(const char *home)
{
    setenv("HOME", home, 1);
    setenv("TMPDIR", home, 1);
    setenv("PWD", home, 1);
    unsetenv("ENV");
    unsetenv("BASH_ENV");
}

/* In the child: becomes the shell. */
__attribute__((noreturn))
static void become_shell(const struct shell_settings *settings, const char *home, int input_fd, int output_fd,
                         pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    events_forget_in_child();
    if (getppid() != parent)
        _exit(0);
    set_environment(home);
    if (has_more_files)
        setrlimit(RLIMIT_NOFILE, &files_at_first);
    if (chdir(home) == 0 && dup2(input_fd, STDIN_FILENO) >= 0 && dup2(output_fd, STDOUT_FILENO) >= 0
        && dup2(output_fd, STDERR_FILENO) >= 0 && dup2(settings->answers_fd, ANSWERS_FD) >= 0)
        execl(settings->shell, settings->shell, (char *)NULL);
    _exit(CANNOT_RUN);
}

static int write_input(const struct user *user, const char *text)
{
    const size_t length = strlen(text);
    const ssize_t written = write(user->input_fd, text, length);

    if (written < 0)
        return errno;
    return (size_t)written == length ? 0 : EAGAIN;
}

/* Asks the shell for the answer to line 0; returns 0, or an errno.  A shell that has ended is noticed later. */
static int ask_whether_ready(const struct user *user)
{
    char text[INPUT_ROOM];

    snprintf(text, sizeof text, "echo \"%d 0 $?\" >&%d\n", user->number, ANSWERS_FD);

    const int error = write_input(user, text);

    return error == EPIPE ? 0 : error;
}

/* Forks with both ends of the input pipe; returns 0, or an errno with both closed. */
static int fork_shell(struct user *user, const struct shell_settings *settings, const char *home, int output_fd)
{
    const pid_t parent = getpid();
    int ends[2];

    if (pipe_above(ends) != 0)
        return errno;
    user->pid = fork();
    if (user->pid == 0)
        become_shell(settings, home, ends[0], output_fd, parent);

    const int error = user->pid < 0 ? errno : 0;

    close(ends[0]);
    if (error) {
        close(ends[1]);
        user->pid = 0;
    } else
        user->input_fd = ends[1];
    return error;
}

/*
 * Starts the shell in its process group; returns 0, or an errno.  If the guardian has ended, the death signal still
 * ends the shell with this program, but not its commands.
 */
static int start_shell(struct user *user, const struct shell_settings *settings, const char *home, int output_fd)
{
    int error = fork_shell(user, settings, home, output_fd);

    if (error)
        return error;
    setpgid(user->pid, user->pid);
    guardian_add(user->pid);
    fcntl(user->input_fd, F_SETFL, O_NONBLOCK); /* this program does not wait for a shell that does not read */
    error = ask_whether_ready(user);
    if (error) {
        user_kill(user);
        user_wait(user);
    }
    return error;
}

/* A file that already has the name of the home or of the output is not touched: it belongs to another program. */
int user_start(struct user *user, int number, const struct shell_settings *settings)
{
    char home[HOME_MAX], output[HOME_MAX];

    *user = (struct user){.number = number, .state = USER_STARTING, .input_fd = -1};
    home_path(home, settings->home, number);
    output_path(output, settings->home, number);
    if (mkdir(home, 0700) != 0)
        return errno;

    const int opened = open(output, OUTPUT_FLAGS, 0600), output_fd = move_above(opened);
    const int error = output_fd < 0 ? errno : start_shell(user, settings, home, output_fd);

    if (output_fd >= 0)
        close(output_fd);
    if (error && opened >= 0)
        unlink(output);
    if (error)
        rmdir(home);
    return error;
}

/* The ":" is for dash, which forgets the redirections of a group that consists of a redirected subshell only. */
int user_write(const struct user *user, const struct script_line *line)
{
    char text[INPUT_ROOM];

    snprintf(text, sizeof text, "{ :\n%s\n} </dev/null %d>&-; echo \"%d %d $?\" >&%d\n", line->text, ANSWERS_FD,
             user->number, line->number, ANSWERS_FD);
    return write_input(user, text);
}

void user_close(struct user *user)
{
    if (user->input_fd >= 0)
        close(user->input_fd);
    user->input_fd = -1;
}

void user_kill(const struct user *user)
{
    if (user->pid > 0 && kill(-user->pid, SIGKILL) != 0)
        kill(user->pid, SIGKILL); /* a sandbox may refuse setpgid */
}

/* The group is killed before the shell is waited for: until then no other process can have its number. */
void user_wait(struct user *user)
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
    user->rss_most_kb = (double)kernel.ru_maxrss / MAXRSS_OF_KB;
    user_close(user);
    user->pid = 0;
    user->has_ended = 1;
}
