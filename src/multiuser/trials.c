/* A load that can't be played, or a signal, ends the program; what it leaves on the disk is removed before. */
#include "trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

#include "clock.h"
#include "homes.h"
#include "leave.h"
#include "outputs.h"
#include "protocol.h"
#include "search.h"

#define ALONE_TRIALS   3
#define START_OF_CPU   8    /* users of the first trial, for each CPU */
#define CAPACITY_MOST  1024

struct stage {
    const struct options *options;
    const struct script *script;
    struct meters_sources *sources;
    const char *home;
};

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
    homes_remove(stage->home, users);
    leave(outcome == LOAD_FAILED ? why : NULL);
}

void trials_play(const struct options *options, const struct script *script, struct meters_sources *sources,
                 const char *home)
{
    const struct stage stage = {options, script, sources, home};
    const int last = options->load_count - 1;
    struct load load;

    for (int i = 0; i <= last; i++) {
        play(&stage, options->users[i], &load);
        if (i == last)
            outputs_print(home, load.users);
        homes_remove(home, load.users);
        protocol_trial(&load);
        if (i < last)
            load_end(&load);
    }
    protocol_load(&load, script);
    if (load.lines == 0)
        leave("no line was answered");
    protocol_score((double)load.lines, 60, "lpm", load.elapsed_ns);
    load_end(&load);
}

/* The p95 of a trial, in seconds; one in which something went wrong tells nothing. */
static double p95_s_with(const struct stage *stage, int users)
{
    struct load load;
    double p95_s;
    char why[WHY_MAX];

    play(stage, users, &load);
    homes_remove(stage->home, users);
    protocol_trial(&load);
    p95_s = responses_of(&load.responses, RESPONSES_ALL).p95_s;
    if (load.incidents.count > 0) {
        const struct incident *first = &load.incidents.kept[0];

        snprintf(why, sizeof why, "user %d of %d, line %d: %s", first->user, users,
                 first->line ? first->line->number : 0, first->what);
        load_end(&load);
        leave(why);
    }
    load_end(&load);
    return p95_s;
}

static int is_greater(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

static double p95_s_alone(const struct stage *stage)
{
    double p95_s[ALONE_TRIALS];

    for (int i = 0; i < ALONE_TRIALS; i++)
        p95_s[i] = p95_s_with(stage, 1);
    qsort(p95_s, ALONE_TRIALS, sizeof *p95_s, is_greater);
    return p95_s[ALONE_TRIALS / 2];
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

void trials_search(const struct options *options, const struct script *script, struct meters_sources *sources,
                   const char *home)
{
    const struct stage stage = {options, script, sources, home};
    const int64_t begin_ns = monotonic_ns();
    const double alone_p95_s = p95_s_alone(&stage);
    struct search search;
    int users;

    search_begin(&search, START_OF_CPU * usable_cpus(), CAPACITY_MOST, alone_p95_s, options->limit);
    while ((users = search_next(&search)) > 0)
        search_note(&search, users, p95_s_with(&stage, users));
    protocol_capacity(search_users(&search), alone_p95_s, options->limit, search_is_least(&search));
    protocol_score(search_value(&search), 0, "users", monotonic_ns() - begin_ns);
}
