/* All numbers of a row. */
#include "report_values.h"

#include "clock.h"
#include "figures.h"

/* A function that gives an expression, which may use options, row, record and tally. */
#define VALUE(name, expression)                                                  \
    static double name(const struct options *options, const struct row *row)     \
    {                                                                            \
        const struct record *record = row->record;                               \
        const struct tally *tally = &record->tally;                              \
                                                                                 \
        (void)options, (void)tally;                                              \
        return expression;                                                       \
    }

/* Of frames or of jobs: of the other kind of task nothing is known. */
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
VALUE(staleness_max, of_frames(row, us_of((double)tally_stalest_ns(tally))))
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
VALUE(other, percent(row->disturbance.other))
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
