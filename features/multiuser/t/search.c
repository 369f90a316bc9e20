/*
 * search: reads lines "KIND AMOUNT START MOST LIMIT", and searches for the capacity of a simulated machine for each.
 * It prints USERS VALUE IS_LEAST TRUTH USERS:P95...  TRUTH is the largest number of users, up to MOST, before the first
 * one that is beyond the limit; it is 0 if MOST is above 5000.
 *
 * The KIND decides the response time with N users, as a multiple of that of one user:
 *
 *   power     N to the power of AMOUNT
 *   line      1 with one user, and 1 more for each AMOUNT users
 *   queue     a queue (M/M/1) that AMOUNT users fill
 *   step      1, and 10 beyond AMOUNT users
 *   flat      1
 *   falling   1 / N
 *   stairs    a random bit more with each user; AMOUNT is the seed
 *   noisy     line with an AMOUNT of 20, up to 30 % more or less; AMOUNT is the seed
 *   dice      a random number from 0 to 4; AMOUNT is the seed
 *   inf, nan, zero, negative   that value from AMOUNT users on
 */
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define ALONE_S    0.04
#define TRIALS_MAX 200

static double part(uint64_t seed, int users)
{
    return (double)random_below(1000001, seed, (uint64_t)users) / 1e6;
}

static double queue(double amount, int users)
{
    return users - 1 < amount * 0.999 ? 1 / (1 - (users - 1) / amount) : 1000.0 * users;
}

static double stairs(uint64_t seed, int users)
{
    const double steepness = part(seed, 0);
    double longer = 1;

    for (int i = 2; i <= users; i++)
        longer += pow(part(seed, i), 8) * steepness;
    return longer;
}

static double broken(const char *kind, double amount, int users)
{
    if (users < amount)
        return 1 + users / 1e4;
    return strcmp(kind, "inf") == 0 ? INFINITY : strcmp(kind, "nan") == 0 ? NAN : strcmp(kind, "zero") == 0 ? 0 : -1;
}

/* Returns the response time as a multiple of that of one user. */
static double times(const char *kind, double amount, int users)
{
    const uint64_t seed = (uint64_t)amount;

    if (strcmp(kind, "power") == 0)
        return pow(users, amount);
    if (strcmp(kind, "line") == 0)
        return 1 + (users - 1) / amount;
    if (strcmp(kind, "queue") == 0)
        return queue(amount, users);
    if (strcmp(kind, "step") == 0)
        return users > amount ? 10 : 1;
    if (strcmp(kind, "flat") == 0)
        return 1;
    if (strcmp(kind, "falling") == 0)
        return 1.0 / users;
    if (strcmp(kind, "stairs") == 0)
        return stairs(seed, users);
    if (strcmp(kind, "noisy") == 0)
        return (1 + (users - 1) / 20.0) * (0.7 + 0.6 * part(seed, users));
    if (strcmp(kind, "dice") == 0)
        return 4 * part(seed, users);
    return broken(kind, amount, users);
}

static int truth(const char *kind, double amount, int most, double limit)
{
    int users = 1;

    while (users < most && times(kind, amount, users + 1) * ALONE_S <= limit * ALONE_S)
        users++;
    return users;
}

/*
 * Adds a result a second time, with the opposite outcome: it must not count.  Prints "early" if the search reports
 * before its end that the capacity may be larger.
 */
static void contradict(struct search *search, int users, double p95_s)
{
    search_add(search, users, p95_s <= search->limit_s ? INFINITY : 0);
    if (search_is_least(search) && search_next(search) != 0)
        printf("early ");
}

int main(void)
{
    char kind[20];
    double amount, limit, p95_s[TRIALS_MAX];
    int start, most, users, tried[TRIALS_MAX];

    while (scanf("%19s %lf %d %d %lf", kind, &amount, &start, &most, &limit) == 5) {
        struct search search;
        int trials = 0;

        search_begin(&search, start, most, ALONE_S, limit);
        while (trials < TRIALS_MAX && (users = search_next(&search)) != 0) {
            tried[trials] = users;
            p95_s[trials] = times(kind, amount, users) * ALONE_S;
            search_add(&search, users, p95_s[trials]);
            contradict(&search, users, p95_s[trials++]);
        }
        printf("%d %.9f %d %d", search_users(&search), search_value(&search), search_is_least(&search),
               most > 5000 ? 0 : truth(kind, amount, most, limit));
        for (int i = 0; i < trials; i++)
            printf(" %d:%.9f", tried[i], p95_s[i]);
        printf("\n");
    }
    return 0;
}
