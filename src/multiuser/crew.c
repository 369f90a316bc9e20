/* Signals tell that a child has ended, not which: so the crew is known to whoever waits. */
#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "far.h"
#include "guardian.h"
#include "strays.h"

static struct crew *watched;

static int start_all(struct crew *crew, const struct lodging *lodging)
{
    for (; crew->count < crew->room; crew->count++) {
        const int error = user_start(&crew->users[crew->count], crew->count + 1, lodging);

        if (error)
            return error;
    }
    return 0;
}

int crew_start(struct crew *crew, int count, const char *shell, const char *home)
{
    struct lodging lodging = {.shell = shell, .home = home};
    int ends[2];

    *crew = (struct crew){.answers_fd = -1, .say_fd = -1, .room = count};
    crew->users = calloc((size_t)count, sizeof *crew->users);
    if (!crew->users)
        return ENOMEM;
    if (far_pipe(ends) != 0)
        return errno;
    watched = crew;
    crew->answers_fd = ends[0];
    fcntl(crew->answers_fd, F_SETFL, O_NONBLOCK);
    crew->say_fd = lodging.answers_fd = ends[1];
    return start_all(crew, &lodging);
}

static struct user *user_of(pid_t pid)
{
    for (int i = 0; i < watched->count; i++)
        if (watched->users[i].pid == pid)
            return &watched->users[i];
    return NULL;
}

/* What a line has left behind becomes a child of this program; it is only waited for.  Of stops it is noted whose. */
int crew_reap(void)
{
    siginfo_t info = {.si_pid = 0};

    while (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
        struct user *user = user_of(info.si_pid);

        if (info.si_code == CLD_STOPPED || info.si_code == CLD_CONTINUED) {
            waitid(P_PID, (id_t)info.si_pid, &info, WSTOPPED | WCONTINUED | WNOHANG);
            if (user)
                user->was_stopped = 1;
        } else if (user)
            user_collect(user);
        else
            waitpid(info.si_pid, NULL, 0);
        info.si_pid = 0;
    }
    for (int i = 0; i < watched->count; i++)
        if (watched->users[i].has_ended && watched->users[i].state != USER_GONE)
            return 1;
    return 0;
}

int crew_hear(struct crew *crew, struct answer *answer)
{
    for (;;) {
        ssize_t got;

        if (answers_next(&crew->answers, &crew->heard_at, &crew->heard_size, answer))
            return 1;
        got = read(crew->answers_fd, crew->heard, sizeof crew->heard);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        crew->heard_at = crew->heard;
        crew->heard_size = (size_t)got;
    }
}

void crew_end(struct crew *crew)
{
    for (int i = 0; i < crew->count; i++)
        user_kill(&crew->users[i]);
    for (int i = 0; i < crew->count; i++)
        if (crew->users[i].pid > 0)
            user_collect(&crew->users[i]);
    strays_end(guardian_pid());
    if (crew->answers_fd >= 0)
        close(crew->answers_fd);
    if (crew->say_fd >= 0)
        close(crew->say_fd);
    free(crew->users);
    crew->users = NULL;
    crew->count = 0;
}
