/* Prints all text reports except the tables: the head, the capacity, and the tables of interbench 0.30. */
#include "report/report.h"

#include <sys/utsname.h>
#include <time.h>

#include "clock.h"

/* Returns the release of the kernel. */
static const char *kernel_release(void)
{
    static struct utsname machine;

    return uname(&machine) == 0 ? machine.release : "unknown";
}

/* Prints when the run started, in local time. */
static void print_date(const struct report *report, const char *format, FILE *out)
{
    const time_t started = (time_t)report->started_s;
    struct tm date;
    char text[64];

    if (localtime_r(&started, &date) && strftime(text, sizeof text, format, &date))
        fputs(text, out);
}

static struct figure seconds_figure(int64_t ns)
{
    return figure_exact((double)ns / NS_PER_S, 3, NOT_KNOWN);
}

static void print_calibration(const struct report *report, FILE *out)
{
    fprintf(out, "%lld loops per ms", (long long)report->loops_per_ms);
    if (report->options->is_fixed)
        fputs(" of the reference machine", out);
    if (report->calibration_spread >= 0)
        fprintf(out, " (spread at calibration %s %%)", figure_percent(report->calibration_spread).text);
    putc('\n', out);
}

static void print_run(const struct report *report, FILE *out)
{
    const struct options *options = report->options;

    fprintf(out, "Linux %s, ", kernel_release());
    print_date(report, "%Y-%m-%d %H:%M", out);
    fprintf(out, ", %d CPU%s, ", report->cpu_count, report->cpu_count == 1 ? "" : "s");
    print_calibration(report, out);
    fprintf(out, "%s s for each %s after %s s of warm-up, seed %llu", seconds_figure(options->duration_ns).text,
            options->mode == MODE_CAPACITY ? "trial" : "load", seconds_figure(options->warmup_ns).text,
            (unsigned long long)options->seed);
    if (options->repeats > 1)
        fprintf(out, ", %d repeats", options->repeats);
    if (options->copies > 1)
        fprintf(out, ", %d streams of each task", options->copies);
    putc('\n', out);
}

static void print_left_out(const struct report *report, FILE *out)
{
    for (int i = 0; i < report->left_out_count; i++)
        fprintf(out, "Left out: %s: %s\n", report->left_out[i].load->name, report->left_out[i].why);
}

void report_print_head(const struct report *report, FILE *out)
{
    print_run(report, out);
    if (report->options->comment)
        fprintf(out, "Comment: %s\n", report->options->comment);
    print_left_out(report, out);
    putc('\n', out);
}

void report_print_capacity(const struct report *report, const struct capacity *capacity, FILE *out)
{
    report_print_head(report, out);
    fprintf(out, "Streams of 60 frames per second, each frame 2 ms of work of the reference machine, under Burn\n\n");
    fprintf(out, "%9s  %9s\n", "streams", "on time %");
    for (int i = 0; i < capacity->trial_count; i++)
        fprintf(out, "%9d  %9s\n", capacity->trials[i].streams,
                figure_exact(capacity->trials[i].on_time, 2, "-").text);
    if (capacity->fps >= 0)
        fprintf(out, "\nInteractive capacity: %s%.1f fps\n", capacity->is_limited ? "at least " : "", capacity->fps);
}

#define LATENCY_WIDTH   7
#define DEVIATION_WIDTH (-9)
#define DESIRED_WIDTH   4
#define DEADLINES_WIDTH 11

static void print_legacy_head(const struct report *report, FILE *out)
{
    fprintf(out, "Using %lld loops per ms, running every load for %s seconds\n", (long long)report->loops_per_ms,
            seconds_figure(report->options->duration_ns).text);
    fprintf(out, "Benchmarking kernel %s at datestamp ", kernel_release());
    print_date(report, "%Y%m%d%H%M", out);
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

static int is_begun(const struct report *report, int index)
{
    for (int i = 0; i < index; i++)
        if (report->rows[i].task == report->rows[index].task)
            return 1;
    return 0;
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
        if (!is_begun(report, i))
            print_legacy_task(report, i, out);
    putc('\n', out);
}
