/* The process of the tasks: a thread for each stream, the meter of a thread, and the waker that sleeps for it. */
#include "measure/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "machine.h"
#include "message.h"

#define STACK_SIZE         (256 * 1024)
#define REAL_TIME_PRIORITY 95

/*
 * The CPU time of a thread, from its first frame that counts to its last.  It makes no system call between frames.  At
 * the end of a call, the kernel would take the CPU from a thread that has used up its time slice.
 */
struct meter {
    int has_started; /* the first frame that counts has come */
    int64_t cpu_ns;  /* when it began */
};

/* Is called right before the work of each frame that counts; the first one starts the meter. */
static void meter_frame(struct meter *meter)
{
    if (meter->has_started)
        return;
    meter->has_started = 1;
    meter->cpu_ns = thread_cpu_ns();
}

/* Returns the CPU time of the frames. */
static int64_t meter_finish(const struct meter *meter)
{
    return meter->has_started ? thread_cpu_ns() - meter->cpu_ns : 0;
}

/* From <linux/futex.h>, which may be missing. */
#define WAIT_PRIVATE 128
#define WAKE_PRIVATE 129

#define WAKER_PRIORITY 96
#define WAKER_END      (-1)

/*
 * A second thread that sleeps for a stream and wakes it.  So lateness can be split into that of the timer and that of
 * the hand-over.  Nothing is subtracted from any frame.  A request is a number that rises; each side waits on a futex
 * for the number of the other.
 */
struct waker {
    pthread_t thread;
    _Atomic uint32_t asked, answered; /* numbers of the last request and of the last one that is done */
    int64_t moment_ns;                /* to sleep until; below 0: to end */
    int64_t woke_ns;                  /* when the waker woke */
    int64_t from_ns;                  /* sleeps that end at this moment or later count */
    struct distribution *timer_lateness, *hand_off;
};

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
    const struct sched_param priority = {.sched_priority = WAKER_PRIORITY};
    const struct clock clock = clock_monotonic();

    pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority); /* without permission, its class stays */
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

/* Starts the thread, in SCHED_FIFO if that is permitted; returns 0, or an errno. */
static int waker_start(struct waker *waker)
{
    pthread_attr_t attributes;

    atomic_init(&waker->asked, 0);
    atomic_init(&waker->answered, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);

    const int error = pthread_create(&waker->thread, &attributes, sleep_for_stream, waker);

    pthread_attr_destroy(&attributes);
    return error;
}

static int64_t now_ns(void *self)
{
    (void)self;
    return monotonic_ns();
}

/* Lets the waker sleep: the sleep_until of a clock. */
static void sleep_by_waker(void *self, int64_t moment_ns)
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

static void waker_stop(struct waker *waker)
{
    waker->moment_ns = WAKER_END;
    raise_number(&waker->asked);
    pthread_join(waker->thread, NULL);
}

/* The thread of a stream. */
struct stream_thread {
    const struct stream_set *set;
    const struct stream *stream;
    pthread_t id;
    pthread_barrier_t *is_set_up, *may_go;
    struct waker waker;
    struct meter meter;
};

__attribute__((noreturn, format(printf, 2, 3)))
static void fail_streams(const struct stream_set *set, const char *format, ...)
{
    static atomic_flag is_failing = ATOMIC_FLAG_INIT;
    va_list arguments;

    while (atomic_flag_test_and_set(&is_failing))
        pause(); /* another thread ends the process */
    va_start(arguments, format);
    vsnprintf((char *)set->why, sizeof set->why, format, arguments);
    va_end(arguments);
    _exit(STATUS_CHILD_FAILED);
}

/* Sets timer slack, CPU and class of the calling thread. */
static void place_thread(const struct stream_set *set, const struct stream *stream)
{
    const struct sched_param priority = {.sched_priority = REAL_TIME_PRIORITY};
    int error;

    prctl(PR_SET_TIMERSLACK, 1);
    if (stream->cpu != UNKNOWN && (error = cpus_bind(stream->cpu)) != 0)
        fail_streams(set, "can't bind to CPU %d: %s", stream->cpu, strerror(error));
    if (set->bench->options->is_real_time
        && (error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)) != 0)
        fail_streams(set, "can't get SCHED_FIFO: %s", strerror(error));
}

static void before_frame(void *self)
{
    struct stream_thread *thread = self;

    meter_frame(&thread->meter);
}

static void run_frames(struct stream_thread *thread, struct clock clock, struct work work)
{
    const struct stream_set *set = thread->set;
    const struct stream *stream = thread->stream;
    const struct schedule schedule = task_schedule(stream->task, set->bench->options->seed, stream->number,
                                                   stream->count);
    const struct frame_run run = {
        .schedule = &schedule,
        .policy = set->bench->options->policy,
        .zero_ns = atomic_load(&set->zero_ns),
        .first = schedule_first_at(&schedule, set->warmup_ns),
        .end = schedule_first_at(&schedule, set->warmup_ns + set->duration_ns),
        .clock = clock,
        .work = work,
        .before = stream->record->tally.is_counting_only ? NULL : before_frame,
        .self = thread,
    };

    frames_run(&run, &stream->record->tally);
}

static void run_jobs(struct stream_thread *thread, struct clock clock, struct work work)
{
    const struct stream_set *set = thread->set;
    const int64_t zero_ns = atomic_load(&set->zero_ns);
    const struct job_run run = {
        .demand_ns = thread->stream->task->demand_ns,
        .begin_ns = zero_ns,
        .from_ns = zero_ns + set->warmup_ns,
        .until_ns = zero_ns + set->warmup_ns + set->duration_ns,
        .clock = clock,
        .work = work,
        .before = before_frame,
        .self = thread,
    };

    thread->stream->record->elapsed_ns = jobs_run(&run, &thread->stream->record->tally);
}

/* Returns a clock that lets the waker sleep, and records how late that is. */
static struct clock waker_clock(struct stream_thread *thread)
{
    thread->waker.from_ns = atomic_load(&thread->set->zero_ns) + thread->set->warmup_ns;
    thread->waker.timer_lateness = &thread->stream->record->timer_lateness;
    thread->waker.hand_off = &thread->stream->record->hand_off;
    return (struct clock){now_ns, sleep_by_waker, &thread->waker};
}

static void *run_stream(void *data)
{
    struct stream_thread *thread = data;
    const struct stream_set *set = thread->set;
    const struct options *options = set->bench->options;
    const struct work work = options->is_cpu_time ? work_of_cpu_time() : work_of_loops(&set->bench->loops_per_ms);
    int error;

    place_thread(set, thread->stream);
    if (options->has_waker && (error = waker_start(&thread->waker)) != 0)
        fail_streams(set, "can't start a thread: %s", strerror(error));
    pthread_barrier_wait(thread->is_set_up);
    pthread_barrier_wait(thread->may_go);

    const struct clock clock = options->has_waker ? waker_clock(thread) : clock_monotonic();

    if (task_is_periodic(thread->stream->task))
        run_frames(thread, clock, work);
    else
        run_jobs(thread, clock, work);
    if (!thread->stream->record->tally.is_counting_only)
        thread->stream->record->cpu_ns = meter_finish(&thread->meter);
    if (options->has_waker)
        waker_stop(&thread->waker);
    return NULL;
}

/* Sets the nice value and the CPU of the process, which its threads inherit. */
static void place_process(const struct stream_set *set)
{
    const struct bench *bench = set->bench;
    int error;

    if (bench->options->task_nice != 0 && setpriority(PRIO_PROCESS, 0, bench->options->task_nice) != 0)
        fail_streams(set, "can't set nice %d: %s", bench->options->task_nice, strerror(errno));
    if (bench->pin_cpu != UNKNOWN && (error = cpus_bind(bench->pin_cpu)) != 0)
        fail_streams(set, "can't bind to CPU %d: %s", bench->pin_cpu, strerror(error));
}

static void start_threads(const struct stream_set *set, struct stream_thread *threads, pthread_barrier_t *is_set_up,
                          pthread_barrier_t *may_go)
{
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    for (int i = 0; i < set->stream_count; i++) {
        threads[i] = (struct stream_thread){.set = set, .stream = &set->streams[i], .is_set_up = is_set_up,
                                            .may_go = may_go};

        const int error = pthread_create(&threads[i].id, &attributes, run_stream, &threads[i]);

        if (error != 0)
            fail_streams(set, "can't start thread %d of %d: %s; use a smaller -n", i + 1, set->stream_count,
                         strerror(error));
    }
    pthread_attr_destroy(&attributes);
}

/* The process lasts as long as the load is measured, even if its last frame ends earlier. */
static void wait_for_end(const struct stream_set *set)
{
    const struct clock clock = clock_monotonic();

    clock.sleep_until(clock.self, atomic_load(&set->zero_ns) + set->warmup_ns + set->duration_ns);
}

/* Threads are started, bound and given their class before the gate, and run together after it. */
void streams_body(struct gate *gate, void *data)
{
    const struct stream_set *set = data;
    const int count = set->stream_count;
    struct stream_thread *threads = calloc((size_t)count, sizeof *threads);
    pthread_barrier_t is_set_up, may_go;

    if (!threads)
        fail_streams(set, "can't get memory for %d streams; use a smaller -n", count);
    place_process(set);
    pthread_barrier_init(&is_set_up, NULL, (unsigned)count + 1);
    pthread_barrier_init(&may_go, NULL, (unsigned)count + 1);
    start_threads(set, threads, &is_set_up, &may_go);
    pthread_barrier_wait(&is_set_up);
    if (set->bench->options->is_real_time)
        mlockall(MCL_CURRENT); /* stacks, too; if it is not permitted, the head of the report says so */
    gate_wait(gate);
    pthread_barrier_wait(&may_go);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i].id, NULL);
    wait_for_end(set);
    free(threads);
}

