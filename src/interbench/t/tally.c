/*
 * Tallies of simulated streams:
 *
 *   tally merge                prints the tallies of two streams, and what merging makes of them
 *   tally room ROOM            prints how many frames a list with that room takes, and the number of the last one
 *   tally check SEED COUNT     runs random schedules with phase and spread, prints the number of errors that the list
 *                              of frames shows
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "random.h"

#define FRAMES 300
#define FIRST  20
#define ZERO   77777

struct machine {
    uint64_t seed, place;
    int64_t now;
    int one_in; /* one of that many sleeps and works takes longer; 0: none */
};

static uint64_t drawn(struct machine *machine, uint64_t below)
{
    return random_below(below, machine->seed, machine->place++);
}

static int64_t delay(struct machine *machine)
{
    if (machine->one_in == 0 || drawn(machine, (uint64_t)machine->one_in) > 0)
        return 0;
    return (int64_t)drawn(machine, drawn(machine, 8000) + 1);
}

static int64_t now_ns(void *self)
{
    return ((struct machine *)self)->now;
}

static void sleep_until(void *self, int64_t moment_ns)
{
    struct machine *machine = self;

    if (machine->now < moment_ns)
        machine->now = moment_ns;
    machine->now += delay(machine);
}

static void burn(void *self, int64_t demand_ns)
{
    struct machine *machine = self;

    machine->now += demand_ns + delay(machine);
}

static void play(struct machine machine, const struct schedule *schedule, enum policy policy, struct frame_list *list,
                 struct tally *tally)
{
    const struct frame_run run = {
        .schedule = schedule, .policy = policy, .zero_ns = ZERO, .first = FIRST, .end = FRAMES,
        .clock = {now_ns, sleep_until, &machine}, .work = {burn, &machine}, .list = list,
    };

    frames_run(&run, tally);
}

static void print_tally(const char *name, const struct tally *tally)
{
    printf("%s frames %lld on_time %lld late %lld dropped %lld censored %lld censored_max %lld demand %lld done %lld"
           " stalest %lld wakes %lld responses %lld stales %lld sum %.0f\n",
           name, (long long)tally->frames, (long long)tally->on_time, (long long)tally->late,
           (long long)tally->dropped, (long long)tally->censored, (long long)tally->censored_max_ns,
           (long long)tally->demand_ns, (long long)tally->done_ns, (long long)tally_max_staleness_ns(tally),
           (long long)tally->wake.moments.count, (long long)tally->response.moments.count,
           (long long)tally->staleness.moments.count,
           tally->staleness.moments.mean * (double)tally->staleness.moments.count);
}

/* Prints tallies, merged and not.  The frames of the second stream take three periods, so its last frame is dropped. */
static void print_merged(void)
{
    static struct tally one, other, both, from_nothing, with_nothing, nothing, counted = {.is_counting_only = 1};
    struct schedule schedule = {.period_num_ns = 1000, .period_den = 1, .demand_ns = 400};
    struct schedule slow = {.period_num_ns = 1000, .period_den = 1, .demand_ns = 2500};

    play((struct machine){0}, &schedule, POLICY_SKIP, NULL, &one);
    play((struct machine){0}, &slow, POLICY_SKIP, NULL, &other);
    play((struct machine){0}, &slow, POLICY_SKIP, NULL, &counted);
    both = one;
    tally_merge(&both, &other);
    with_nothing = one;
    tally_merge(&with_nothing, &nothing);
    tally_merge(&from_nothing, &one);
    print_tally("one", &one);
    print_tally("other", &other);
    print_tally("both", &both);
    print_tally("with_nothing", &with_nothing);
    print_tally("from_nothing", &from_nothing);
    print_tally("nothing", &nothing);
    print_tally("counted", &counted);
}

static void print_room(int64_t room)
{
    static struct frame frames[FRAMES];
    static struct tally tally;
    struct schedule schedule = {.period_num_ns = 1000, .period_den = 1, .demand_ns = 400};
    struct frame_list list = {frames, 0, room};

    play((struct machine){0}, &schedule, POLICY_SKIP, &list, &tally);
    printf("%lld %lld\n", (long long)list.count, list.count ? (long long)frames[list.count - 1].number : -1);
}

static int is_frame_wrong(const struct schedule *schedule, enum policy policy, const struct frame *frame, int64_t k)
{
    int64_t deadline = schedule_deadline_ns(schedule, k);

    if (frame->number != k || frame->release_ns != schedule_release_ns(schedule, k))
        return 1;
    if (frame->class == FRAME_DROPPED)
        return frame->start_ns != UNKNOWN || frame->end_ns != UNKNOWN;
    if (frame->start_ns < frame->release_ns || frame->start_ns >= deadline)
        return 1;
    if (policy == POLICY_SKIP && k > FIRST && frame[-1].class == FRAME_LATE)
        return 1;
    return frame->end_ns - frame->start_ns < schedule->demand_ns
           || (frame->class == FRAME_LATE) != (frame->end_ns > deadline);
}

static int are_unlike(const struct distribution *one, const struct distribution *other)
{
    return memcmp(&one->histogram, &other->histogram, sizeof one->histogram) != 0
           || one->moments.max != other->moments.max;
}

/* Returns whether the tally differs from one that is made from the list of frames, from its end. */
static int are_books_wrong(const struct tally *tally, const struct frame_list *list)
{
    static struct distribution wake, response, staleness;
    int64_t counts[3] = {0}, censored = 0, next_end = UNKNOWN;

    wake = response = staleness = (struct distribution){0};
    for (int64_t i = list->count - 1; i >= 0; i--) {
        const struct frame *frame = &list->frames[i];

        counts[frame->class]++;
        if (frame->class != FRAME_DROPPED) {
            next_end = frame->end_ns;
            distribution_add(&wake, frame->start_ns - frame->release_ns);
            distribution_add(&response, frame->end_ns - frame->release_ns);
        }
        censored += next_end == UNKNOWN;
        if (next_end != UNKNOWN)
            distribution_add(&staleness, next_end - frame->release_ns);
    }
    return counts[FRAME_ON_TIME] != tally->on_time || counts[FRAME_LATE] != tally->late
           || counts[FRAME_DROPPED] != tally->dropped || censored != tally->censored
           || are_unlike(&wake, &tally->wake) || are_unlike(&response, &tally->response)
           || are_unlike(&staleness, &tally->staleness);
}

static int check(uint64_t seed)
{
    static struct frame frames[1 + FRAMES];
    static struct tally tally;
    struct frame_list list = {frames + 1, 0, FRAMES};
    struct schedule schedule = {
        .period_num_ns = 3000, .period_den = 1 + (int64_t)(seed % 7), .seed = seed,
        .demand_ns = 1 + (int64_t)random_below(600, seed, 1), .phase_ns = (int64_t)random_below(3000, seed, 2),
        .spread_ns = (int64_t)random_below(400, seed, 3),
    };
    enum policy policy = seed % 2 ? POLICY_SKIP : POLICY_CATCH_UP;
    int wrong = 0;

    memset(&tally, 0, sizeof tally);
    play((struct machine){.seed = seed, .place = 4, .one_in = 3 + (int)(seed % 50)}, &schedule, policy, &list, &tally);
    for (int64_t i = 0; i < list.count; i++)
        wrong += is_frame_wrong(&schedule, policy, &list.frames[i], FIRST + i);
    return wrong + are_books_wrong(&tally, &list) + (list.count != FRAMES - FIRST);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int wrong = 0;

    if (strcmp(what, "merge") == 0) {
        print_merged();
    } else if (strcmp(what, "room") == 0 && argc == 3 && atoi(argv[2]) <= FRAMES) {
        print_room(atoi(argv[2]));
    } else if (strcmp(what, "check") == 0 && argc == 4) {
        for (int i = 0; i < atoi(argv[3]); i++)
            wrong += check(strtoull(argv[2], NULL, 10) + (uint64_t)i);
        printf("%d\n", wrong);
    } else {
        return 2;
    }
    return 0;
}
