/* Threads are made, bound and given their class before the gate, and let go together. */
#include "streams.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cpus.h"
#include "jobs.h"
#include "message.h"
#include "meter.h"
#include "waker.h"

#define STACK_SIZE         (256 * 1024)
#define REAL_TIME_PRIORITY 95

/* What a thread knows. */
struct player {
    const struct play *play;
    const struct stream *stream;
    pthread_t thread;
    pthread_barrier_t *is_set_up, *may_go;
    struct waker waker;
    struct meter meter;
};

__attribute__((noreturn, format(printf, 2, 3)))
static void give_up(const struct play *play, const char *format, ...)
{
    static atomic_flag is_failing = ATOMIC_FLAG_INIT;
    va_list arguments;

    while (atomic_flag_test_and_set(&is_failing))
        pause(); /* another thread ends the process */
    va_start(arguments, format);
    vsnprintf((char *)play->why, sizeof play->why, format, arguments);
    va_end(arguments);
    _exit(STATUS_CHILD_FAILED);
}

static void take_class(const struct play *play, const struct stream *stream)
{
    const struct sched_param priority = {.sched_priority = REAL_TIME_PRIORITY};
    int error;

    prctl(PR_SET_TIMERSLACK, 1);
    if (stream->cpu != UNKNOWN && (error = cpus_bind(stream->cpu)) != 0)
        give_up(play, "cannot bind to CPU %d: %s", stream->cpu, strerror(error));
    if (play->bench->options->is_real_time
        && (error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)) != 0)
        give_up(play, "cannot get SCHED_FIFO: %s", strerror(error));
}

static void before_frame(void *self)
{
    struct player *player = self;

    meter_frame(&player->meter);
}

static void play_frames(struct player *player, struct clock clock, struct work work)
{
    const struct play *play = player->play;
    const struct stream *stream = player->stream;
    const struct schedule schedule = task_schedule(stream->task, play->bench->options->seed, stream->number,
                                                   stream->count);
    const struct playing playing = {
        .schedule = &schedule,
        .policy = play->bench->options->policy,
        .zero_ns = atomic_load(&play->zero_ns),
        .first = schedule_first_at(&schedule, play->warmup_ns),
        .end = schedule_first_at(&schedule, play->warmup_ns + play->duration_ns),
        .clock = clock,
        .work = work,
        .list = stream->list,
        .before = stream->record->tally.is_counting_only ? NULL : before_frame,
        .self = player,
    };

    frames_play(&playing, &stream->record->tally);
}

static void play_jobs(struct player *player, struct clock clock, struct work work)
{
    const struct play *play = player->play;
    const int64_t zero_ns = atomic_load(&play->zero_ns);
    const struct job_playing playing = {
        .demand_ns = player->stream->task->demand_ns,
        .begin_ns = zero_ns,
        .from_ns = zero_ns + play->warmup_ns,
        .until_ns = zero_ns + play->warmup_ns + play->duration_ns,
        .clock = clock,
        .work = work,
        .before = before_frame,
        .self = player,
    };

    player->stream->record->elapsed_ns = jobs_play(&playing, &player->stream->record->tally);
}

static struct clock counted_waker(struct player *player)
{
    player->waker.from_ns = atomic_load(&player->play->zero_ns) + player->play->warmup_ns;
    player->waker.timer_lateness = &player->stream->record->timer_lateness;
    player->waker.hand_off = &player->stream->record->hand_off;
    return waker_clock(&player->waker);
}

static void *play_stream(void *data)
{
    struct player *player = data;
    const struct play *play = player->play;
    const struct options *options = play->bench->options;
    const struct work work = options->is_cpu_time ? work_of_cpu_time() : work_of_loops(&play->bench->loops_per_ms);
    int error;

    take_class(play, player->stream);
    if (options->is_waking && (error = waker_start(&player->waker)) != 0)
        give_up(play, "cannot start a thread: %s", strerror(error));
    if (!player->stream->record->tally.is_counting_only)
        meter_begin(&player->meter, player->stream->record);
    pthread_barrier_wait(player->is_set_up);
    pthread_barrier_wait(player->may_go);

    const struct clock clock = options->is_waking ? counted_waker(player) : clock_monotonic();

    if (task_is_periodic(player->stream->task))
        play_frames(player, clock, work);
    else
        play_jobs(player, clock, work);
    if (!player->stream->record->tally.is_counting_only)
        meter_finish(&player->meter);
    if (options->is_waking)
        waker_stop(&player->waker);
    return NULL;
}

/* What is set for the whole process is inherited by its threads. */
static void take_place(const struct play *play)
{
    const struct bench *bench = play->bench;
    int error;

    if (bench->options->task_nice != 0 && setpriority(PRIO_PROCESS, 0, bench->options->task_nice) != 0)
        give_up(play, "cannot set nice %d: %s", bench->options->task_nice, strerror(errno));
    if (bench->pin_cpu != UNKNOWN && (error = cpus_bind(bench->pin_cpu)) != 0)
        give_up(play, "cannot bind to CPU %d: %s", bench->pin_cpu, strerror(error));
}

static void start_threads(const struct play *play, struct player *players, pthread_barrier_t *is_set_up,
                          pthread_barrier_t *may_go)
{
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    for (int i = 0; i < play->stream_count; i++) {
        struct player *player = &players[i];
        int error;

        *player = (struct player){.play = play, .stream = &play->streams[i], .is_set_up = is_set_up, .may_go = may_go};
        error = pthread_create(&player->thread, &attributes, play_stream, player);
        if (error != 0)
            give_up(play, "cannot start thread %d of %d: %s", i + 1, play->stream_count, strerror(error));
    }
    pthread_attr_destroy(&attributes);
}

/* The process lasts as long as the load is watched, also where its last frame is over before. */
static void wait_for_end(const struct play *play)
{
    const struct clock clock = clock_monotonic();

    clock.sleep_until(clock.self, atomic_load(&play->zero_ns) + play->warmup_ns + play->duration_ns);
}

void streams_body(struct gate *gate, void *data)
{
    const struct play *play = data;
    const int count = play->stream_count;
    struct player *players = calloc((size_t)count, sizeof *players);
    pthread_barrier_t is_set_up, may_go;

    if (!players)
        give_up(play, "cannot get memory for %d streams", count);
    take_place(play);
    pthread_barrier_init(&is_set_up, NULL, (unsigned)count + 1);
    pthread_barrier_init(&may_go, NULL, (unsigned)count + 1);
    start_threads(play, players, &is_set_up, &may_go);
    pthread_barrier_wait(&is_set_up);
    if (play->bench->options->is_real_time)
        mlockall(MCL_CURRENT); /* stacks, too; where that is not permitted, the head of the report says so */
    gate_wait(gate);
    pthread_barrier_wait(&may_go);
    for (int i = 0; i < count; i++)
        pthread_join(players[i].thread, NULL);
    wait_for_end(play);
    free(players);
}
