/* Alone it is measured for a third of a cell's time, at least 3 s but never longer than a cell. */
#include "alone.h"

#include "clock.h"
#include "events.h"
#include "running.h"

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

static enum outcome work_alone(struct running *running, double rates[LOAD_PARTS_MAX])
{
    const struct options *options = running->bench->options;
    struct progress from, to;
    enum outcome outcome = running_go(running);

    if (outcome == OUTCOME_DONE)
        outcome = running_wait(running, monotonic_ns() + options->warmup_ns);
    from = running_progress(running);
    if (outcome == OUTCOME_DONE)
        outcome = running_wait(running, from.moment_ns + duration_ns(options));
    to = running_progress(running);
    running_rates(&from, &to, rates);
    return outcome;
}

static enum outcome measure_alone(struct bench *bench, const struct load *load, double rates[LOAD_PARTS_MAX])
{
    struct running running;
    enum outcome outcome;

    do {
        events_was_stopped();
        outcome = running_begin(&running, bench, load);
        if (outcome == OUTCOME_DONE)
            outcome = work_alone(&running, rates);
        running_end(&running);
    } while (outcome_is_void(outcome));
    return outcome;
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
        const enum outcome outcome = measure_alone(bench, load, alone[place].rates);

        if (outcome != OUTCOME_DONE)
            return outcome;
        alone[place].is_known = 1;
    }
    for (int i = 0; i < parts; i++) {
        if (alone[place].rates[i] <= 0 || rates[i] < 0)
            return OUTCOME_DONE;
        sum += rates[i] / alone[place].rates[i];
    }
    *part = sum / parts;
    return OUTCOME_DONE;
}
