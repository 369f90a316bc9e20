/* Prints the report in the form of interbench 0.30: a table of five columns for each task. */
#include "report/report.h"

#include "clock.h"

#define LATENCY_WIDTH   7
#define DEVIATION_WIDTH (-9)
#define DESIRED_WIDTH   4
#define DEADLINES_WIDTH 11

static void print_legacy_head(const struct report *report, FILE *out)
{
    fprintf(out, "Using %lld loops per ms, running every load for %g seconds\n", (long long)report->loops_per_ms,
            (double)report->options->duration_ns / NS_PER_S);
    fprintf(out, "Benchmarking kernel %s at datestamp ", report_kernel());
    report_print_date(report, "%Y%m%d%H%M", out);
    putc('\n', out);
    if (report->options->comment)
        fprintf(out, "Comment: %s\n", report->options->comment);
    putc('\n', out);
}

static double in_unit(const struct options *options, double ns)
{
    return ns / (double)(options->is_real_time ? NS_PER_US : NS_PER_MS);
}

/* Returns the staleness; for Gaming, the excess of the jobs over their demand. */
static const struct moments *latency_of(const struct row *row)
{
    const struct tally *tally = &row->record->tally;

    return task_is_periodic(row->task) ? &tally->staleness.moments : &tally->wake.moments;
}

static double mean_ns(const struct row *row)
{
    return latency_of(row)->count ? latency_of(row)->mean : UNKNOWN;
}

static double max_ns(const struct row *row)
{
    if (task_is_periodic(row->task))
        return (double)tally_max_staleness_ns(&row->record->tally);
    return latency_of(row)->count ? (double)latency_of(row)->max : UNKNOWN;
}

static void print_legacy_row(const struct options *options, const struct row *row, FILE *out)
{
    const struct tally *tally = &row->record->tally;

    fprintf(out, "%s\t%s +/- %s%s\t\t%s", row->load->name,
            figure_legacy(in_unit(options, mean_ns(row)), LATENCY_WIDTH).text,
            figure_legacy(in_unit(options, moments_deviation(latency_of(row))), DEVIATION_WIDTH).text,
            figure_legacy(in_unit(options, max_ns(row)), LATENCY_WIDTH).text,
            figure_legacy(100 * row_work(row), DESIRED_WIDTH).text);
    if (task_is_periodic(row->task))
        fprintf(out, "\t%s",
                figure_legacy(100 * part_of((double)tally->on_time, (double)tally->frames), DEADLINES_WIDTH).text);
    putc('\n', out);
}

static void print_legacy_heading(const struct options *options, const struct task *task, FILE *out)
{
    fprintf(out, "--- Benchmarking simulated cpu of %s ", task->name);
    if (options->is_real_time)
        fputs("real time ", out);
    else if (options->task_nice != 0)
        fprintf(out, "nice %d ", options->task_nice);
    fputs("in the presence of simulated ", out);
    if (options->load_nice != 0)
        fprintf(out, "nice %d ", options->load_nice);
    fputs("---\n", out);
    fprintf(out, "Load\tLatency +/- SD (%s)  Max Latency   %% Desired CPU", options->is_real_time ? "us" : "ms");
    if (task_is_periodic(task))
        fputs("  % Deadlines Met", out);
    putc('\n', out);
}

static void print_legacy_task(const struct report *report, int first, FILE *out)
{
    print_legacy_heading(report->options, report->rows[first].task, out);
    for (int i = first; i < report->row_count; i++)
        if (report->rows[i].task == report->rows[first].task)
            print_legacy_row(report->options, &report->rows[i], out);
    putc('\n', out);
}

void report_print_legacy(const struct report *report, FILE *out)
{
    print_legacy_head(report, out);
    for (int i = 0; i < report->row_count; i++)
        if (report_is_first_of_task(report, i))
            print_legacy_task(report, i, out);
    putc('\n', out);
}
