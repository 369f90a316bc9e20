/*
 * spawn seconds: how fast processes are made, in loops a second.  One loop is a fork of a child that ends at once, and
 * a wait for it.  The child ends by exit, as programs do, which is a quarter of the work.  Nothing is written to stdio
 * before, so the child has nothing to write.  If the kernel refuses a fork because there are too many processes, it is
 * tried again for up to 5 s.  "REFUSED|n" reports how often that was.
 */
#include "ub.h"
#include <sys/wait.h>

#define PATIENCE_NS (5 * UB_NS_PER_S)

static const char usage[] = "spawn SECONDS | spawn -n LOOPS";

static volatile unsigned long loops;

/* How many times the kernel has refused a process. */
static volatile unsigned long refused;

/*
 * Forks; returns the result of fork.  If the kernel has no process left, it counts that and tries again for up to 5 s,
 * with growing pauses.
 */
static pid_t patient_fork(void)
{
    uint64_t pause_ns = 1000000, paused_ns = 0;
    pid_t child;

    while ((child = fork()) < 0 && errno == EAGAIN && paused_ns < PATIENCE_NS) {
        struct timespec pause = {(time_t)(pause_ns / UB_NS_PER_S), (long)(pause_ns % UB_NS_PER_S)};

        refused++;
        nanosleep(&pause, NULL);
        paused_ns += pause_ns;
        pause_ns *= 2;
        if (pause_ns > PATIENCE_NS - paused_ns)
            pause_ns = PATIENCE_NS - paused_ns;
    }
    return child;
}

/* Reports "REFUSED|n" if the kernel has refused a fork n times; safe in a signal handler. */
static void report_refused(void)
{
    char line[64], *end = line + sizeof line, *at;

    if (refused == 0)
        return;
    at = ub_text(ub_digits(ub_text(end, "\n"), refused), "REFUSED|");
    if (write(ub_report, at, (size_t)(end - at)) < 0)
        _exit(1);
}

static void finish(UB_UNUSED int signal)
{
    report_refused();
    ub_count_timed(loops, "lps");
    _exit(0);
}

static inline void spawn(void)
{
    int status;
    pid_t child = patient_fork();

    if (child == 0)
        exit(0);
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

    ub_await_children();
    ub_gate();
    start_ns = ub_now_ns();
    if (work.loops == 0) {
        ub_alarm(work.seconds, finish);
        for (;; loops++)
            spawn();
    }
    for (; loops < work.loops; loops++)
        spawn();
    report_refused();
    ub_count(loops, 1, "lps");
    ub_time(ub_lasted_s(start_ns));
    return 0;
}
