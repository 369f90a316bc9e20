/* Prints the report: what was run, a table for each task or one of the trials, and what the columns mean. */
#include "report/report.h"

#include <sys/utsname.h>
#include <time.h>

#include "clock.h"

const char *report_kernel(void)
{
    static struct utsname machine;

    return uname(&machine) == 0 ? machine.release : "unknown";
}

void report_print_date(const struct report *report, const char *format, FILE *out)
{
    const time_t started = (time_t)report->started_s;
    struct tm date;
    char text[64];

    if (localtime_r(&started, &date) && strftime(text, sizeof text, format, &date))
        fputs(text, out);
}

int report_is_first_of_task(const struct report *report, int index)
{
    for (int i = 0; i < index; i++)
        if (report->rows[i].task == report->rows[index].task)
            return 0;
    return 1;
}

static double seconds_of(int64_t ns)
{
    return (double)ns / NS_PER_S;
}

static void print_run(const struct report *report, FILE *out)
{
    const struct options *options = report->options;

    fprintf(out, "Linux %s, ", report_kernel());
    report_print_date(report, "%Y-%m-%d %H:%M", out);
    fprintf(out, ", %d CPU%s, %lld loops per ms%s\n", report->cpu_count, report->cpu_count == 1 ? "" : "s",
            (long long)report->loops_per_ms, options->is_fixed ? " of the reference machine" : "");
    fprintf(out, "%g s for each %s after %g s of warm-up, seed %lld", seconds_of(options->duration_ns),
            options->mode == MODE_CAPACITY ? "trial" : "load", seconds_of(options->warmup_ns),
            (long long)options->seed);
    if (options->repeats > 1)
        fprintf(out, ", %d repeats", options->repeats);
    if (options->copies > 1)
        fprintf(out, ", %d streams of each task", options->copies);
    putc('\n', out);
}

void report_print_head(const struct report *report, FILE *out)
{
    print_run(report, out);
    if (report->options->comment)
        fprintf(out, "Comment: %s\n", report->options->comment);
    for (int i = 0; i < report->left_out_count; i++)
        fprintf(out, "Left out: %s: %s\n", report->left_out[i].load->name, report->left_out[i].why);
    putc('\n', out);
}

static struct figure percent_of(int64_t count, const struct tally *tally)
{
    return figure_percent(part_of((double)count, (double)tally->frames));
}

static struct figure percentile(const struct distribution *distribution, int per_mille)
{
    return figure_us((double)distribution_percentile(distribution, per_mille));
}

#define NAME "%-9s"

/* Returns the name of the load, with a mark if the row is noisy. */
static struct figure name_of(const struct row *row)
{
    struct figure name;

    snprintf(name.text, sizeof name.text, "%s%s", row->load->name, row_is_noisy(row) ? " *" : "");
    return name;
}

static void print_frames(const struct row *row, FILE *out)
{
    const struct tally *tally = &row->record->tally;

    fprintf(out, NAME "%8lld%8s%8s%8s%6s", name_of(row).text, (long long)tally->frames,
            percent_of(tally->on_time, tally).text, percent_of(tally->late, tally).text,
            percent_of(tally->dropped, tally).text, figure_percent(row_work(row)).text);
    fprintf(out, "%9s%9s%8s%8s%8s%8s", percentile(&tally->wake, 500).text, percentile(&tally->wake, 990).text,
            percentile(&tally->staleness, 500).text, percentile(&tally->staleness, 950).text,
            percentile(&tally->staleness, 990).text, percentile(&tally->staleness, 999).text);
    fprintf(out, "%9s%8s%6s\n", figure_us((double)tally_max_staleness_ns(tally)).text,
            figure_us(moments_deviation(&tally->staleness.moments)).text, figure_percent(row->throughput).text);
}

/* 1 % low is one divided by the 99th percentile of the time of a job. */
static void print_jobs(const struct row *row, FILE *out)
{
    const struct tally *tally = &row->record->tally;
    const double per_s = part_of((double)tally->frames * NS_PER_S, (double)row->record->elapsed_ns);
    const double slow_per_s = part_of(NS_PER_S, (double)distribution_percentile(&tally->response, 990));

    fprintf(out, NAME "%8lld%8s%8s%8s%9s%9s%6s%6s\n", name_of(row).text, (long long)tally->frames,
            figure_digits(per_s).text, percentile(&tally->response, 500).text, percentile(&tally->response, 990).text,
            figure_us(tally->response.moments.count ? (double)tally->response.moments.max : UNKNOWN).text,
            figure_digits(slow_per_s).text, figure_percent(row_work(row)).text, figure_percent(row->throughput).text);
}

static void print_task(const struct report *report, int first, FILE *out)
{
    const struct task *task = report->rows[first].task;

    fprintf(out, "%s\n", task->name);
    if (task_is_periodic(task))
        fprintf(out, NAME "%8s%8s%8s%8s%6s%9s%9s%8s%8s%8s%8s%9s%8s%6s\n", "Load", "frames", "on time", "late",
                "dropped", "work", "wake p50", "wake p99", "p50", "p95", "p99", "p99.9", "max", "SD", "load");
    else
        fprintf(out, NAME "%8s%8s%8s%8s%9s%9s%6s%6s\n", "Load", "jobs", "jobs/s", "p50", "p99", "max", "1 % low",
                "work", "load");
    for (int i = first; i < report->row_count; i++) {
        if (report->rows[i].task != task)
            continue;
        if (task_is_periodic(task))
            print_frames(&report->rows[i], out);
        else
            print_jobs(&report->rows[i], out);
    }
    putc('\n', out);
}

static void print_legend(FILE *out)
{
    fputs("on time, late, dropped: % of the frames that ended before the next one was due, after that, or never began\n"
          "work: % of the demanded work that was done; load: throughput of the load, in % of that of the load alone\n"
          "wake: us from when a frame is due to its start; p50 to SD: staleness, us to the end of it or of a later\n"
          "one; of Gaming: us that a job took.  -: unknown, or too few values.  *: the hypervisor took more than 1 %\n"
          "of the CPU time, or other programs more than 5 %.\n", out);
}

void report_print_table(const struct report *report, FILE *out)
{
    const double responsiveness = report_responsiveness(report);

    for (int i = 0; i < report->row_count; i++)
        if (report_is_first_of_task(report, i))
            print_task(report, i, out);
    if (report->options->mode == MODE_MIX && responsiveness >= 0)
        fprintf(out, "Responsiveness: %s wake-ups per second\n\n", figure_digits(responsiveness).text);
    if (report->row_count > 0)
        print_legend(out);
    if (report->error)
        fprintf(out, "Incomplete: %s\n", report->error);
}

void report_print_capacity(const struct report *report, FILE *out)
{
    const struct capacity *capacity = report->capacity;

    report_print_head(report, out);
    fprintf(out, "Streams of 60 frames per second, each frame 2 ms of work of the reference machine, under Burn\n\n");
    fprintf(out, "%9s  %9s\n", "streams", "on time %");
    for (int i = 0; i < capacity->trial_count; i++)
        if (capacity->trials[i].on_time >= 0)
            fprintf(out, "%9d  %9.2f\n", capacity->trials[i].streams, capacity->trials[i].on_time);
    if (capacity->fps >= 0)
        fprintf(out, "\nInteractive capacity: %s%.1f fps\n", capacity->is_limited ? "at least " : "", capacity->fps);
}
