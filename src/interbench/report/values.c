/* Prints results for programs: the numbers of rows as CSV and as lines for Run, frames as CSV. */
#include "report/report.h"

#include <inttypes.h>

#include "clock.h"

/* Defines a function that returns an expression of options, row, record and tally. */
#define VALUE(name, expression)                                                  \
    static double name(const struct options *options, const struct row *row)     \
    {                                                                            \
        const struct record *record = row->record;                               \
        const struct tally *tally = &record->tally;                              \
                                                                                 \
        (void)options, (void)tally;                                              \
        return expression;                                                       \
    }

/* Defines three values of a distribution.  Those of frames are unknown for Gaming, those of jobs for other tasks. */
#define THREE_VALUES(name, distribution, is_had)                                 \
    VALUE(name##_p50, is_had(row) ? us_at(&distribution, 500) : UNKNOWN)         \
    VALUE(name##_p99, is_had(row) ? us_at(&distribution, 990) : UNKNOWN)         \
    VALUE(name##_max, is_had(row) ? us_max(&distribution) : UNKNOWN)

static double us_of(double ns)
{
    return ns < 0 ? UNKNOWN : ns / NS_PER_US;
}

static double us_at(const struct distribution *distribution, int per_mille)
{
    return us_of((double)distribution_percentile(distribution, per_mille));
}

static double us_max(const struct distribution *distribution)
{
    return distribution->moments.count ? us_of((double)distribution->moments.max) : UNKNOWN;
}

static double percent(double part)
{
    return part < 0 ? UNKNOWN : 100 * part;
}

static double us_mean(const struct distribution *distribution)
{
    return distribution->moments.count ? us_of(distribution->moments.mean) : UNKNOWN;
}

static int has_frames(const struct row *row)
{
    return task_is_periodic(row->task);
}

static int has_jobs(const struct row *row)
{
    return !task_is_periodic(row->task);
}

static double of_frames(const struct row *row, double value)
{
    return has_frames(row) ? value : UNKNOWN;
}

static double of_jobs(const struct row *row, double value)
{
    return has_jobs(row) ? value : UNKNOWN;
}

static double percent_of_frames(const struct row *row, int64_t count)
{
    return of_frames(row, percent(part_of((double)count, (double)row->record->tally.frames)));
}

VALUE(streams, row->streams)
VALUE(repeats, row->repeats)
VALUE(frames, (double)tally->frames)
VALUE(on_time, of_frames(row, (double)tally->on_time))
VALUE(late, of_frames(row, (double)tally->late))
VALUE(dropped, of_frames(row, (double)tally->dropped))
VALUE(censored, of_frames(row, (double)tally->censored))
VALUE(on_time_percent, percent_of_frames(row, (double)tally->on_time))
VALUE(late_percent, percent_of_frames(row, (double)tally->late))
VALUE(dropped_percent, percent_of_frames(row, (double)tally->dropped))
VALUE(work_percent, percent(row_work(row)))
VALUE(speed, row_speed(options, row))
THREE_VALUES(wake, tally->wake, has_frames)
THREE_VALUES(response, tally->response, has_frames)
VALUE(staleness_p50, us_at(&tally->staleness, 500))
VALUE(staleness_p95, us_at(&tally->staleness, 950))
VALUE(staleness_p99, us_at(&tally->staleness, 990))
VALUE(staleness_p99_9, us_at(&tally->staleness, 999))
VALUE(staleness_max, of_frames(row, us_of((double)tally_max_staleness_ns(tally))))
VALUE(staleness_mean, us_mean(&tally->staleness))
VALUE(staleness_sd, us_of(moments_deviation(&tally->staleness.moments)))
VALUE(staleness_jitter, us_of((double)row_jitter_ns(row)))
VALUE(p99_least, us_of((double)row->p99_least_ns))
VALUE(p99_most, us_of((double)row->p99_most_ns))
THREE_VALUES(frame_time, tally->response, has_jobs)
VALUE(frame_time_mean, of_jobs(row, us_mean(&tally->response)))
VALUE(frame_time_sd, of_jobs(row, us_of(moments_deviation(&tally->response.moments))))
VALUE(jobs_per_s, row_jobs_per_s(row))
VALUE(slow_jobs_per_s, row_slow_jobs_per_s(row))
VALUE(throughput, percent(row->throughput))
VALUE(cpu_ms, (double)record->cpu_ns / NS_PER_MS)
VALUE(run_delay_ms, record->run_delay_ns < 0 ? UNKNOWN : (double)record->run_delay_ns / NS_PER_MS)
VALUE(voluntary, (double)record->voluntary_switches)
VALUE(involuntary, (double)record->involuntary_switches)
VALUE(migrations, (double)record->migrations)
THREE_VALUES(timer, record->timer_lateness, has_frames)
THREE_VALUES(hand_off, record->hand_off, has_frames)
VALUE(steal, percent(row->disturbance.steal))
VALUE(other, percent(row->disturbance.other_work))
VALUE(cpu_pressure, percent(row->disturbance.cpu_pressure))
VALUE(io_pressure, percent(row->disturbance.io_pressure))
VALUE(memory_pressure, percent(row->disturbance.memory_pressure))

#define THREE_ENTRIES(group, prefix)                                             \
    {group, "p50", "us", 3, prefix##_p50}, {group, "p99", "us", 3, prefix##_p99}, \
    {group, "max", "us", 3, prefix##_max}

const struct value row_values[] = {
    {NULL, "streams", NULL, 0, streams},
    {NULL, "repeats", NULL, 0, repeats},
    {NULL, "frames", NULL, 0, frames},
    {NULL, "on_time", NULL, 0, on_time},
    {NULL, "late", NULL, 0, late},
    {NULL, "dropped", NULL, 0, dropped},
    {NULL, "censored", NULL, 0, censored},
    {NULL, "on_time", "percent", 4, on_time_percent},
    {NULL, "late", "percent", 4, late_percent},
    {NULL, "dropped", "percent", 4, dropped_percent},
    {NULL, "work", "percent", 4, work_percent},
    {NULL, "speed", NULL, 4, speed},
    THREE_ENTRIES("wake", wake),
    THREE_ENTRIES("response", response),
    {"staleness", "p50", "us", 3, staleness_p50},
    {"staleness", "p95", "us", 3, staleness_p95},
    {"staleness", "p99", "us", 3, staleness_p99},
    {"staleness", "p99_9", "us", 3, staleness_p99_9},
    {"staleness", "max", "us", 3, staleness_max},
    {"staleness", "mean", "us", 3, staleness_mean},
    {"staleness", "sd", "us", 3, staleness_sd},
    {"staleness", "jitter", "us", 3, staleness_jitter},
    {"p99", "least", "us", 3, p99_least},
    {"p99", "most", "us", 3, p99_most},
    {NULL, "jobs_per_s", NULL, 4, jobs_per_s},
    {NULL, "slow_jobs_per_s", NULL, 4, slow_jobs_per_s},
    THREE_ENTRIES("frame_time", frame_time),
    {"frame_time", "mean", "us", 3, frame_time_mean},
    {"frame_time", "sd", "us", 3, frame_time_sd},
    {NULL, "throughput", "percent", 4, throughput},
    {NULL, "cpu", "ms", 3, cpu_ms},
    {NULL, "run_delay", "ms", 3, run_delay_ms},
    {"switches", "voluntary", NULL, 0, voluntary},
    {"switches", "involuntary", NULL, 0, involuntary},
    {NULL, "migrations", NULL, 0, migrations},
    THREE_ENTRIES("timer_lateness", timer),
    THREE_ENTRIES("hand_off", hand_off),
    {NULL, "steal", "percent", 4, steal},
    {NULL, "other", "percent", 4, other},
    {"pressure", "cpu", "percent", 4, cpu_pressure},
    {"pressure", "io", "percent", 4, io_pressure},
    {"pressure", "memory", "percent", 4, memory_pressure},
    {NULL, NULL, NULL, 0, NULL},
};

static void print_heading(FILE *out)
{
    fputs("task,load", out);
    for (const struct value *value = row_values; value->name; value++)
        fprintf(out, ",%s%s%s%s%s", value->group ? value->group : "", value->group ? "_" : "", value->name,
                value->unit ? "_" : "", value->unit ? value->unit : "");
    fputs(",noisy\n", out);
}

static void print_csv_row(const struct options *options, const struct row *row, FILE *out)
{
    fprintf(out, "%s,%s", row->task->name, row->load->name);
    for (const struct value *value = row_values; value->name; value++)
        fprintf(out, ",%s", figure_exact(value->of(options, row), value->decimals, "").text);
    fprintf(out, ",%d\n", row_is_noisy(row));
}

void report_print_csv(const struct report *report, FILE *out)
{
    print_heading(out);
    for (int i = 0; i < report->row_count; i++)
        print_csv_row(report->options, &report->rows[i], out);
}

static const char *const classes[] = {
    [FRAME_ON_TIME] = "on time",
    [FRAME_LATE] = "late",
    [FRAME_DROPPED] = "dropped",
};

void raw_file_begin(struct raw_file *raw, FILE *out)
{
    *raw = (struct raw_file){.out = out, .repeat = 1};
    fputs("repeat,load,task,stream,frame,class,release_ns,start_ns,end_ns\n", out);
}

static void print_frame(const struct raw_file *raw, const struct load *load, const struct task *task, int stream,
                        const struct frame *frame)
{
    fprintf(raw->out, "%d,%s,%s,%d,%" PRId64 ",%s,%" PRId64 ",", raw->repeat, load->name, task->name,
            stream + 1, frame->number, classes[frame->class], frame->release_ns);
    if (frame->class == FRAME_DROPPED)
        fputs(",\n", raw->out);
    else
        fprintf(raw->out, "%" PRId64 ",%" PRId64 "\n", frame->start_ns, frame->end_ns);
}

void raw_file_add(struct raw_file *raw, const struct load *load, const struct task *task, int stream,
                  const struct frame_list *list)
{
    for (int64_t k = 0; k < list->count; k++)
        print_frame(raw, load, task, stream, &list->frames[k]);
}

#define DECIMALS  3
#define NO_FIGURE "-"

static void print_number(double value, FILE *out)
{
    if (value < 0)
        fputs("|" NO_FIGURE, out);
    else
        fprintf(out, "|%.*f", DECIMALS, value);
}

static void print_percentile(const struct distribution *distribution, int per_mille, FILE *out)
{
    print_number((double)distribution_percentile(distribution, per_mille) / NS_PER_US, out);
}

static void print_counts(const struct tally *tally, int has_deadlines, FILE *out)
{
    fprintf(out, "|%lld", (long long)tally->frames);
    if (has_deadlines)
        fprintf(out, "|%lld|%lld|%lld", (long long)tally->on_time, (long long)tally->late, (long long)tally->dropped);
    else
        fputs("|" NO_FIGURE "|" NO_FIGURE "|" NO_FIGURE, out);
}

/* Prints the wake latencies; none for Gaming, whose wake is the excess over the demand. */
static void print_wakes(const struct tally *tally, int has_deadlines, FILE *out)
{
    if (has_deadlines) {
        print_percentile(&tally->wake, 500, out);
        print_percentile(&tally->wake, 990, out);
    } else {
        fputs("|" NO_FIGURE "|" NO_FIGURE, out);
    }
}

static void print_staleness(const struct tally *tally, int has_deadlines, FILE *out)
{
    print_percentile(&tally->staleness, 500, out);
    print_percentile(&tally->staleness, 950, out);
    print_percentile(&tally->staleness, 990, out);
    print_percentile(&tally->staleness, 999, out);
    print_number(has_deadlines ? (double)tally_max_staleness_ns(tally) / NS_PER_US : UNKNOWN, out);
    print_number(moments_deviation(&tally->staleness.moments) / NS_PER_US, out);
}

static void print_row(const struct row *row, FILE *out)
{
    const struct tally *tally = &row->record->tally;
    const int has_deadlines = task_is_periodic(row->task);

    fprintf(out, "cell.%s.%s", row->load->name, row->task->name);
    print_counts(tally, has_deadlines, out);
    print_number(100 * row_work(row), out);
    print_wakes(tally, has_deadlines, out);
    print_staleness(tally, has_deadlines, out);
    print_number(100 * row->throughput, out);
    fprintf(out, "|%d\n", row_is_noisy(row));
}

void report_print_protocol(const struct report *report, FILE *out)
{
    for (int i = 0; i < report->fact_count; i++)
        fprintf(out, "machine.%s|%s\n", report->facts[i].name, report->facts[i].value);
    for (int i = 0; i < report->row_count; i++)
        print_row(&report->rows[i], out);
}
