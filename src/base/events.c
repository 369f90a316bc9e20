/* Waits for events.  Signals are blocked except in ppoll, so that no signal comes between a check and the sleep. */
#include "events.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "clock.h"
#ifdef __APPLE__
#include "macos.h"
#endif

#define LONGEST_NS (3600 * NS_PER_S) /* seconds may have 32 bits */
#define AGAIN_US   100000            /* how often a signal that ends the run interrupts a report */

static const int noticed[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGCONT};

static sigset_t inherited, while_waiting;
static struct sigaction before[sizeof noticed / sizeof *noticed], before_pipe;
static volatile sig_atomic_t ending_signal, was_stopped, has_finished;

/* A signal that comes right before a write does not interrupt it.  So interruptions follow until this program ends. */
static void keep_interrupting(void)
{
    const struct itimerval each = {{0, AGAIN_US}, {0, AGAIN_US}};

    setitimer(ITIMER_REAL, &each, NULL);
}

static void note_signal(int signal)
{
    if (signal == SIGCONT)
        was_stopped = 1;
    else if (signal != SIGCHLD && signal != SIGALRM) {
        if (!ending_signal)
            ending_signal = signal;
        if (has_finished)
            keep_interrupting();
    }
}

void events_begin(void)
{
    struct sigaction action;
    sigset_t blocked;

    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    action.sa_flags = SA_NOCLDSTOP;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof noticed / sizeof *noticed; i++) {
        sigaddset(&blocked, noticed[i]);
        sigaction(noticed[i], &action, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            continue;
        if (noticed[i] == SIGCHLD)
            before[i].sa_handler = SIG_DFL; /* loads wait for their children */
        else
            sigaction(noticed[i], &before[i], NULL);
    }
    sigprocmask(SIG_BLOCK, &blocked, &inherited);
    while_waiting = inherited;
    for (size_t i = 0; i < sizeof noticed / sizeof *noticed; i++)
        sigdelset(&while_waiting, noticed[i]);
    action.sa_handler = SIG_IGN; /* the end of a child is noticed anyway */
    sigaction(SIGPIPE, &action, &before_pipe);
}

void events_forget_in_child(void)
{
    for (size_t i = 0; i < sizeof noticed / sizeof *noticed; i++)
        sigaction(noticed[i], &before[i], NULL);
    sigaction(SIGPIPE, &before_pipe, NULL);
    sigprocmask(SIG_SETMASK, &inherited, NULL);
}

void events_finish(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    sigaction(SIGALRM, &action, NULL);
    sigdelset(&while_waiting, SIGALRM);
    has_finished = 1;
    sigprocmask(SIG_SETMASK, &while_waiting, NULL);
}

enum event events_wait(int64_t moment_ns, int fd, reaper has_ended)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};

    for (;;) {
        const int64_t left_ns = moment_ns - monotonic_ns();

        if (has_ended())
            return EVENT_ENDED;
        if (ending_signal)
            return EVENT_SIGNAL;

        const int64_t sleep_ns = left_ns < 0 ? 0 : left_ns < LONGEST_NS ? left_ns : LONGEST_NS;
        const struct timespec left = {sleep_ns / NS_PER_S, sleep_ns % NS_PER_S};
        const int found = ppoll(&input, fd >= 0, &left, &while_waiting);

        if (found > 0)
            return EVENT_INPUT;
        if (found == 0 && monotonic_ns() >= moment_ns)
            return has_ended() ? EVENT_ENDED : ending_signal ? EVENT_SIGNAL : EVENT_TIME;
    }
}

int events_signal(void)
{
    return ending_signal;
}

/* If ppoll finds input, it delivers no signal.  So pending signals are delivered here. */
int events_was_stopped(void)
{
    sigset_t blocked;

    sigprocmask(SIG_SETMASK, &while_waiting, &blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);

    const int was = was_stopped;

    was_stopped = 0;
    return was;
}
