/* Alone it is measured for a third of a cell's time, at least 3 s but never longer than a cell. */
#include "alone.h"

#include "cell.h"
#include "clock.h"

#define LEAST_NS (3 * NS_PER_S)

static struct {
    int is_known;
    double rates[LOAD_PARTS_MAX];
} alone[LOADS_MAX];

static int place_of(const struct load *load)
{
    int place = 0;

    while (loads_at(place) != load)
        place++;
    return place;
}

static int64_t duration_ns(const struct options *options)
{
    const int64_t third_ns = options->duration_ns / 3;
    const int64_t wanted_ns = third_ns > LEAST_NS ? third_ns : LEAST_NS;

    return wanted_ns < options->duration_ns ? wanted_ns : options->duration_ns;
}

enum outcome alone_part(struct bench *bench, const struct load *load, const double rates[LOAD_PARTS_MAX],
                        double *part)
{
    const int place = place_of(load), parts = load_parts(load);
    double sum = 0;

    *part = UNKNOWN;
    if (parts == 0)
        return OUTCOME_DONE;
    if (!alone[place].is_known) {
        const enum outcome outcome = cell_load_alone(bench, load, duration_ns(bench->options), alone[place].rates);

        if (outcome != OUTCOME_DONE)
            return outcome;
        alone[place].is_known = 1;
    }
    for (int i = 0; i < parts; i++) {
        if (alone[place].rates[i] <= 0)
            return OUTCOME_DONE;
        sum += rates[i] / alone[place].rates[i];
    }
    *part = sum / parts;
    return OUTCOME_DONE;
}
