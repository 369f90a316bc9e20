/* Runs the tasks of a cell in a process of their own, which shares one piece of memory with this one. */
#include "measure/measure.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"

#define READY_NS     (10 * NS_PER_S)
#define START_NS     (50 * NS_PER_MS) /* from letting the streams go to frame 0 */
#define OVERRUN_NS   (15 * NS_PER_S)  /* for a process to end, in addition to its work */
#define ALIGNED(size) (((size) + 63) / 64 * 64)

static size_t set_size(const struct run_plan *plan)
{
    return ALIGNED(sizeof(struct stream_set) + (size_t)(plan->task_count * plan->copies) * sizeof(struct stream));
}

static size_t whole_size(const struct run_plan *plan)
{
    return set_size(plan) + (size_t)(plan->task_count * plan->copies) * ALIGNED(sizeof(struct record));
}

static struct stream_set *make_streams(struct bench *bench, const struct run_plan *plan, size_t size)
{
    struct stream_set *set = shared_memory(bench, size);

    if (!set)
        return NULL;

    char *memory = (char *)set + set_size(plan);

    set->bench = bench;
    set->warmup_ns = plan->warmup_ns;
    set->duration_ns = plan->duration_ns;
    for (int i = 0; i < plan->task_count; i++)
        for (int copy = 0; copy < plan->copies; copy++) {
            struct stream *stream = &set->streams[set->stream_count++];

            *stream = (struct stream){plan->tasks[i], copy, plan->copies, (struct record *)memory};
            stream->record->tally.is_counting_only = plan->is_counting_only;
            memory += ALIGNED(sizeof(struct record));
        }
    return set;
}

static enum outcome note_end(struct task_run *run)
{
    if (run->set->why[0])
        return bench_error(run->bench, OUTCOME_FAILED, "task: %.*s", LOAD_WHY_MAX, run->set->why);
    return bench_error(run->bench, OUTCOME_FAILED, "task: its process %s", child_end_text(&run->child));
}

enum outcome task_run_start(struct task_run *run, struct load_run *load_run, const struct run_plan *plan)
{
    struct bench *bench = load_run->bench;

    *run = (struct task_run){.bench = bench, .size = whole_size(plan)};
    run->set = make_streams(bench, plan, run->size);
    if (!run->set)
        return OUTCOME_NO_ROOM;

    const int error = child_start(&run->child, "interbench-task", streams_body, run->set);

    if (error != 0)
        return bench_error(bench, OUTCOME_FAILED, "task: can't start a process: %s", strerror(error));
    switch (child_await_ready(&run->child, monotonic_ns() + READY_NS)) {
    case EVENT_INPUT:
        return OUTCOME_DONE;
    case EVENT_SIGNAL:
        return OUTCOME_INTERRUPTED;
    case EVENT_ENDED:
        return run->child.has_ended ? note_end(run) : load_run_check(load_run);
    default:
        return bench_error(bench, OUTCOME_TIMED_OUT, "the task was not ready within 10 s; stop other programs");
    }
}

/* Waits until that moment, or until a child fails. */
static enum outcome wait_until(struct task_run *run, struct load_run *load_run, int64_t moment_ns)
{
    const struct child *child = &run->child;
    const enum outcome outcome = load_run_wait(load_run, moment_ns);

    if (outcome == OUTCOME_DONE && child->has_ended && child->wait_status != 0)
        return note_end(run);
    return outcome;
}

/* Returns the nanoseconds that the process may take after the last frame is due: each stream may be in a frame. */
static int64_t overrun_ns(const struct stream_set *set)
{
    int64_t work_ns = 0;

    for (int i = 0; i < set->stream_count; i++) {
        const struct task *task = set->streams[i].task;

        work_ns += task->is_varying ? task->period_num_ns / task->period_den : task->demand_ns;
    }
    return OVERRUN_NS + work_ns * (1 + set->bench->setting.threads);
}

static enum outcome wait_for_end(struct task_run *run, struct load_run *load_run, int64_t until_ns)
{
    const int64_t limit_ns = overrun_ns(run->set);
    enum outcome outcome = wait_until(run, load_run, until_ns + limit_ns);

    if (outcome == OUTCOME_DONE && !run->child.has_ended)
        outcome = bench_error(run->bench, OUTCOME_TIMED_OUT, "the task did not end within %lld s; stop other programs",
                              (long long)(limit_ns / NS_PER_S));
    return outcome;
}

enum outcome task_run_measure(struct task_run *run, struct load_run *load_run, double rates[LOAD_PARTS_MAX])
{
    struct stream_set *set = run->set;
    const int64_t zero_ns = monotonic_ns() + START_NS;
    const int64_t from_ns = zero_ns + set->warmup_ns, until_ns = from_ns + set->duration_ns;

    set->zero_ns = zero_ns;
    child_go(&run->child);

    enum outcome outcome = wait_until(run, load_run, from_ns);
    const struct progress from = load_run_progress(load_run);

    if (outcome == OUTCOME_DONE)
        outcome = wait_until(run, load_run, until_ns);

    const struct progress to = load_run_progress(load_run);

    if (outcome != OUTCOME_DONE)
        return outcome;
    if (rates)
        load_run_rates(&from, &to, rates);
    return wait_for_end(run, load_run, until_ns);
}

void task_run_end(struct task_run *run)
{
    child_end(&run->child);
    if (run->set)
        munmap(run->set, run->size);
    run->set = NULL;
}
