/* A request is a number that rises; both sides wait on a futex for the other's. */
#include "waker.h"

#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of <linux/futex.h>, which a C library may come without. */
#define WAIT_PRIVATE 128
#define WAKE_PRIVATE 129

#define PRIORITY   96
#define STACK_SIZE (256 * 1024)
#define END        (-1)

static void wait_beyond(_Atomic uint32_t *number, uint32_t old)
{
    while (atomic_load(number) == old)
        syscall(SYS_futex, number, WAIT_PRIVATE, old, NULL, NULL, 0);
}

static void raise_number(_Atomic uint32_t *number)
{
    atomic_fetch_add(number, 1);
    syscall(SYS_futex, number, WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *sleep_for_stream(void *data)
{
    struct waker *waker = data;
    const struct sched_param priority = {.sched_priority = PRIORITY};
    const struct clock clock = clock_monotonic();

    pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority); /* without permission it stays as it is */
    prctl(PR_SET_TIMERSLACK, 1);
    for (uint32_t done = 0;; done++) {
        wait_beyond(&waker->asked, done);
        if (waker->moment_ns < 0)
            return NULL;
        clock.sleep_until(clock.self, waker->moment_ns);
        waker->woke_ns = monotonic_ns();
        raise_number(&waker->answered);
    }
}

int waker_start(struct waker *waker)
{
    pthread_attr_t attributes;
    int error;

    atomic_init(&waker->asked, 0);
    atomic_init(&waker->answered, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    error = pthread_create(&waker->thread, &attributes, sleep_for_stream, waker);
    pthread_attr_destroy(&attributes);
    return error;
}

static int64_t now_ns(void *self)
{
    (void)self;
    return monotonic_ns();
}

static void sleep_until(void *self, int64_t moment_ns)
{
    struct waker *waker = self;
    const uint32_t answered = atomic_load(&waker->answered);

    if (moment_ns <= monotonic_ns())
        return;
    waker->moment_ns = moment_ns;
    raise_number(&waker->asked);
    wait_beyond(&waker->answered, answered);
    if (moment_ns < waker->from_ns)
        return;
    distribution_add(waker->timer_lateness, waker->woke_ns - moment_ns);
    distribution_add(waker->hand_off, monotonic_ns() - waker->woke_ns);
}

struct clock waker_clock(struct waker *waker)
{
    return (struct clock){now_ns, sleep_until, waker};
}

void waker_stop(struct waker *waker)
{
    waker->moment_ns = END;
    raise_number(&waker->asked);
    pthread_join(waker->thread, NULL);
}
