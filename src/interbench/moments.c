/* Mean, standard deviation and extremes, in one pass. */
#include "moments.h"

#include <math.h>

#include "extremes.h"

/* Of numbers that differ little the first difference is exact, and the rest is not lost in it. */
static double deviation_of(const struct moments *moments, double value)
{
    return (value - moments->mean) - moments->rest;
}

/* Kahan's sum. */
static void move_mean(struct moments *moments, double step)
{
    double exact_step = step + moments->rest;
    double moved = moments->mean + exact_step;

    moments->rest = exact_step - (moved - moments->mean);
    moments->mean = moved;
}

void moments_add(struct moments *moments, int64_t value)
{
    double deviation = deviation_of(moments, (double)value);

    moments->min = moments->count > 0 ? least(moments->min, value) : value;
    moments->max = moments->count > 0 ? greatest(moments->max, value) : value;
    moments->count++;
    move_mean(moments, deviation / (double)moments->count);
    moments->squares += deviation * deviation_of(moments, (double)value);
}

void moments_merge(struct moments *into, const struct moments *from)
{
    double deviation = deviation_of(into, from->mean) + from->rest;
    double share;

    if (from->count == 0)
        return;
    if (into->count == 0) {
        *into = *from;
        return;
    }
    share = (double)from->count / (double)(into->count + from->count);
    into->squares += from->squares + deviation * deviation * share * (double)into->count;
    move_mean(into, deviation * share);
    into->min = least(into->min, from->min);
    into->max = greatest(into->max, from->max);
    into->count += from->count;
}

double moments_deviation(const struct moments *moments)
{
    if (moments->count < 2)
        return -1;
    return sqrt(moments->squares / (double)(moments->count - 1));
}
