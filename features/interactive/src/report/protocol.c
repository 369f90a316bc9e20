/* Prints the results as lines for Run. */
#include "report/report.h"

#include "clock.h"

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
    for (int i = 0; i < report->row_count; i++)
        print_row(&report->rows[i], out);
}
