/* The load is ready and the task is set up before the load works; the load works steadily before the task does. */
#include "cell.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"
#include "events.h"
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

static enum outcome perform(struct performance *performance, struct running *running, const struct cast *cast,
                            double rates[LOAD_PARTS_MAX])
{
    enum outcome outcome = play_begin(performance, running, cast);

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

/* What was measured while this program was stopped goes nowhere: is_void says so. */
static enum outcome run_once(struct bench *bench, const struct cell *cell, struct cell_result *result,
                             struct raw_file *raw, int *is_void)
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

    events_was_stopped();
    machine_look("", monotonic_ns(), &before);
    outcome = running_begin(&running, bench, cell->load);
    if (outcome == OUTCOME_DONE)
        outcome = perform(&performance, &running, &cast, result->rates);
    *is_void = outcome_is_void(outcome);
    if (outcome == OUTCOME_DONE && !*is_void) {
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
    int is_void;

    result->records = malloc(size);
    if (!result->records)
        fail(STATUS_WRONG_PLACE, "out of memory");
    do {
        memset(result->records, 0, size);
        outcome = run_once(bench, cell, result, raw, &is_void);
    } while (is_void);
    return outcome;
}
