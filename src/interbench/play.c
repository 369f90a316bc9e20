/* One piece of shared memory holds the play, a record for each stream and, if asked for, the frames. */
#include "play.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "cpus.h"

#define READY_NS     (10 * NS_PER_S)
#define START_NS     (50 * NS_PER_MS) /* from letting the streams go to frame 0 */
#define OVERRUN_NS   (15 * NS_PER_S)  /* that a process may take to come to its end, beside its work */
#define ALIGNED(size) (((size) + 63) / 64 * 64)

static int64_t frames_of(const struct bench *bench, const struct cast *cast, const struct task *task)
{
    if (!cast->is_listing || !task_is_periodic(task))
        return 0;

    const struct schedule schedule = task_schedule(task, bench->options->seed, 0, 1);

    return schedule_first_at(&schedule, cast->warmup_ns + cast->duration_ns)
           - schedule_first_at(&schedule, cast->warmup_ns) + 2;
}

static size_t record_size(const struct bench *bench, const struct cast *cast, const struct task *task)
{
    return ALIGNED(sizeof(struct record)) + ALIGNED(sizeof(struct frame_list))
           + ALIGNED((size_t)frames_of(bench, cast, task) * sizeof(struct frame));
}

static size_t play_size(const struct cast *cast)
{
    return ALIGNED(sizeof(struct play) + (size_t)(cast->task_count * cast->copies) * sizeof(struct stream));
}

static size_t whole_size(const struct bench *bench, const struct cast *cast)
{
    size_t size = play_size(cast);

    for (int i = 0; i < cast->task_count; i++)
        size += (size_t)cast->copies * record_size(bench, cast, cast->tasks[i]);
    return size;
}

static void lay_out(struct stream *stream, char *memory, const struct bench *bench, const struct cast *cast)
{
    stream->record = (struct record *)memory;
    stream->record->tally.is_counting_only = cast->is_counting_only;
    if (!cast->is_listing)
        return;
    stream->list = (struct frame_list *)(memory + ALIGNED(sizeof(struct record)));
    stream->list->frames = (struct frame *)((char *)stream->list + ALIGNED(sizeof(struct frame_list)));
    stream->list->room = frames_of(bench, cast, stream->task);
}

static struct play *make_play(struct bench *bench, const struct cast *cast, size_t size)
{
    struct play *play = shared_memory(bench, size);
    char *memory;

    if (!play)
        return NULL;
    memory = (char *)play + play_size(cast);
    play->bench = bench;
    play->warmup_ns = cast->warmup_ns;
    play->duration_ns = cast->duration_ns;
    for (int i = 0; i < cast->task_count; i++)
        for (int copy = 0; copy < cast->copies; copy++) {
            struct stream *stream = &play->streams[play->stream_count];

            stream->task = cast->tasks[i];
            stream->number = copy;
            stream->count = cast->copies;
            stream->cpu = bench->options->is_spread ? cpus_at(play->stream_count) : UNKNOWN;
            lay_out(stream, memory, bench, cast);
            memory += record_size(bench, cast, stream->task);
            play->stream_count++;
        }
    return play;
}

static enum outcome why_ended(struct performance *performance)
{
    if (performance->play->why[0])
        return bench_trouble(performance->bench, OUTCOME_FAILED, "task: %.*s", LOAD_WHY_MAX, performance->play->why);
    return bench_trouble(performance->bench, OUTCOME_FAILED, "task: its process %s", child_fate(&performance->child));
}

enum outcome play_begin(struct performance *performance, struct running *running, const struct cast *cast)
{
    struct bench *bench = running->bench;
    int error;

    *performance = (struct performance){.bench = bench, .size = whole_size(bench, cast)};
    performance->play = make_play(bench, cast, performance->size);
    if (!performance->play)
        return OUTCOME_NO_ROOM;
    error = child_start(&performance->child, "interbench-task", 0, streams_body, performance->play);
    if (error != 0)
        return bench_trouble(bench, OUTCOME_FAILED, "task: cannot start a process: %s", strerror(error));
    switch (child_await_ready(&performance->child, monotonic_ns() + READY_NS)) {
    case EVENT_INPUT:
        return OUTCOME_DONE;
    case EVENT_SIGNAL:
        return OUTCOME_INTERRUPTED;
    case EVENT_ENDED:
        return performance->child.has_ended ? why_ended(performance) : running_check(running);
    default:
        return bench_trouble(bench, OUTCOME_TIMED_OUT, "the task was not ready after 10 s");
    }
}

/* Waits while the children live. */
static enum outcome wait_until(struct performance *performance, struct running *running, int64_t moment_ns)
{
    const struct child *child = &performance->child;
    const enum outcome outcome = running_wait(running, moment_ns);

    if (outcome == OUTCOME_DONE && child->has_ended && child->wait_status != 0)
        return why_ended(performance);
    return outcome;
}

/* Beside the load each stream may have one more frame to do. */
static int64_t overrun_ns(const struct play *play)
{
    int64_t work_ns = 0;

    for (int i = 0; i < play->stream_count; i++) {
        const struct task *task = play->streams[i].task;

        work_ns += task->is_varying ? task->period_num_ns / task->period_den : task->demand_ns;
    }
    return OVERRUN_NS + work_ns * (1 + play->bench->setting.threads);
}

static enum outcome wait_for_end(struct performance *performance, struct running *running, int64_t until_ns)
{
    const int64_t limit_ns = overrun_ns(performance->play);
    enum outcome outcome = wait_until(performance, running, until_ns + limit_ns);

    if (outcome == OUTCOME_DONE && !performance->child.has_ended)
        outcome = bench_trouble(performance->bench, OUTCOME_TIMED_OUT, "the task did not end in %lld s",
                                (long long)(limit_ns / NS_PER_S));
    return outcome;
}

enum outcome play_run(struct performance *performance, struct running *running, double rates[LOAD_PARTS_MAX])
{
    struct play *play = performance->play;
    const int64_t zero_ns = monotonic_ns() + START_NS;
    const int64_t from_ns = zero_ns + play->warmup_ns, until_ns = from_ns + play->duration_ns;
    struct progress from, to;
    enum outcome outcome;

    atomic_store(&play->zero_ns, zero_ns);
    child_go(&performance->child);
    outcome = wait_until(performance, running, from_ns);
    if (outcome == OUTCOME_DONE && rates)
        from = running_progress(running);
    if (outcome == OUTCOME_DONE)
        outcome = wait_until(performance, running, until_ns);
    if (outcome == OUTCOME_DONE && rates) {
        to = running_progress(running);
        running_rates(&from, &to, rates);
    }
    return outcome == OUTCOME_DONE ? wait_for_end(performance, running, until_ns) : outcome;
}

void play_end(struct performance *performance)
{
    child_end(&performance->child);
    if (performance->play)
        shared_memory_free(performance->play, performance->size);
    performance->play = NULL;
}
