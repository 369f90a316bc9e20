/* The process of the tasks: a thread for each stream. */
#include "measure/measure.h"

#include <errno.h>
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
#include <unistd.h>

#include "clock.h"
#include "machine.h"
#include "message.h"

#define STACK_SIZE         (256 * 1024)
#define REAL_TIME_PRIORITY 95

/* The thread of a stream. */
struct stream_thread {
    const struct stream_set *set;
    const struct stream *stream;
    pthread_t id;
    pthread_barrier_t *is_set_up, *may_go;
};

__attribute__((noreturn, format(printf, 2, 3)))
static void fail_streams(const struct stream_set *set, const char *format, ...)
{
    static int is_failing;
    va_list arguments;

    while (__atomic_exchange_n(&is_failing, 1, __ATOMIC_SEQ_CST))
        pause(); /* another thread ends the process */
    va_start(arguments, format);
    vsnprintf((char *)set->why, sizeof set->why, format, arguments);
    va_end(arguments);
    _exit(STATUS_CHILD_FAILED);
}

/* Sets timer slack and class of the calling thread. */
static void place_thread(const struct stream_set *set)
{
    const struct sched_param priority = {.sched_priority = REAL_TIME_PRIORITY};
    int error;

    prctl(PR_SET_TIMERSLACK, 1);
    if (set->bench->options->is_real_time
        && (error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)) != 0)
        fail_streams(set, "can't get SCHED_FIFO: %s", strerror(error));
}

static void run_frames(const struct stream_thread *thread)
{
    const struct stream_set *set = thread->set;
    const struct stream *stream = thread->stream;
    const struct schedule schedule = task_schedule(stream->task, (uint64_t)set->bench->options->seed, stream->number,
                                                   stream->count);
    const struct frame_run run = {
        .schedule = &schedule,
        .policy = set->bench->options->policy,
        .zero_ns = set->zero_ns,
        .first = schedule_first_at(&schedule, set->warmup_ns),
        .end = schedule_first_at(&schedule, set->warmup_ns + set->duration_ns),
        .clock = clock_monotonic(),
        .work = work_of_loops(&set->bench->loops_per_ms),
    };

    frames_run(&run, &stream->record->tally);
}

static void run_jobs(const struct stream_thread *thread)
{
    const struct stream_set *set = thread->set;
    const int64_t zero_ns = set->zero_ns;
    const struct job_run run = {
        .demand_ns = thread->stream->task->demand_ns,
        .begin_ns = zero_ns,
        .from_ns = zero_ns + set->warmup_ns,
        .until_ns = zero_ns + set->warmup_ns + set->duration_ns,
        .clock = clock_monotonic(),
        .work = work_of_loops(&set->bench->loops_per_ms),
    };

    thread->stream->record->elapsed_ns = jobs_run(&run, &thread->stream->record->tally);
}

static void *run_stream(void *data)
{
    struct stream_thread *thread = data;

    place_thread(thread->set);
    pthread_barrier_wait(thread->is_set_up);
    pthread_barrier_wait(thread->may_go);
    if (task_is_periodic(thread->stream->task))
        run_frames(thread);
    else
        run_jobs(thread);
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

    clock.sleep_until(clock.self, set->zero_ns + set->warmup_ns + set->duration_ns);
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

