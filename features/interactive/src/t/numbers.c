/*
 * Buckets and statistics:
 *
 *   numbers index VALUE ...          prints for each value: the index of its bucket, and its low and high
 *   numbers values ADDED VALUE ...   prints the statistics of the values, with ADDED added to each
 *   numbers merged SEED COUNT PARTS  prints the statistics of random values: of all, and merged from parts
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "random.h"

#define PARTS_MAX 16

static struct distribution whole, parts[PARTS_MAX];

static void print_index(const char *word)
{
    int index = histogram_index(strtoull(word, NULL, 10));

    printf("%d %llu %llu\n", index, (unsigned long long)histogram_low(index),
           (unsigned long long)histogram_high(index));
}

static void print_distribution(const struct distribution *distribution)
{
    const struct moments *moments = &distribution->moments;
    const int per_mille[] = {500, 900, 950, 990, 999};

    printf("count %lld max %lld mean %.17g deviation %.17g", (long long)moments->count, (long long)moments->max,
           moments->mean, moments_deviation(moments));
    for (int i = 0; i < 5; i++)
        printf(" rank%d %lld known%d %lld", per_mille[i], (long long)distribution_rank(distribution, per_mille[i]),
               per_mille[i], (long long)distribution_percentile(distribution, per_mille[i]));
    putchar('\n');
}

/* Prints the statistics of values of all sizes.  The parts have different sizes; one of them is empty. */
static void print_merged(uint64_t seed, int count, int part_count)
{
    static struct distribution merged;

    for (int i = 0; i < count; i++) {
        int64_t value = (int64_t)(random_at(seed, (uint64_t)i) >> (20 + random_below(40, seed + 1, (uint64_t)i)));
        uint64_t part = random_below((uint64_t)part_count - 1, seed + 2, (uint64_t)i);

        distribution_add(&whole, value);
        distribution_add(&parts[random_below(part + 1, seed + 3, (uint64_t)i)], value);
    }
    for (int i = 0; i < part_count; i++)
        distribution_merge(&merged, &parts[i]);
    print_distribution(&whole);
    print_distribution(&merged);
    printf("%s\n", memcmp(&whole.histogram, &merged.histogram, sizeof whole.histogram) == 0 ? "alike" : "unlike");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "index") == 0) {
        for (int i = 2; i < argc; i++)
            print_index(argv[i]);
    } else if (strcmp(what, "values") == 0 && argc > 2) {
        for (int i = 3; i < argc; i++)
            distribution_add(&whole, atoll(argv[2]) + atoll(argv[i]));
        print_distribution(&whole);
    } else if (strcmp(what, "merged") == 0 && argc == 5 && atoi(argv[4]) > 1 && atoi(argv[4]) <= PARTS_MAX) {
        print_merged(strtoull(argv[2], NULL, 10), atoi(argv[3]), atoi(argv[4]));
    } else {
        return 2;
    }
    return 0;
}
