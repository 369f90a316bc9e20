/*
 * search: reads lines "KIND AMOUNT START MOST LIMIT", and searches for the capacity of a simulated machine for each.
 * It prints USERS VALUE IS_LEAST USERS:P95...
 *
 * The KIND decides the response time with N users, as a multiple of that of one user:
 *
 *   power  N to the power of AMOUNT
 *   line   1 with one user, and 1 more for each AMOUNT users
 *   step   1, and 10 beyond AMOUNT users
 *   dice   random up to 4; AMOUNT is the seed
 *   nan    1, and not a number from AMOUNT users on
 */
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random.h"

#define ALONE_S    0.04
#define TRIALS_MAX 200

/* Returns the response time as a multiple of that of one user. */
static double times(const char *kind, double amount, int users)
{
    if (strcmp(kind, "power") == 0)
        return pow(users, amount);
    if (strcmp(kind, "line") == 0)
        return 1 + (users - 1) / amount;
    if (strcmp(kind, "step") == 0)
        return users > amount ? 10 : 1;
    if (strcmp(kind, "dice") == 0)
        return 4 * (double)random_below(1000001, (uint64_t)amount, (uint64_t)users) / 1e6;
    return users < amount ? 1 : NAN;
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
        printf("%d %.9f %d", search_users(&search), search_value(&search), search_is_least(&search));
        for (int i = 0; i < trials; i++)
            printf(" %d:%.9f", tried[i], p95_s[i]);
        printf("\n");
    }
    return 0;
}
