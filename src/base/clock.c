/* Reads the clocks of the system, and sleeps. */
#include "clock.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
    struct timespec time;

    clock_gettime(id, &time);
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

int64_t monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t thread_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Only interbench, which only Linux has, sleeps until a moment.  OpenBSD and macOS have no function for that. */
#ifdef __linux__
static int64_t now_ns(void *self)
{
    (void)self;
    return monotonic_ns();
}

static void sleep_until(void *self, int64_t moment_ns)
{
    const struct timespec moment = {.tv_sec = moment_ns / NS_PER_S, .tv_nsec = moment_ns % NS_PER_S};

    (void)self;
    if (monotonic_ns() >= moment_ns)
        return;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) == EINTR)
        ;
}

struct clock clock_monotonic(void)
{
    return (struct clock){.now_ns = now_ns, .sleep_until = sleep_until};
}
#endif
