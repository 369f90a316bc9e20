/* A load that can't be played, or a signal, ends the program; what it leaves on the disk is removed before. */
#include "trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

#include "clock.h"
#include "events.h"
#include "homes.h"
#include "leave.h"
#include "outputs.h"
#include "protocol.h"
#include "search.h"

#define ALONE_TRIALS   3
#define START_OF_CPU   8    /* users of the first trial, for each CPU */
#define CAPACITY_MOST  1024
#define S_OF_MINUTE    60

/* Plays a load with so many users; their files stay. */
static void play(const struct stage *stage, int users, struct load *load)
{
    const struct load_wish wish = {
        .users = users,
        .script = stage->script,
        .pace = stage->options->pace,
        .line_limit_ns = stage->options->line_limit_ns,
        .shell = stage->options->shell,
        .home = stage->home,
    };
    char why[WHY_MAX];
    const enum load_outcome outcome = load_play(&wish, stage->sources, load, why);

    if (outcome == LOAD_PLAYED)
        return;
    homes_remove(stage->home, load->users);
    leave(outcome == LOAD_FAILED ? why : NULL);
}

/* What users of loads before the last one did. */
struct earlier {
    int users, finished;
    struct incidents incidents;
};

static void play_before(const struct stage *stage, int users, struct earlier *earlier)
{
    struct load load;

    play(stage, users, &load);
    homes_remove(stage->home, users);
    protocol_trial(&load);
    earlier->users += users;
    earlier->finished += load.finished;
    incidents_add(&earlier->incidents, &load.incidents, users);
    load_end(&load);
}

void trials_play(const struct stage *stage)
{
    const struct options *options = stage->options;
    const int last = options->load_count - 1;
    struct earlier earlier = {.users = 0};
    struct load load;

    for (int i = 0; i < last; i++)
        play_before(stage, options->users[i], &earlier);
    play(stage, options->users[last], &load);
    events_finish();
    outputs_print(stage->home, load.users);
    homes_remove(stage->home, load.users);
    if (events_signal())
        leave(NULL);
    protocol_trial(&load);
    if (earlier.users > 0)
        protocol_before(earlier.users, earlier.finished);
    incidents_add(&earlier.incidents, &load.incidents, 0);
    protocol_load(&load, &earlier.incidents, stage->script);
    if (load.lines == 0)
        leave("no line was answered");
    protocol_score((double)load.lines * S_OF_MINUTE * NS_PER_S / (double)load.elapsed_ns, "lpm", load.elapsed_ns);
    load_end(&load);
}

/* A trial; one in which something went wrong tells nothing. */
static void try(const struct stage *stage, int users, struct load *load)
{
    const struct incident *first = &load->incidents.kept[0];
    char why[WHY_MAX], place[30] = "";

    play(stage, users, load);
    homes_remove(stage->home, users);
    if (load->incidents.count == 0)
        return;
    if (first->line)
        snprintf(place, sizeof place, ", line %d", first->line->number);
    snprintf(why, sizeof why, "user %d of %d%s: %s", first->user, users, place, first->what);
    load_end(load);
    leave(why);
}

/* In seconds. */
static double p95_s_of(const struct load *load)
{
    return responses_of(&load->responses, RESPONSES_ALL).p95_s;
}

static int is_greater(const void *one, const void *other)
{
    const double a = p95_s_of(one), b = p95_s_of(other);

    return (a > b) - (a < b);
}

/* Of several trials of a single user the one with the median p95 counts. */
static double p95_s_alone(const struct stage *stage)
{
    struct load loads[ALONE_TRIALS];
    double p95_s;

    for (int i = 0; i < ALONE_TRIALS; i++)
        try(stage, 1, &loads[i]);
    qsort(loads, ALONE_TRIALS, sizeof *loads, is_greater);
    protocol_trial(&loads[ALONE_TRIALS / 2]);
    p95_s = p95_s_of(&loads[ALONE_TRIALS / 2]);
    for (int i = 0; i < ALONE_TRIALS; i++)
        load_end(&loads[i]);
    return p95_s;
}

static double p95_s_with(const struct stage *stage, int users)
{
    struct load load;
    double p95_s;

    try(stage, users, &load);
    protocol_trial(&load);
    p95_s = p95_s_of(&load);
    load_end(&load);
    return p95_s;
}

static int usable_cpus(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    return count > 0 ? (int)count : 1;
}

void trials_search(const struct stage *stage)
{
    const double limit = stage->options->limit;
    const int64_t begin_ns = monotonic_ns();
    const double alone_p95_s = p95_s_alone(stage);
    struct search search;
    int users;

    search_begin(&search, START_OF_CPU * usable_cpus(), CAPACITY_MOST, alone_p95_s, limit);
    while ((users = search_next(&search)) > 0)
        search_note(&search, users, p95_s_with(stage, users));
    protocol_capacity(search_users(&search), alone_p95_s, limit, search_is_least(&search));
    protocol_score(search_value(&search), "users", monotonic_ns() - begin_ns);
}
