/* Staleness as bars, in steps of 1, 2 and 5. */
#include <string.h>

#include "clock.h"
#include "figures.h"
#include "report.h"

#define STEPS_MAX 59
#define BAR_WIDTH 50

struct steps {
    int count;
    uint64_t edges[STEPS_MAX]; /* the least value that is above the step */
    uint64_t counts[STEPS_MAX];
};

/* 1, 2, 5, 10 ... nanoseconds, and whatever is above. */
static void lay_steps(struct steps *steps)
{
    static const int multiples[] = {1, 2, 5};
    uint64_t decade = 1;

    memset(steps, 0, sizeof *steps);
    while (steps->count < STEPS_MAX - 1) {
        steps->edges[steps->count] = decade * multiples[steps->count % 3];
        if (++steps->count % 3 == 0)
            decade *= 10;
    }
    steps->edges[steps->count++] = UINT64_MAX;
}

/* Buckets are so narrow that it matters little which step those on an edge are counted in. */
static void count_steps(struct steps *steps, const struct histogram *histogram)
{
    int i, step = 0;

    for (i = 0; i < HISTOGRAM_BUCKETS; i++) {
        while (step < steps->count - 1 && histogram_low(i) >= steps->edges[step])
            step++;
        steps->counts[step] += histogram->buckets[i];
    }
}

static uint64_t greatest_count(const struct steps *steps)
{
    uint64_t greatest = 0;
    int i;

    for (i = 0; i < steps->count; i++)
        if (steps->counts[i] > greatest)
            greatest = steps->counts[i];
    return greatest;
}

static void print_bar(uint64_t count, uint64_t greatest, FILE *out)
{
    int length = (int)((double)count / (double)greatest * BAR_WIDTH + 0.5);

    if (count > 0 && length == 0)
        length = 1;
    while (length-- > 0)
        putc('#', out);
}

static struct figure edge_figure(uint64_t edge)
{
    return figure_exact((double)edge / NS_PER_US, 3, "");
}

static void print_step(const struct steps *steps, int step, uint64_t total, FILE *out)
{
    uint64_t count = steps->counts[step];

    fprintf(out, "%10s to %10s us %10llu  %7s %%", edge_figure(step > 0 ? steps->edges[step - 1] : 0).text,
            edge_figure(steps->edges[step]).text, (unsigned long long)count,
            figure_percent((double)count / (double)total).text);
    if (count > 0)
        fputs("  ", out);
    print_bar(count, greatest_count(steps), out);
    putc('\n', out);
}

static void print_steps(const struct steps *steps, uint64_t total, FILE *out)
{
    int first = 0, last = steps->count - 1;

    while (steps->counts[first] == 0)
        first++;
    while (steps->counts[last] == 0)
        last--;
    for (; first <= last; first++)
        print_step(steps, first, total, out);
}

static void print_row(const struct row *row, FILE *out)
{
    const struct tally *tally = &row->record->tally;
    const struct distribution *times = task_is_periodic(row->task) ? &tally->staleness : &tally->response;
    struct steps steps;

    fprintf(out, "\n%s of %s, load %s\n", task_is_periodic(row->task) ? "Staleness" : "Frame time",
            row->task->name, row->load->name);
    lay_steps(&steps);
    count_steps(&steps, &times->histogram);
    if (times->histogram.count > 0)
        print_steps(&steps, times->histogram.count, out);
    else
        fputs("  none\n", out);
}

void report_print_histograms(const struct report *report, FILE *out)
{
    int i;

    for (i = 0; i < report->row_count; i++)
        print_row(&report->rows[i], out);
}
