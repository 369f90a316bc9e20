/* Starts child processes at a gate, keeps a list of them, and ends them with their process groups. */
#include "measure/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "events.h"
#include "guardian.h"
#include "message.h"

#define CHILDREN_MAX 4
#define PATIENCE_NS  (2 * NS_PER_S)

static struct child *children[CHILDREN_MAX];

static void add_child(struct child *child)
{
    for (int i = 0; i < CHILDREN_MAX; i++)
        if (!children[i]) {
            children[i] = child;
            return;
        }
}

static void remove_child(const struct child *child)
{
    for (int i = 0; i < CHILDREN_MAX; i++)
        if (children[i] == child)
            children[i] = NULL;
}

/* In a child: closes the pipes to other children, which belong to the main process. */
static void close_ends_of_others(void)
{
    for (int i = 0; i < CHILDREN_MAX; i++)
        if (children[i]) {
            close(children[i]->ready_fd);
            if (children[i]->go_fd >= 0)
                close(children[i]->go_fd);
        }
}

__attribute__((noreturn))
static void run_child(const char *name, pid_t parent, struct gate *gate,
                      void (*body)(struct gate *, void *), void *data)
{
    setpgid(0, 0);
    events_forget_in_child();
    guardian_forget_in_child();
    close_ends_of_others();
    prctl(PR_SET_NAME, name);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    body(gate, data);
    _exit(0);
}

/* Warns if the guardian could not be reached. */
static void check_guardian(int result)
{
    if (result != 0)
        complain("the guardian has ended; if this program is killed now, its loads may continue to run");
}

/* Opens both or none; returns 0, or an errno. */
static int open_pipes(int ready[2], int go[2])
{
    if (pipe2(ready, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(go, O_CLOEXEC) == 0)
        return 0;

    const int error = errno;

    close(ready[0]);
    close(ready[1]);
    return error;
}

int child_start(struct child *child, const char *name, void (*body)(struct gate *gate, void *data),
                void *data)
{
    const pid_t parent = getpid();
    int ready[2], go[2], error = open_pipes(ready, go);

    *child = (struct child){.name = name};
    if (error)
        return error;
    child->pid = fork();
    error = errno;
    if (child->pid == 0) {
        struct gate gate = {ready[1], go[0]};

        close(ready[0]);
        close(go[1]);
        run_child(name, parent, &gate, body, data);
    }
    close(ready[1]);
    close(go[0]);
    if (child->pid < 0) {
        child->pid = 0;
        close(ready[0]);
        close(go[1]);
        return error;
    }
    child->ready_fd = ready[0];
    child->go_fd = go[1];
    setpgid(child->pid, child->pid);
    check_guardian(guardian_add(child->pid));
    add_child(child);
    return 0;
}

void gate_wait(struct gate *gate)
{
    char byte = '.';

    if (write(gate->ready_fd, &byte, 1) != 1)
        _exit(1);
    close(gate->ready_fd);
    while (read(gate->go_fd, &byte, 1) < 0)
        if (errno != EINTR)
            _exit(1);
    close(gate->go_fd);
}

/* A child that closes its end without writing a byte is about to end. */
enum event child_await_ready(struct child *child, int64_t until_ns)
{
    enum event event = events_wait(until_ns, child->ready_fd, child_reap);
    char byte;

    if (event == EVENT_INPUT && read(child->ready_fd, &byte, 1) != 1)
        event = events_wait(until_ns, -1, child_reap);
    return event;
}

void child_go(struct child *child)
{
    const char byte = '.';

    if (write(child->go_fd, &byte, 1) != 1)
        complain("can't start %s: %s", child->name, strerror(errno));
    close(child->go_fd);
    child->go_fd = -1;
}

int child_reap(void)
{
    int has_one_ended = 0, status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < CHILDREN_MAX; i++)
            if (children[i] && children[i]->pid == pid) {
                children[i]->has_ended = 1;
                children[i]->wait_status = status;
            }
    for (int i = 0; i < CHILDREN_MAX; i++)
        has_one_ended |= children[i] && children[i]->has_ended;
    return has_one_ended;
}

/* Waits for the end of the child, even after a signal that ends the run. */
static void await(struct child *child, int64_t until_ns)
{
    sigset_t ends;

    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    for (;;) {
        const int64_t left_ns = until_ns - monotonic_ns();
        const struct timespec left = {left_ns / NS_PER_S, left_ns % NS_PER_S};

        child_reap();
        if (child->has_ended || left_ns <= 0)
            return;
        sigtimedwait(&ends, NULL, &left); /* SIGCHLD is blocked except in events_wait */
    }
}

void child_end(struct child *child)
{
    if (child->pid == 0)
        return;
    if (kill(-child->pid, SIGTERM) != 0 && errno != ESRCH) /* the kernel ends it after this program */
        fail(STATUS_IMPOSSIBLE_HERE, "can't end %s: %s", child->name, strerror(errno));
    kill(-child->pid, SIGCONT);
    await(child, monotonic_ns() + PATIENCE_NS);
    kill(-child->pid, SIGKILL);
    while (waitpid(-child->pid, NULL, 0) > 0 || errno == EINTR)
        continue;
    check_guardian(guardian_remove(child->pid));
    close(child->ready_fd);
    if (child->go_fd >= 0)
        close(child->go_fd);
    remove_child(child);
    child->pid = 0;
}

const char *child_end_text(const struct child *child)
{
    static char text[80];

    if (WIFSIGNALED(child->wait_status))
        snprintf(text, sizeof text, "was killed by signal %d (%s)", WTERMSIG(child->wait_status),
                 strsignal(WTERMSIG(child->wait_status)));
    else
        snprintf(text, sizeof text, "ended with status %d", WEXITSTATUS(child->wait_status));
    return text;
}
