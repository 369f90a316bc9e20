/*
 * search: reads lines "KIND AMOUNT START MOST LIMIT", and searches for the capacity of a simulated machine for each.
 * It prints USERS VALUE IS_LEAST USERS:P95...
 *
 * The KIND decides the response time with N users, as a multiple of that of one user:
 *
 *   power  N to the power of AMOUNT
 *   line   1 with one user, and 1 more for each AMOUNT users
 *   step   1, and 10 beyond AMOUNT users
 */
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ALONE_S    0.04
#define TRIALS_MAX 200

/* Returns the response time as a multiple of that of one user. */
static double times(const char *kind, double amount, int users)
{
    if (strcmp(kind, "power") == 0)
        return pow(users, amount);
    if (strcmp(kind, "line") == 0)
        return 1 + (users - 1) / amount;
    return users > amount ? 10 : 1;
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
            search_add(&search, users, p95_s[trials++]);
        }
        printf("%d %.9f %d", search_users(&search), search_value(&search), search_is_least(&search));
        for (int i = 0; i < trials; i++)
            printf(" %d:%.9f", tried[i], p95_s[i]);
        printf("\n");
    }
    return 0;
}
