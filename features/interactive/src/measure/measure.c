/* Measures cells, in shuffled order with repeats, and the trials of the capacity. */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"
#include "events.h"
#include "message.h"
#include "random.h"

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

/* A cell of the table: one or several tasks, run together under one load, and their rows. */
struct cell {
    const struct task *const *tasks;
    int task_count;
    const struct load *load;
    struct row *rows; /* one for each task */
};

struct cell_result {
    struct record *records; /* of each task, all streams together */
    double rates[LOAD_PARTS_MAX]; /* of the load, per second */
    struct disturbance disturbance;
};

/*
 * Starts and measures the tasks under a load that is ready.  The tasks are set up before the load works, and the load
 * is steady before the tasks run.
 */
static enum outcome run_tasks(struct task_run *task_run, struct load_run *load_run, const struct run_plan *plan,
                              double rates[LOAD_PARTS_MAX])
{
    enum outcome outcome = task_run_start(task_run, load_run, plan);

    if (outcome == OUTCOME_DONE)
        outcome = load_run_go(load_run);
    if (outcome == OUTCOME_DONE)
        outcome = task_run_measure(task_run, load_run, rates);
    return outcome;
}

static void collect(const struct cell *cell, const struct stream_set *set, struct record *records)
{
    for (int i = 0; i < set->stream_count; i++)
        for (int task = 0; task < cell->task_count; task++)
            if (set->streams[i].task == cell->tasks[task])
                record_merge(&records[task], set->streams[i].record);
}

/* Measures a cell once; is_void: this program was stopped meanwhile, and the results are discarded. */
static enum outcome run_once(struct bench *bench, const struct cell *cell, struct cell_result *result,
                             int *is_void)
{
    const struct run_plan plan = {
        .tasks = cell->tasks,
        .task_count = cell->task_count,
        .copies = bench->options->copies,
        .warmup_ns = bench->options->warmup_ns,
        .duration_ns = bench->options->duration_ns,
    };
    const int64_t cpu_ns = own_cpu_ns();
    struct task_run task_run = {0};
    struct load_run load_run;
    struct snapshot before, after;

    events_was_stopped();
    machine_snapshot("", &before);

    enum outcome outcome = load_run_start(&load_run, bench, cell->load);

    if (outcome == OUTCOME_DONE)
        outcome = run_tasks(&task_run, &load_run, &plan, result->rates);
    *is_void = outcome_is_void(outcome);
    if (outcome == OUTCOME_DONE && !*is_void)
        collect(cell, task_run.set, result->records);
    task_run_end(&task_run);
    load_run_end(&load_run);
    machine_snapshot("", &after);
    result->disturbance = machine_disturbance(&before, &after, own_cpu_ns() - cpu_ns);
    return outcome;
}

/* Measures a cell, again if this program was stopped meanwhile.  The caller frees the records, whatever the outcome. */
static enum outcome run_cell(struct bench *bench, const struct cell *cell, struct cell_result *result)
{
    const size_t size = (size_t)cell->task_count * sizeof *result->records;
    enum outcome outcome;
    int is_void;

    result->records = malloc(size);
    if (!result->records)
        fail(STATUS_IMPOSSIBLE_HERE, "not enough memory");
    do {
        memset(result->records, 0, size);
        outcome = run_once(bench, cell, result, &is_void);
    } while (is_void);
    return outcome;
}

static void *room_for(size_t count, size_t size)
{
    void *room = calloc(count, size);

    if (!room)
        fail(STATUS_IMPOSSIBLE_HERE, "not enough memory");
    return room;
}

static void add_cell(struct cell *cell, struct report *report, const struct task *const *tasks, int task_count,
                     const struct load *load)
{
    *cell = (struct cell){tasks, task_count, load, &report->rows[report->row_count]};
    for (int i = 0; i < task_count; i++) {
        struct row *row = &report->rows[report->row_count++];

        *row = (struct row){.task = tasks[i], .load = load, .streams = report->options->copies,
                            .throughput = UNKNOWN, .disturbance = {UNKNOWN, UNKNOWN}};
        row->record = room_for(1, sizeof *row->record);
    }
}

static int is_itself(const struct task *task, const struct load *load)
{
    return strcmp(task->name, load->name) == 0;
}

/*
 * Plans the cells; returns their number.  The mix has a cell for each load, the matrix one for each task and each load
 * but itself.
 */
static int plan_cells(struct cell *cells, struct report *report)
{
    const struct options *options = report->options;
    int count = 0;

    if (options->mode == MODE_MIX) {
        for (int load = 0; load < options->load_count; load++)
            add_cell(&cells[count++], report, options->tasks, options->task_count, options->loads[load]);
        return count;
    }
    for (int task = 0; task < options->task_count; task++)
        for (int load = 0; load < options->load_count; load++)
            if (!is_itself(options->tasks[task], options->loads[load]))
                add_cell(&cells[count++], report, &options->tasks[task], 1, options->loads[load]);
    return count;
}

/* Keeps the worst of the repeats. */
static void add_disturbance(struct disturbance *into, const struct disturbance *from)
{
    into->steal = fmax(into->steal, from->steal);
    into->other_work = fmax(into->other_work, from->other_work);
}

/* Adds to the mean of all repeats, which is known if all of them are. */
static void add_throughput(struct row *row, double throughput)
{
    if (row->repeats == 0)
        row->throughput = throughput;
    else if (row->throughput < 0 || throughput < 0)
        row->throughput = UNKNOWN;
    else
        row->throughput = (row->throughput * row->repeats + throughput) / (row->repeats + 1);
}

static void add_result(struct cell *cell, const struct cell_result *result, double throughput)
{
    for (int i = 0; i < cell->task_count; i++) {
        struct row *row = &cell->rows[i];

        record_merge(row->record, &result->records[i]);
        add_disturbance(&row->disturbance, &result->disturbance);
        add_throughput(row, throughput);
        row->repeats++;
    }
}

static enum outcome measure_cell(struct bench *bench, struct cell *cell)
{
    struct cell_result result = {0};
    double throughput = UNKNOWN;
    enum outcome outcome = run_cell(bench, cell, &result);

    if (outcome == OUTCOME_DONE) {
        outcome = load_relative_throughput(bench, cell->load, result.rates, &throughput);
        add_result(cell, &result, throughput); /* the result counts even if measuring the load alone has failed */
    }
    free(result.records);
    return outcome;
}

static void print_progress(const struct bench *bench, const struct cell *cell, int done, int all, int64_t since_ns)
{
    const int64_t left_ns = (monotonic_ns() - since_ns) / done * (all - done);
    const int is_mix = bench->options->mode == MODE_MIX;

    if (!bench->options->is_protocol)
        notice("%d of %d, %lld s left: %s under %s", done, all, (long long)(left_ns / NS_PER_S),
               is_mix ? "mix" : cell->tasks[0]->name, cell->load->name);
}

/* Measures all cells in an order that differs in each repeat. */
static enum outcome run_all(struct bench *bench, struct cell *cells, int count)
{
    const int64_t since_ns = monotonic_ns();
    const int repeats = bench->options->repeats;
    int *order = room_for((size_t)count, sizeof *order), done = 0;
    enum outcome outcome = OUTCOME_DONE;

    for (int repeat = 0; repeat < repeats && outcome == OUTCOME_DONE; repeat++) {
        random_order(order, count, (uint64_t)bench->options->seed + (uint64_t)repeat);
        for (int i = 0; i < count && outcome == OUTCOME_DONE; i++) {
            outcome = measure_cell(bench, &cells[order[i]]);
            if (outcome == OUTCOME_DONE)
                print_progress(bench, &cells[order[i]], ++done, count * repeats, since_ns);
        }
    }
    free(order);
    return outcome;
}

static void remove_unmeasured(struct report *report)
{
    int kept = 0;

    for (int i = 0; i < report->row_count; i++) {
        if (report->rows[i].repeats > 0)
            report->rows[kept++] = report->rows[i];
        else
            free(report->rows[i].record);
    }
    report->row_count = kept;
}

enum outcome measure_cells(struct bench *bench, struct report *report)
{
    const struct options *options = bench->options;
    const size_t most = (size_t)(options->task_count * options->load_count);
    struct cell *cells = room_for(most, sizeof *cells);

    report->rows = room_for(most, sizeof *report->rows);

    const enum outcome outcome = run_all(bench, cells, plan_cells(cells, report));

    remove_unmeasured(report);
    free(cells);
    return outcome;
}

#define DEMAND_NS   (2 * NS_PER_MS) /* of the reference machine */
#define TRIALS_MOST 18              /* about 75 s, with a second of warm-up each */

/* 60 frames a second. */
static const struct task stream_task = {
    .name = "Stream",
    .period_num_ns = NS_PER_S,
    .period_den = 60,
    .demand_ns = DEMAND_NS,
};

struct search {
    struct bench *bench;
    struct load_run load_run;
    enum outcome outcome;
};

static double percent_on_time(const struct stream_set *set)
{
    int64_t frames = 0, on_time = 0;

    for (int i = 0; i < set->stream_count; i++) {
        frames += set->streams[i].record->tally.frames;
        on_time += set->streams[i].record->tally.on_time;
    }
    return frames > 0 ? 100.0 * (double)on_time / (double)frames : UNKNOWN;
}

static double run_trial(struct search *search, const struct run_plan *plan)
{
    struct task_run task_run;
    double percent = UNKNOWN;

    search->outcome = task_run_start(&task_run, &search->load_run, plan);
    if (search->outcome == OUTCOME_DONE)
        search->outcome = task_run_measure(&task_run, &search->load_run, NULL);
    if (search->outcome == OUTCOME_DONE)
        percent = percent_on_time(task_run.set);
    task_run_end(&task_run);
    return percent;
}

/* Makes a trial for capacity_search, again if this program was stopped meanwhile. */
static double on_time(void *self, int streams)
{
    struct search *search = self;
    const struct options *options = search->bench->options;
    const struct task *const tasks[] = {&stream_task};
    const struct run_plan plan = {
        .tasks = tasks,
        .task_count = 1,
        .copies = streams,
        .is_counting_only = 1,
        .warmup_ns = options->warmup_ns,
        .duration_ns = options->duration_ns,
    };
    double percent;

    do {
        events_was_stopped();
        percent = run_trial(search, &plan);
    } while (outcome_is_void(search->outcome));
    return percent;
}

enum outcome measure_capacity(struct bench *bench, struct capacity *capacity)
{
    struct search search = {.bench = bench};

    search.outcome = load_run_start(&search.load_run, bench, loads_find("Burn"));
    if (search.outcome == OUTCOME_DONE)
        search.outcome = load_run_go(&search.load_run);
    if (search.outcome == OUTCOME_DONE)
        capacity_search(capacity, on_time, &search, TRIALS_MOST);
    load_run_end(&search.load_run);
    return search.outcome;
}
