/*
 * Statistics of response times, for all classes together and for each: CLASS COUNT MEAN P50 P90 P95 P99 MAX
 *
 *   responses CLASSES CAPACITY   reads lines "CLASS NS"
 */
#include "stats.h"

#include <stdio.h>
#include <stdlib.h>

static void print(const struct responses *responses)
{
    for (int i = RESPONSES_ALL; i < responses->class_count; i++) {
        const struct response_summary of = responses_summary(responses, i);

        printf("%d %zu %.17g %.17g %.17g %.17g %.17g %.17g\n", i, of.count, of.mean_s, of.p50_s, of.p90_s, of.p95_s,
               of.p99_s, of.max_s);
    }
}

static void add_lines(struct responses *responses)
{
    long long ns;
    int class_index;

    while (scanf("%d %lld", &class_index, &ns) == 2)
        responses_add(responses, class_index, ns);
}

int main(int argc, char **argv)
{
    struct responses responses;

    if (argc != 3)
        return 1;
    responses_begin(&responses, atoi(argv[1]), strtoull(argv[2], NULL, 10));
    add_lines(&responses);
    print(&responses);
    responses_end(&responses);
    return 0;
}
