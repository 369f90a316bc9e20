/*
 * Schedules and random numbers:
 *
 *   schedule release NUM DEN SPREAD PHASE SEED FRAME...  prints release and deadline of each frame
 *   schedule first NUM DEN SPREAD PHASE SEED MOMENT...   prints the first frame at or after each moment
 *   schedule demand NUM DEN SHARE...                     prints the demand of each frame, given the shares
 *   schedule check SEED COUNT                            tries random schedules, prints the number of errors
 *   schedule random SEED PLACE...                        prints the random number at each place
 *   schedule scaled BELOW SEED PLACE...                  prints the random number below BELOW at each place
 *   schedule below BELOW SEED COUNT                      prints how often each number below BELOW occurs
 *   schedule order SEED COUNT                            prints a random order
 */
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "random.h"

#define ORDER_MAX 1000

static struct schedule schedule_of(char **words)
{
    return (struct schedule){
        .period_num_ns = atoll(words[0]), .period_den = atoll(words[1]), .spread_ns = atoll(words[2]),
        .phase_ns = atoll(words[3]), .seed = strtoull(words[4], NULL, 10),
    };
}

static void print_demands(int argc, char **argv)
{
    struct schedule schedule = {.period_num_ns = atoll(argv[0]), .period_den = atoll(argv[1])};

    for (int i = 2; i < argc; i++)
        schedule.shares[schedule.share_count++] = (unsigned char)atoi(argv[i]);
    for (int64_t k = 0; k < 2 * schedule.share_count; k++)
        printf("%lld\n", (long long)schedule_demand_ns(&schedule, k));
}

static int64_t random_to(int64_t most, uint64_t seed, uint64_t *place)
{
    return (int64_t)random_below((uint64_t)most + 1, seed, (*place)++);
}

static int are_releases_wrong(const struct schedule *schedule, int64_t k)
{
    int64_t plain = schedule->phase_ns + k * schedule->period_num_ns / schedule->period_den;
    int64_t release = schedule_release_ns(schedule, k);

    return release < plain || release > plain + schedule->spread_ns || schedule_release_ns(schedule, k + 1) <= release
           || schedule_deadline_ns(schedule, k) != schedule_release_ns(schedule, k + 1);
}

static int is_first_wrong(const struct schedule *schedule, int64_t moment)
{
    int64_t first = schedule_first_at(schedule, moment);

    return first < 0 || schedule_release_ns(schedule, first) < moment
           || (first > 0 && schedule_release_ns(schedule, first - 1) >= moment);
}

/* Returns the number of errors.  The moments are random ones within a day, and those at a release or next to it. */
static int check(uint64_t seed, int count)
{
    uint64_t place = 0;
    int wrong = 0;

    for (int i = 0; i < count; i++) {
        struct schedule schedule = {
            .period_num_ns = 1 + random_to(i % 2 ? 50 : NS_PER_S, seed, &place),
            .period_den = 1, .seed = seed + (uint64_t)i,
        };
        int64_t k = random_to(100000, seed, &place);
        int64_t moment = random_to(86400 * NS_PER_S, seed, &place) / (1 + i % 1000);

        if (schedule.period_num_ns > 1000)
            schedule.period_den = 1 + random_to(999, seed, &place);
        schedule.spread_ns = random_to(schedule.period_num_ns / schedule.period_den - 1, seed, &place);
        schedule.phase_ns = random_to(schedule.period_num_ns, seed, &place);
        wrong += are_releases_wrong(&schedule, k) + is_first_wrong(&schedule, moment);
        for (int off = -1; off <= 1; off++)
            wrong += is_first_wrong(&schedule, schedule_release_ns(&schedule, k) + off);
    }
    return wrong;
}

static void print_counts(int below, uint64_t seed, int count)
{
    int counts[100] = {0};

    for (int i = 0; i < count; i++)
        counts[random_below((uint64_t)below, seed, (uint64_t)i)]++;
    for (int i = 0; i < below; i++)
        printf("%d\n", counts[i]);
}

static void print_order(uint64_t seed, int count)
{
    int order[ORDER_MAX];

    random_order(order, count, seed);
    for (int i = 0; i < count; i++)
        printf("%d\n", order[i]);
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";

    if (strcmp(what, "release") == 0 || strcmp(what, "first") == 0) {
        struct schedule schedule = schedule_of(argv + 2);

        for (int i = 7; i < argc; i++)
            if (what[0] == 'f')
                printf("%lld\n", (long long)schedule_first_at(&schedule, atoll(argv[i])));
            else
                printf("%lld %lld\n", (long long)schedule_release_ns(&schedule, atoll(argv[i])),
                       (long long)schedule_deadline_ns(&schedule, atoll(argv[i])));
    } else if (strcmp(what, "demand") == 0) {
        print_demands(argc - 2, argv + 2);
    } else if (strcmp(what, "check") == 0 && argc == 4) {
        printf("%d\n", check(strtoull(argv[2], NULL, 10), atoi(argv[3])));
    } else if (strcmp(what, "random") == 0) {
        for (int i = 3; i < argc; i++)
            printf("%llu\n", (unsigned long long)random_at(strtoull(argv[2], NULL, 10), strtoull(argv[i], NULL, 10)));
    } else if (strcmp(what, "scaled") == 0) {
        for (int i = 4; i < argc; i++)
            printf("%llu\n", (unsigned long long)random_below(strtoull(argv[2], NULL, 10),
                   strtoull(argv[3], NULL, 10), strtoull(argv[i], NULL, 10)));
    } else if (strcmp(what, "below") == 0 && argc == 5 && atoi(argv[2]) <= 100) {
        print_counts(atoi(argv[2]), strtoull(argv[3], NULL, 10), atoi(argv[4]));
    } else if (strcmp(what, "order") == 0 && argc == 4 && atoi(argv[3]) <= ORDER_MAX) {
        print_order(strtoull(argv[2], NULL, 10), atoi(argv[3]));
    } else {
        return 2;
    }
    return 0;
}
