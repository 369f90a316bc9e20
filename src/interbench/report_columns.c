/* The columns of the tables: of tasks with deadlines, and of Gaming. */
#include "report_columns.h"

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

/* A function for each percentile of each distribution. */
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
    return time((double)tally_stalest_ns(tally_of(row)));
}

static struct figure staleness_deviation(const struct row *row, time_figure *time)
{
    return time(moments_deviation(&tally_of(row)->staleness.moments));
}

static struct figure staleness_jitter(const struct row *row, time_figure *time)
{
    return time((double)row_jitter_ns(row));
}

static struct figure p99_least(const struct row *row, time_figure *time)
{
    return time((double)row->p99_least_ns);
}

static struct figure p99_most(const struct row *row, time_figure *time)
{
    return time((double)row->p99_most_ns);
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
#define REPEATS   "p99"

const struct column frame_columns[] = {
    {NULL, "", "Load", 0, 1, NEED_NONE, load_name},
    {NULL, "", "Task", 0, 1, NEED_MIX, task_name},
    {NULL, "", "frames", 0, 0, NEED_NONE, frames},
    {NULL, "on time", "%", 0, 0, NEED_NONE, on_time},
    {NULL, "late", "%", 0, 0, NEED_NONE, late},
    {NULL, "dropped", "%", 0, 0, NEED_NONE, dropped},
    {NULL, "work", "%", 0, 0, NEED_NONE, work},
    {"wake", "", "p50", 1, 0, NEED_NONE, wake_p50},
    {"wake", "", "p99", 1, 0, NEED_NONE, wake_p99},
    {STALENESS, "", "p50", 1, 0, NEED_NONE, staleness_p50},
    {STALENESS, "", "p95", 1, 0, NEED_NONE, staleness_p95},
    {STALENESS, "", "p99", 1, 0, NEED_NONE, staleness_p99},
    {STALENESS, "", "p99.9", 1, 0, NEED_NONE, staleness_p99_9},
    {STALENESS, "", "max", 1, 0, NEED_NONE, staleness_max},
    {STALENESS, "", "SD", 1, 0, NEED_NONE, staleness_deviation},
    {STALENESS, "", "jitter", 1, 0, NEED_ROOM, staleness_jitter},
    {NULL, "load", "%", 0, 0, NEED_NONE, throughput},
    {REPEATS, "", "least", 1, 0, NEED_REPEATS, p99_least},
    {REPEATS, "", "most", 1, 0, NEED_REPEATS, p99_most},
    {NULL, NULL, NULL, 0, 0, NEED_NONE, NULL},
};

const struct column job_columns[] = {
    {NULL, "", "Load", 0, 1, NEED_NONE, load_name},
    {NULL, "", "jobs", 0, 0, NEED_NONE, frames},
    {NULL, "jobs", "a second", 0, 0, NEED_NONE, jobs_per_s},
    {"frame time", "", "p50", 1, 0, NEED_NONE, job_p50},
    {"frame time", "", "p99", 1, 0, NEED_NONE, job_p99},
    {"frame time", "", "max", 1, 0, NEED_NONE, job_max},
    {NULL, "1 % low", "a second", 0, 0, NEED_NONE, slow_jobs_per_s},
    {NULL, "work", "%", 0, 0, NEED_NONE, work},
    {NULL, "load", "%", 0, 0, NEED_NONE, throughput},
    {NULL, NULL, NULL, 0, 0, NEED_NONE, NULL},
};
