/* Each cell has its rows from the start, one for each of its tasks; those without a repeat are left out at the end. */
#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "cell.h"
#include "clock.h"
#include "message.h"
#include "random.h"

struct place {
    struct cell cell;
    struct row *rows; /* as many as the cell has tasks */
};

static void *room_for(size_t count, size_t size)
{
    void *room = calloc(count, size);

    if (!room)
        fail(STATUS_WRONG_PLACE, "out of memory");
    return room;
}

static void add_cell(struct place *place, struct report *report, const struct task *const *tasks, int task_count,
                     const struct load *load)
{
    place->cell = (struct cell){tasks, task_count, load};
    place->rows = &report->rows[report->row_count];
    for (int i = 0; i < task_count; i++) {
        struct row *row = &report->rows[report->row_count++];

        *row = (struct row){.task = tasks[i], .load = load, .streams = report->options->copies,
                            .throughput = UNKNOWN, .p99_least_ns = UNKNOWN, .p99_most_ns = UNKNOWN,
                            .disturbance = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}};
        row->record = room_for(1, sizeof *row->record);
    }
}

/* Whether task and load are the same program. */
static int is_itself(const struct task *task, const struct load *load)
{
    return strcmp(task->name, load->name) == 0;
}

int matrix_cells(const struct options *options)
{
    int count = 0;

    if (options->mode == MODE_MIX)
        return options->load_count;
    for (int task = 0; task < options->task_count; task++)
        for (int load = 0; load < options->load_count; load++)
            count += !is_itself(options->tasks[task], options->loads[load]);
    return count;
}

/* The mix is one cell under each load, the matrix one for each task under each load but itself. */
static int plan(struct place *places, struct report *report)
{
    const struct options *options = report->options;
    int count = 0;

    if (options->mode == MODE_MIX) {
        for (int load = 0; load < options->load_count; load++)
            add_cell(&places[count++], report, options->tasks, options->task_count, options->loads[load]);
        return count;
    }
    for (int task = 0; task < options->task_count; task++)
        for (int load = 0; load < options->load_count; load++)
            if (!is_itself(options->tasks[task], options->loads[load]))
                add_cell(&places[count++], report, &options->tasks[task], 1, options->loads[load]);
    return count;
}

static double worse(double one, double other)
{
    return one > other ? one : other;
}

static void add_disturbance(struct disturbance *into, const struct disturbance *from)
{
    into->steal = worse(into->steal, from->steal);
    into->other = worse(into->other, from->other);
    into->cpu_pressure = worse(into->cpu_pressure, from->cpu_pressure);
    into->io_pressure = worse(into->io_pressure, from->io_pressure);
    into->memory_pressure = worse(into->memory_pressure, from->memory_pressure);
}

/* The range is that of all repeats or of none. */
static void add_p99(struct row *row, int64_t p99_ns)
{
    const int is_first = row->repeats == 0;
    const int is_unknown = p99_ns == UNKNOWN || (!is_first && row->p99_least_ns == UNKNOWN);

    if (is_unknown || is_first || p99_ns < row->p99_least_ns)
        row->p99_least_ns = is_unknown ? UNKNOWN : p99_ns;
    if (is_unknown || is_first || p99_ns > row->p99_most_ns)
        row->p99_most_ns = is_unknown ? UNKNOWN : p99_ns;
}

/* The mean of all repeats; not known unless it is of each. */
static void add_throughput(struct row *row, double part)
{
    if (row->repeats == 0)
        row->throughput = part;
    else if (row->throughput < 0 || part < 0)
        row->throughput = UNKNOWN;
    else
        row->throughput = (row->throughput * row->repeats + part) / (row->repeats + 1);
}

static void add_result(struct place *place, const struct cell_result *result, double part)
{
    for (int i = 0; i < place->cell.task_count; i++) {
        struct row *row = &place->rows[i];

        add_p99(row, distribution_percentile(&result->records[i].tally.staleness, 990));
        record_merge(row->record, &result->records[i]);
        add_disturbance(&row->disturbance, &result->disturbance);
        add_throughput(row, part);
        row->repeats++;
    }
}

static enum outcome measure(struct bench *bench, struct place *place, struct raw_file *raw)
{
    struct cell_result result = {0};
    double part = UNKNOWN;
    enum outcome outcome = cell_run(bench, &place->cell, &result, raw);

    if (outcome == OUTCOME_DONE) {
        outcome = alone_part(bench, place->cell.load, result.rates, &part);
        add_result(place, &result, part); /* it was measured, whatever became of the load alone */
    }
    free(result.records);
    return outcome;
}

static void tell_progress(const struct bench *bench, const struct place *place, int done, int all, int64_t since_ns)
{
    const int64_t left_ns = (monotonic_ns() - since_ns) / done * (all - done);
    const int is_mix = bench->options->mode == MODE_MIX;

    if (!bench->options->is_protocol)
        notice("%d of %d, %lld s left: %s under %s", done, all, (long long)(left_ns / NS_PER_S),
               is_mix ? "mix" : place->cell.tasks[0]->name, place->cell.load->name);
}

static enum outcome run_all(struct bench *bench, struct place *places, int count, struct raw_file *raw)
{
    const int64_t since_ns = monotonic_ns();
    const int repeats = bench->options->repeats;
    int *order = room_for((size_t)count, sizeof *order), done = 0;
    enum outcome outcome = OUTCOME_DONE;

    for (int repeat = 0; repeat < repeats && outcome == OUTCOME_DONE; repeat++) {
        random_order(order, count, bench->options->seed + (uint64_t)repeat);
        if (raw)
            raw->repeat = repeat + 1;
        for (int i = 0; i < count && outcome == OUTCOME_DONE; i++) {
            outcome = measure(bench, &places[order[i]], raw);
            if (outcome == OUTCOME_DONE)
                tell_progress(bench, &places[order[i]], ++done, count * repeats, since_ns);
        }
    }
    free(order);
    return outcome;
}

static void leave_out_unmeasured(struct report *report)
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

enum outcome matrix_run(struct bench *bench, struct report *report, struct raw_file *raw)
{
    const struct options *options = bench->options;
    const size_t most = (size_t)(options->task_count * options->load_count);
    struct place *places = room_for(most, sizeof *places);
    enum outcome outcome;

    report->rows = room_for(most, sizeof *report->rows);
    outcome = run_all(bench, places, plan(places, report), raw);
    leave_out_unmeasured(report);
    free(places);
    return outcome;
}
