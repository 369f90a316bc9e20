/* Prints the tables: one for each task, or one for the mix, with notes on single rows. */
#include "report/report.h"

#include <stdio.h>

#include "clock.h"

static const struct tally *tally_of(const struct row *row)
{
    return &row->record->tally;
}

static struct figure name_figure(const char *name, const char *mark)
{
    struct figure figure;

    snprintf(figure.text, sizeof figure.text, "%s%s", name, mark);
    return figure;
}

static struct figure load_name(const struct row *row, time_figure *time)
{
    (void)time;
    return name_figure(row->load->name, row_is_noisy(row) ? " *" : "");
}

static struct figure task_name(const struct row *row, time_figure *time)
{
    (void)time;
    return name_figure(row->task->name, "");
}

static struct figure frames(const struct row *row, time_figure *time)
{
    (void)time;
    return figure_count(tally_of(row)->frames);
}

static struct figure share_of_frames(const struct row *row, int64_t count)
{
    return figure_percent(part_of((double)count, (double)tally_of(row)->frames));
}

static struct figure on_time(const struct row *row, time_figure *time)
{
    (void)time;
    return share_of_frames(row, tally_of(row)->on_time);
}

static struct figure late(const struct row *row, time_figure *time)
{
    (void)time;
    return share_of_frames(row, tally_of(row)->late);
}

static struct figure dropped(const struct row *row, time_figure *time)
{
    (void)time;
    return share_of_frames(row, tally_of(row)->dropped);
}

static struct figure work(const struct row *row, time_figure *time)
{
    (void)time;
    return figure_percent(row_work(row));
}

static struct figure throughput(const struct row *row, time_figure *time)
{
    (void)time;
    return figure_percent(row->throughput);
}

/* Defines the column of a percentile of a distribution. */
#define PERCENTILE(name, member, per_mille)                                                     \
    static struct figure name(const struct row *row, time_figure *time)                         \
    {                                                                                           \
        return time((double)distribution_percentile(&tally_of(row)->member, per_mille));        \
    }

PERCENTILE(wake_p50, wake, 500)
PERCENTILE(wake_p99, wake, 990)
PERCENTILE(staleness_p50, staleness, 500)
PERCENTILE(staleness_p95, staleness, 950)
PERCENTILE(staleness_p99, staleness, 990)
PERCENTILE(staleness_p99_9, staleness, 999)
PERCENTILE(job_p50, response, 500)
PERCENTILE(job_p99, response, 990)

static struct figure staleness_max(const struct row *row, time_figure *time)
{
    return time((double)tally_max_staleness_ns(tally_of(row)));
}

static struct figure staleness_deviation(const struct row *row, time_figure *time)
{
    return time(moments_deviation(&tally_of(row)->staleness.moments));
}

static struct figure staleness_jitter(const struct row *row, time_figure *time)
{
    return time((double)row_jitter_ns(row));
}

static struct figure jobs_per_s(const struct row *row, time_figure *time)
{
    (void)time;
    return figure_digits(row_jobs_per_s(row));
}

static struct figure job_max(const struct row *row, time_figure *time)
{
    return time(tally_of(row)->response.moments.count ? (double)tally_of(row)->response.moments.max : UNKNOWN);
}

static struct figure slow_jobs_per_s(const struct row *row, time_figure *time)
{
    (void)time;
    return figure_digits(row_slow_jobs_per_s(row));
}

#define STALENESS "staleness"

const struct column frame_columns[] = {
    {NULL, "", "Load", 1, NEED_NONE, load_name},
    {NULL, "", "Task", 1, NEED_MIX, task_name},
    {NULL, "", "frames", 0, NEED_NONE, frames},
    {NULL, "on time", "%", 0, NEED_NONE, on_time},
    {NULL, "late", "%", 0, NEED_NONE, late},
    {NULL, "dropped", "%", 0, NEED_NONE, dropped},
    {NULL, "work", "%", 0, NEED_NONE, work},
    {"wake", "", "p50", 0, NEED_NONE, wake_p50},
    {"wake", "", "p99", 0, NEED_NONE, wake_p99},
    {STALENESS, "", "p50", 0, NEED_NONE, staleness_p50},
    {STALENESS, "", "p95", 0, NEED_NONE, staleness_p95},
    {STALENESS, "", "p99", 0, NEED_NONE, staleness_p99},
    {STALENESS, "", "p99.9", 0, NEED_NONE, staleness_p99_9},
    {STALENESS, "", "max", 0, NEED_NONE, staleness_max},
    {STALENESS, "", "SD", 0, NEED_NONE, staleness_deviation},
    {STALENESS, "", "jitter", 0, NEED_ROOM, staleness_jitter},
    {NULL, "load", "%", 0, NEED_NONE, throughput},
    {NULL, NULL, NULL, 0, NEED_NONE, NULL},
};

const struct column job_columns[] = {
    {NULL, "", "Load", 1, NEED_NONE, load_name},
    {NULL, "", "jobs", 0, NEED_NONE, frames},
    {NULL, "jobs", "a second", 0, NEED_NONE, jobs_per_s},
    {"frame time", "", "p50", 0, NEED_NONE, job_p50},
    {"frame time", "", "p99", 0, NEED_NONE, job_p99},
    {"frame time", "", "max", 0, NEED_NONE, job_max},
    {NULL, "1 % low", "a second", 0, NEED_NONE, slow_jobs_per_s},
    {NULL, "work", "%", 0, NEED_NONE, work},
    {NULL, "load", "%", 0, NEED_NONE, throughput},
    {NULL, NULL, NULL, 0, NEED_NONE, NULL},
};

/* Returns whether the noise of the row has been printed: in the mix, all rows of a load belong to one cell. */
static int is_noted(const struct grid *grid, int index)
{
    if (index == 0 || !grid->is_mix)
        return 0;
    return grid->rows[index - 1]->load == grid->rows[index]->load;
}

static void print_noise(const struct grid *grid, int index, FILE *out)
{
    const struct row *row = grid->rows[index];

    if (row_is_noisy(row) && !is_noted(grid, index))
        fprintf(out, "  * %s is noisy: steal %s %%, other work %s %% of the CPU time\n", row->load->name,
                figure_percent(row->disturbance.steal).text, figure_percent(row->disturbance.other_work).text);
}

/* Prints notes below a table: why rows are noisy. */
static void print_notes(const struct grid *grid, FILE *out)
{
    for (int i = 0; i < grid->row_count; i++)
        print_noise(grid, i, out);
}

typedef int sameness(const struct row *one, const struct row *other);

static int is_same_task(const struct row *one, const struct row *other)
{
    return one->task == other->task;
}

static int is_same_load(const struct row *one, const struct row *other)
{
    return one->load == other->load && task_is_periodic(one->task) && task_is_periodic(other->task);
}

/* Returns whether no earlier row is the same. */
static int is_first(const struct report *report, int index, sameness *is_same)
{
    for (int i = 0; i < index; i++)
        if (is_same(&report->rows[i], &report->rows[index]))
            return 0;
    return 1;
}

static void add_same(struct grid *grid, const struct report *report, int index, sameness *is_same)
{
    for (int i = index; i < report->row_count; i++)
        if (is_same(&report->rows[index], &report->rows[i]))
            grid->rows[grid->row_count++] = &report->rows[i];
}

static void print_block(const struct grid *grid, FILE *out)
{
    grid_print(grid, out);
    print_notes(grid, out);
    putc('\n', out);
}

static void print_task(const struct report *report, int index, FILE *out)
{
    const struct row *row = &report->rows[index];
    struct grid grid = {.columns = task_is_periodic(row->task) ? frame_columns : job_columns};

    fprintf(out, "%s", row->task->name);
    if (row->streams > 1)
        fprintf(out, ", %d streams", row->streams);
    fputs("\n", out);
    add_same(&grid, report, index, is_same_task);
    print_block(&grid, out);
}

/* Prints the tasks with deadlines, which ran at the same time. */
static void print_mix(const struct report *report, FILE *out)
{
    struct grid grid = {.columns = frame_columns, .is_mix = 1};

    for (int i = 0; i < report->row_count; i++)
        if (task_is_periodic(report->rows[i].task) && is_first(report, i, is_same_load))
            add_same(&grid, report, i, is_same_load);
    if (grid.row_count == 0)
        return;
    fputs("All tasks at the same time\n", out);
    print_block(&grid, out);
}

static void print_responsiveness(const struct report *report, FILE *out)
{
    const double responsiveness = report_responsiveness(report);

    if (responsiveness >= 0)
        fprintf(out, "Responsiveness: %s wake-ups per second\n\n", figure_digits(responsiveness).text);
}

static void print_legend(FILE *out)
{
    fputs("on time: frames that ended before the next one was due; late: ended after that; dropped: never started.\n"
          "work: the part of the demanded work that was done.  wake: time from when a frame is due to its start.\n"
          "staleness: time from when a frame is due to the end of that frame or a later one; jitter: its p99 - p50.\n"
          "load: throughput of the load, relative to that of the load alone.  " NOT_KNOWN ": unknown, or too few "
          "values.\n", out);
}

void report_print_table(const struct report *report, FILE *out)
{
    const int is_mix = report->options->mode == MODE_MIX;

    if (is_mix)
        print_mix(report, out);
    for (int i = 0; i < report->row_count; i++)
        if (!(is_mix && task_is_periodic(report->rows[i].task)) && is_first(report, i, is_same_task))
            print_task(report, i, out);
    if (is_mix)
        print_responsiveness(report, out);
    if (report->row_count > 0)
        print_legend(out);
    if (report->error)
        fprintf(out, "Incomplete: %s\n", report->error);
}
