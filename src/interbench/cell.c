/* The load is ready and the task is set up before the load works; the load works steadily before the task does. */
#include "cell.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"
#include "machine.h"
#include "message.h"
#include "play.h"
#include "running.h"

static int64_t cpu_time_ns(int who)
{
    struct rusage usage;

    getrusage(who, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_S
           + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * NS_PER_US;
}

static int64_t own_cpu_ns(void)
{
    return cpu_time_ns(RUSAGE_SELF) + cpu_time_ns(RUSAGE_CHILDREN);
}

static enum outcome perform(struct performance *performance, struct running *running, struct bench *bench,
                            const struct cast *cast, double rates[LOAD_PARTS_MAX])
{
    enum outcome outcome = play_begin(performance, bench, cast);

    if (outcome == OUTCOME_DONE)
        outcome = running_go(running);
    if (outcome == OUTCOME_DONE)
        outcome = play_run(performance, running, rates);
    return outcome;
}

static void collect(const struct cell *cell, const struct play *play, struct record *records)
{
    for (int i = 0; i < play->stream_count; i++)
        for (int task = 0; task < cell->task_count; task++)
            if (play->streams[i].task == cell->tasks[task])
                record_merge(&records[task], play->streams[i].record);
}

static enum outcome run_once(struct bench *bench, const struct cell *cell, struct cell_result *result,
                             struct raw_file *raw)
{
    const struct cast cast = {
        .tasks = cell->tasks,
        .task_count = cell->task_count,
        .copies = bench->options->copies,
        .is_listing = raw != NULL,
        .warmup_ns = bench->options->warmup_ns,
        .duration_ns = bench->options->duration_ns,
    };
    const int64_t cpu_ns = own_cpu_ns();
    struct performance performance = {0};
    struct running running;
    struct look before, after;
    enum outcome outcome;

    machine_look("", monotonic_ns(), &before);
    outcome = running_begin(&running, bench, cell->load);
    if (outcome == OUTCOME_DONE)
        outcome = perform(&performance, &running, bench, &cast, result->rates);
    if (outcome == OUTCOME_DONE) {
        collect(cell, performance.play, result->records);
        if (raw)
            raw_file_add(raw, cell->load, performance.play);
    }
    play_end(&performance);
    running_end(&running);
    machine_look("", monotonic_ns(), &after);
    machine_disturbance(&before, &after, own_cpu_ns() - cpu_ns, &result->disturbance);
    return outcome;
}

enum outcome cell_run(struct bench *bench, const struct cell *cell, struct cell_result *result, struct raw_file *raw)
{
    const size_t size = (size_t)cell->task_count * sizeof *result->records;
    enum outcome outcome;

    result->records = malloc(size);
    if (!result->records)
        fail(STATUS_WRONG_PLACE, "out of memory");
    do {
        watch_was_stopped();
        memset(result->records, 0, size);
        for (int i = 0; i < cell->task_count; i++)
            result->records[i].tally.censored_max_ns = UNKNOWN;
        outcome = run_once(bench, cell, result, raw);
    } while (outcome == OUTCOME_DONE && watch_was_stopped());
    return outcome;
}

/* Waits while the load works. */
static enum outcome wait_until(struct running *running, int64_t moment_ns)
{
    switch (watch_until(moment_ns, -1, child_reap)) {
    case EVENT_SIGNAL:
        return OUTCOME_INTERRUPTED;
    case EVENT_ENDED:
        return running_check(running);
    default:
        return OUTCOME_DONE;
    }
}

static enum outcome work_alone(struct running *running, int64_t duration_ns, double rates[LOAD_PARTS_MAX])
{
    const int64_t warmup_ns = running->bench->options->warmup_ns;
    struct progress from, to;
    enum outcome outcome = running_go(running);

    if (outcome == OUTCOME_DONE)
        outcome = wait_until(running, monotonic_ns() + warmup_ns);
    from = running_progress(running);
    if (outcome == OUTCOME_DONE)
        outcome = wait_until(running, from.moment_ns + duration_ns);
    to = running_progress(running);
    running_rates(&from, &to, rates);
    return outcome;
}

enum outcome cell_load_alone(struct bench *bench, const struct load *load, int64_t duration_ns,
                             double rates[LOAD_PARTS_MAX])
{
    struct running running;
    enum outcome outcome;

    do {
        watch_was_stopped();
        outcome = running_begin(&running, bench, load);
        if (outcome == OUTCOME_DONE)
            outcome = work_alone(&running, duration_ns, rates);
        running_end(&running);
    } while (outcome == OUTCOME_DONE && watch_was_stopped());
    return outcome;
}
