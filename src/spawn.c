/*
 * spawn seconds: how fast processes are made, in loops a second.  One loop is a fork of a child that ends at
 * once, and a wait for it.  A fork that is refused for want of processes is tried again for up to 5 s.
 */
#include "ub.h"
#include <sys/wait.h>

#define PATIENCE_NS (5 * UB_NS_PER_S)

static const char usage[] = "spawn SECONDS | spawn -n LOOPS";

static volatile unsigned long loops;

static void finish(UB_UNUSED int signal)
{
    ub_count(loops, 1, "lps");
    _exit(0);
}

static pid_t patient_fork(void)
{
    uint64_t pause_ns = 1000000, paused_ns = 0;
    pid_t child;

    while ((child = fork()) < 0 && errno == EAGAIN && paused_ns < PATIENCE_NS) {
        struct timespec pause = {(time_t)(pause_ns / UB_NS_PER_S), (long)(pause_ns % UB_NS_PER_S)};

        nanosleep(&pause, NULL);
        paused_ns += pause_ns;
        pause_ns *= 2;
        if (pause_ns > PATIENCE_NS - paused_ns)
            pause_ns = PATIENCE_NS - paused_ns;
    }
    return child;
}

static inline void spawn(void)
{
    int status;
    pid_t child = patient_fork();

    if (child == 0)
        _exit(0);
    if (child < 0)
        ub_failed("spawn: fork");
    if (waitpid(child, &status, 0) != child)
        ub_failed("spawn: wait");
    if (status != 0)
        ub_error(1, "spawn: a child ended with wait status %d instead of 0", status);
}

int main(int argc, char **argv)
{
    struct ub_work work = ub_only_work(argc, argv, usage);
    uint64_t start_ns;

    ub_gate();
    start_ns = ub_now_ns();
    if (work.loops == 0) {
        ub_alarm(work.seconds, finish);
        for (;; loops++)
            spawn();
    }
    for (; loops < work.loops; loops++)
        spawn();
    ub_count(loops, 1, "lps");
    ub_time(ub_elapsed_s(start_ns));
    return 0;
}
