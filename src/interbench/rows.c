/* What follows from the numbers of a row, and of all rows. */
#include <math.h>
#include <string.h>

#include "clock.h"
#include "figures.h"
#include "report.h"

#define STEAL_MOST 0.01
#define OTHER_MOST 0.05

int row_is_noisy(const struct row *row)
{
    return row->disturbance.steal > STEAL_MOST || row->disturbance.other > OTHER_MOST;
}

double row_work(const struct row *row)
{
    const struct tally *tally = &row->record->tally;

    if (task_is_periodic(row->task))
        return part_of((double)tally->done_ns, (double)tally->demand_ns);
    if (tally->wake.moments.count == 0)
        return UNKNOWN;
    return part_of((double)row->task->demand_ns, (double)row->task->demand_ns + tally->wake.moments.mean);
}

double row_speed(const struct options *options, const struct row *row)
{
    if (options->is_fixed || options->is_cpu_time || row->record->tally.done_ns <= 0)
        return UNKNOWN;
    return part_of((double)row->record->tally.done_ns, (double)row->record->cpu_ns);
}

double row_jobs_per_s(const struct row *row)
{
    if (task_is_periodic(row->task))
        return UNKNOWN;
    return part_of((double)row->record->tally.frames * NS_PER_S, (double)row->record->elapsed_ns);
}

double row_slow_jobs_per_s(const struct row *row)
{
    if (task_is_periodic(row->task))
        return UNKNOWN;
    return part_of(NS_PER_S, (double)distribution_percentile(&row->record->tally.response, 990));
}

int64_t row_jitter_ns(const struct row *row)
{
    const struct distribution *staleness = &row->record->tally.staleness;
    int64_t p50 = distribution_percentile(staleness, 500), p99 = distribution_percentile(staleness, 990);

    return p50 == UNKNOWN || p99 == UNKNOWN ? UNKNOWN : p99 - p50;
}

static int counts_as_response(const struct row *row)
{
    return strcmp(row->task->name, "Probe") == 0 && strcmp(row->load->name, "None") != 0;
}

const struct row *report_least_response(const struct report *report)
{
    const struct row *least = NULL;

    for (int i = 0; i < report->row_count; i++) {
        const struct row *row = &report->rows[i];

        if (counts_as_response(row)
            && (!least || row->record->tally.staleness.moments.count < least->record->tally.staleness.moments.count))
            least = row;
    }
    return least;
}

double report_responsiveness(const struct report *report)
{
    double logarithms = 0;
    int64_t p99_ns;
    int i, count = 0;

    for (i = 0; i < report->row_count; i++) {
        if (!counts_as_response(&report->rows[i]))
            continue;
        p99_ns = distribution_percentile(&report->rows[i].record->tally.staleness, 990);
        if (p99_ns <= 0)
            return UNKNOWN;
        logarithms += log((double)NS_PER_S / (double)p99_ns);
        count++;
    }
    return count ? exp(logarithms / count) : UNKNOWN;
}
