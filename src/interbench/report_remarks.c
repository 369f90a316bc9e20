/* Remarks below a table: why rows are noisy, CPUs that got slower, the waker's part. */
#include "report_remarks.h"

#include <math.h>

#include "clock.h"

#define SPEED_CHANGED   0.03
#define WORTH_ITS_CLOCK NS_PER_MS /* shorter frames spend too much of their time with reading clocks */

static void print_name(const struct grid *grid, const struct row *row, FILE *out)
{
    fprintf(out, "  %s", row->load->name);
    if (grid->is_mix)
        fprintf(out, ", %s", row->task->name);
}

/* In the mix, all rows of a load are of one cell. */
static int is_said(const struct grid *grid, int index)
{
    if (index == 0 || !grid->is_mix)
        return 0;
    return grid->rows[index - 1]->load == grid->rows[index]->load;
}

static void print_noise(const struct grid *grid, int index, FILE *out)
{
    const struct row *row = grid->rows[index];

    if (row_is_noisy(row) && !is_said(grid, index))
        fprintf(out, "  * %s is noisy: steal %s %%, other work %s %% of the CPU time\n", row->load->name,
                figure_percent(row->disturbance.steal).text, figure_percent(row->disturbance.other).text);
}

static void print_speed(const struct options *options, const struct grid *grid, const struct row *row, FILE *out)
{
    const struct tally *tally = &row->record->tally;
    double speed = row_speed(options, row);
    int64_t executed = tally->frames - tally->dropped;

    if (speed < 0 || fabs(speed - 1) <= SPEED_CHANGED || executed < 1 || tally->done_ns / executed < WORTH_ITS_CLOCK)
        return;
    print_name(grid, row, out);
    fprintf(out, ": speed %.2f of that at calibration\n", speed);
}

static void print_waker(const struct grid *grid, const struct row *row, FILE *out)
{
    const struct distribution *timer = &row->record->timer_lateness, *hand_off = &row->record->hand_off;

    if (timer->moments.count == 0 && hand_off->moments.count == 0)
        return;
    print_name(grid, row, out);
    fprintf(out, ": timer late by p50 %s, p99 %s us, hand-off p50 %s, p99 %s us\n",
            figure_us((double)distribution_percentile(timer, 500)).text,
            figure_us((double)distribution_percentile(timer, 990)).text,
            figure_us((double)distribution_percentile(hand_off, 500)).text,
            figure_us((double)distribution_percentile(hand_off, 990)).text);
}

void print_remarks(const struct options *options, const struct grid *grid, FILE *out)
{
    int i;

    for (i = 0; i < grid->row_count; i++)
        print_noise(grid, i, out);
    for (i = 0; i < grid->row_count; i++)
        print_speed(options, grid, grid->rows[i], out);
    for (i = 0; i < grid->row_count; i++)
        print_waker(grid, grid->rows[i], out);
}
