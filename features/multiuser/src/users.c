/* Starts and ends all users of a run, reads their answers, and waits for their processes and for orphans. */
#include "users.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "guardian.h"
#include "proc.h"

#define NUMBER_MAX 100000000

static struct users *current; /* the users of the run, for users_reap(), which has no argument */

int users_start(struct users *users, int count, const char *shell, const char *home)
{
    int ends[2];

    *users = (struct users){.answers_fd = -1, .write_fd = -1, .room = count};
    users->list = calloc((size_t)count, sizeof *users->list);
    if (!users->list)
        return ENOMEM;
    if (pipe_above(ends) != 0)
        return errno;
    current = users;
    users->answers_fd = ends[0];
    users->write_fd = ends[1];
    fcntl(users->answers_fd, F_SETFL, O_NONBLOCK);

    const struct shell_settings settings = {.shell = shell, .home = home, .answers_fd = ends[1]};
    int error = 0;

    while (users->count < users->room && !error) {
        error = user_start(&users->list[users->count], users->count + 1, &settings);
        users->count += !error;
    }
    return error;
}

static struct user *user_of(pid_t pid)
{
    for (int i = 0; i < current->count; i++)
        if (current->list[i].pid == pid)
            return &current->list[i];
    return NULL;
}

/* Handles a child that has ended, was stopped or was continued.  Children that are not shells of users are orphans. */
static void handle_child(pid_t pid, int code)
{
    struct user *user = user_of(pid);

    if (code == CLD_STOPPED || code == CLD_CONTINUED) {
        siginfo_t info;

        waitid(P_PID, (id_t)pid, &info, WSTOPPED | WCONTINUED | WNOHANG);
        if (user)
            user->was_stopped = 1;
    } else if (user)
        user_wait(user);
    else
        waitpid(pid, NULL, 0);
}

int users_reap(void)
{
    siginfo_t info = {.si_pid = 0};

    while (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
        handle_child(info.si_pid, info.si_code);
        info.si_pid = 0;
    }
    for (int i = 0; i < current->count; i++)
        if (current->list[i].has_ended && current->list[i].state != USER_GONE)
            return 1;
    return 0;
}

int users_read(struct users *users, struct answer *answer)
{
    while (!answers_next(&users->answers, &users->next, &users->left, answer)) {
        ssize_t got;

        do
            got = read(users->answers_fd, users->bytes, sizeof users->bytes);
        while (got < 0 && errno == EINTR);
        if (got <= 0)
            return 0;
        users->next = users->bytes;
        users->left = (size_t)got;
    }
    return 1;
}

/* Parses a number that ends with that character; returns the text after it, or NULL. */
static const char *parse_number(const char *text, char end, int *number)
{
    const char *digit = text;

    for (*number = 0; *digit >= '0' && *digit <= '9'; digit++)
        if (*number < NUMBER_MAX)
            *number = 10 * *number + (*digit - '0');
    return digit > text && *digit == end ? digit + 1 : NULL;
}

/* An answer is "USER LINE STATUS": digits and single blanks.  Anything else was written by a command. */
static int parse_answer(const char *text, struct answer *answer)
{
    return (text = parse_number(text, ' ', &answer->user)) && (text = parse_number(text, ' ', &answer->line))
           && parse_number(text, '\0', &answer->status);
}

/* Adds bytes to the line; returns 1 if they end it.  An answer is written at once, but may be read in two parts. */
static int take_bytes(struct answers *answers, const char **bytes, size_t *size)
{
    const char *end = memchr(*bytes, '\n', *size);
    const size_t length = end ? (size_t)(end - *bytes) : *size;

    if (length >= ANSWER_MAX - answers->length)
        answers->is_too_long = 1;
    else {
        memcpy(answers->line + answers->length, *bytes, length);
        answers->length += length;
    }
    *bytes += length + (end != NULL);
    *size -= length + (end != NULL);
    return end != NULL;
}

int answers_next(struct answers *answers, const char **bytes, size_t *size, struct answer *answer)
{
    while (*size > 0 && take_bytes(answers, bytes, size)) {
        const int is_whole = !answers->is_too_long;

        answers->line[answers->length] = '\0';
        answers->length = 0;
        answers->is_too_long = 0;
        if (is_whole && parse_answer(answers->line, answer))
            return 1;
    }
    return 0;
}

void orphans_adopt(void)
{
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

static int is_orphan(pid_t pid)
{
    char state;
    pid_t parent;

    return pid > 0 && pid != guardian_pid() && proc_process(pid, &state, &parent) == 0 && parent == getpid();
}

/* Kills the orphans that /proc shows, and waits for them; returns how many there were. */
static int kill_orphans(void)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    int count = 0;

    if (!processes)
        return 0;
    while ((entry = readdir(processes))) {
        const pid_t pid = (pid_t)atoi(entry->d_name);

        if (!is_orphan(pid))
            continue;
        kill(pid, SIGKILL);
        count += waitpid(pid, NULL, 0) == pid;
    }
    closedir(processes);
    return count;
}

/* The children of an orphan that is killed become orphans, too. */
void users_end(struct users *users)
{
    for (int i = 0; i < users->count; i++)
        user_kill(&users->list[i]);
    for (int i = 0; i < users->count; i++)
        if (users->list[i].pid > 0)
            user_wait(&users->list[i]);
    while (kill_orphans() > 0)
        continue;
    if (users->answers_fd >= 0)
        close(users->answers_fd);
    if (users->write_fd >= 0)
        close(users->write_fd);
    free(users->list);
    users->list = NULL;
    users->count = 0;
}
