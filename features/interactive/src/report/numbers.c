/* Computes the numbers that follow from the results, and formats numbers as text. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define STEAL_MOST 0.01
#define OTHER_MOST 0.05

#define LEAST_SHOWN 0.001
#define MOST_SHOWN  1e18

static int is_known(double value)
{
    return isfinite(value) && value >= 0;
}

static struct figure figure_text(const char *text)
{
    struct figure figure;

    snprintf(figure.text, sizeof figure.text, "%s", text);
    return figure;
}

struct figure figure_digits(double value)
{
    struct figure figure;

    if (!is_known(value) || value >= MOST_SHOWN)
        return figure_text(NOT_KNOWN);
    if (value == 0)
        return figure_text("0");
    if (value < LEAST_SHOWN)
        return figure_text("<0.001");
    snprintf(figure.text, sizeof figure.text, "%.2e", value);
    value = strtod(figure.text, NULL);

    const int exponent = atoi(strchr(figure.text, 'e') + 1), decimals = exponent < 2 ? 2 - exponent : 0;

    snprintf(figure.text, sizeof figure.text, "%.*f", decimals, value);
    return figure;
}

struct figure figure_us(double ns)
{
    return figure_digits(ns / NS_PER_US);
}

struct figure figure_percent(double part)
{
    if (part == 1)
        return figure_text("100");
    if (part < 1 && part >= 0.9995)
        return figure_text("99.9");
    return figure_digits(100 * part);
}

struct figure figure_legacy(double value, int width)
{
    struct figure figure;

    if (!isfinite(value) || value < 0)
        snprintf(figure.text, sizeof figure.text, "%*s", width, "-");
    else
        snprintf(figure.text, sizeof figure.text, value >= 100 ? "%*.0f" : "%*.3g", width, value);
    return figure;
}

double part_of(double part, double whole)
{
    return whole > 0 ? part / whole : -1;
}

void record_merge(struct record *into, const struct record *from)
{
    tally_merge(&into->tally, &from->tally);
    into->elapsed_ns += from->elapsed_ns;
}

int row_is_noisy(const struct row *row)
{
    return row->disturbance.steal > STEAL_MOST || row->disturbance.other_work > OTHER_MOST;
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

static int counts_as_response(const struct row *row)
{
    return strcmp(row->task->name, "Probe") == 0 && strcmp(row->load->name, "None") != 0;
}

static int64_t staleness_count(const struct row *row)
{
    return row->record->tally.staleness.moments.count;
}

/* Returns the row of Probe under a load that has the fewest values, or NULL. */
static const struct row *least_response(const struct report *report)
{
    const struct row *fewest = NULL;

    for (int i = 0; i < report->row_count; i++) {
        const struct row *row = &report->rows[i];

        if (counts_as_response(row) && (!fewest || staleness_count(row) < staleness_count(fewest)))
            fewest = row;
    }
    return fewest;
}

/*
 * A frame has a value only if it, or a later frame, was executed.  So if the machine is busy at the end of the
 * measurement, the last frames have none.
 */
void report_explain_no_responsiveness(const struct report *report, char why[REPORT_WHY_MAX])
{
    const struct row *row = least_response(report);

    if (!row) {
        snprintf(why, REPORT_WHY_MAX, "the score needs Probe under a load; use -w with a load other than None");
        return;
    }

    const long long frames = row->record->tally.frames, values = staleness_count(row);
    const char *load = row->load->name;

    if (frames < DISTRIBUTION_P99_LEAST)
        snprintf(why, REPORT_WHY_MAX, "Probe had %lld frames under %s, and its 99th percentile needs %d: %g s are too "
                 "short; use -t 1.5, or in Run a larger UB_TIME_FACTOR", frames, load, DISTRIBUTION_P99_LEAST,
                 (double)report->options->duration_ns / NS_PER_S);
    else
        snprintf(why, REPORT_WHY_MAX, "Probe had %lld values under %s, and its 99th percentile needs %d: the machine "
                 "was too busy to execute the last %lld of %lld frames; stop other programs, or use a longer -t",
                 values, load, DISTRIBUTION_P99_LEAST, frames - values, frames);
}

double report_responsiveness(const struct report *report)
{
    double logarithms = 0;
    int count = 0;

    for (int i = 0; i < report->row_count; i++) {
        if (!counts_as_response(&report->rows[i]))
            continue;

        const int64_t p99_ns = distribution_percentile(&report->rows[i].record->tally.staleness, 990);

        if (p99_ns <= 0)
            return UNKNOWN;
        logarithms += log((double)NS_PER_S / (double)p99_ns);
        count++;
    }
    return count ? exp(logarithms / count) : UNKNOWN;
}
