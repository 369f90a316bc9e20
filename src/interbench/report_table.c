/* The tables: one for each task, or one for the mix with a paragraph for each load. */
#include "report_grid.h"
#include "report_remarks.h"

typedef int sameness(const struct row *one, const struct row *other);

static int is_same_task(const struct row *one, const struct row *other)
{
    return one->task == other->task;
}

static int is_same_load(const struct row *one, const struct row *other)
{
    return one->load == other->load && task_is_periodic(one->task) && task_is_periodic(other->task);
}

/* Whether no row before it is the same. */
static int is_first(const struct report *report, int index, sameness *is_same)
{
    int i;

    for (i = 0; i < index; i++)
        if (is_same(&report->rows[i], &report->rows[index]))
            return 0;
    return 1;
}

static void add_same(struct grid *grid, const struct report *report, int index, sameness *is_same)
{
    int i;

    for (i = index; i < report->row_count; i++)
        if (is_same(&report->rows[index], &report->rows[i]))
            grid->rows[grid->row_count++] = &report->rows[i];
}

static void print_block(const struct report *report, const struct grid *grid, FILE *out)
{
    grid_print(grid, out);
    print_remarks(report->options, grid, out);
    putc('\n', out);
}

static void print_task(const struct report *report, int index, FILE *out)
{
    const struct row *row = &report->rows[index];
    struct grid grid = {.columns = task_is_periodic(row->task) ? frame_columns : job_columns,
                        .is_repeated = report->options->repeats > 1};

    fprintf(out, "%s", row->task->name);
    if (row->streams > 1)
        fprintf(out, ", %d streams", row->streams);
    fputs("\n", out);
    add_same(&grid, report, index, is_same_task);
    print_block(report, &grid, out);
}

/* The tasks with deadlines, which were there at the same time. */
static void print_mix(const struct report *report, FILE *out)
{
    struct grid grid = {.columns = frame_columns, .is_mix = 1, .is_repeated = report->options->repeats > 1};
    int i;

    for (i = 0; i < report->row_count; i++)
        if (task_is_periodic(report->rows[i].task) && is_first(report, i, is_same_load))
            add_same(&grid, report, i, is_same_load);
    if (grid.row_count == 0)
        return;
    fputs("All tasks at the same time\n", out);
    print_block(report, &grid, out);
}

static void print_responsiveness(const struct report *report, FILE *out)
{
    double responsiveness = report_responsiveness(report);

    if (responsiveness >= 0)
        fprintf(out, "Responsiveness: %s wake-ups a second\n\n", figure_digits(responsiveness).text);
}

static void print_legend(const struct report *report, FILE *out)
{
    fputs("on time: of all frames, those that ended before the next was due; late: ended after that; dropped: never "
          "begun.\n"
          "work: what was done of the work that was wanted.  wake: from when a frame is due to its start.\n"
          "staleness: from when a frame is due until it, or the first one behind it, is done; jitter: its p99 - p50.\n"
          "load: what the load got done, of what it does alone.  " NOT_KNOWN ": not known, or too few values for it.\n",
          out);
    if (report->options->repeats > 1)
        fputs("p99 least, most: of staleness, in single repeats.\n", out);
}

void report_print_table(const struct report *report, FILE *out)
{
    int i, is_mix = report->options->mode == MODE_MIX;

    if (is_mix)
        print_mix(report, out);
    for (i = 0; i < report->row_count; i++)
        if (!(is_mix && task_is_periodic(report->rows[i].task)) && is_first(report, i, is_same_task))
            print_task(report, i, out);
    if (is_mix)
        print_responsiveness(report, out);
    if (report->row_count > 0)
        print_legend(report, out);
    if (report->trouble)
        fprintf(out, "Not all was measured: %s\n", report->trouble);
}
