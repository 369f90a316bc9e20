/* Computes percentiles with integers, and searches by doubling, then by bisection. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

#define ROOM_LEAST 1024
#define NS_IN_S    1e9

/* Makes room for that many response times; returns whether there is room. */
static int reserve(struct responses *responses, size_t room)
{
    if (room > SIZE_MAX / sizeof *responses->times)
        return 0;

    struct response_time *times = realloc(responses->times, room * sizeof *times);

    if (!times)
        return 0;
    responses->times = times;
    responses->room = room;
    return 1;
}

void responses_begin(struct responses *responses, int class_count, size_t capacity)
{
    *responses = (struct responses){.class_count = class_count};
    reserve(responses, capacity > ROOM_LEAST ? capacity : ROOM_LEAST);
}

int responses_add(struct responses *responses, int class_index, int64_t ns)
{
    if (class_index < 0 || class_index >= responses->class_count)
        return -1;
    if (responses->count == responses->room && !reserve(responses, 2 * responses->room + ROOM_LEAST))
        return -1;
    responses->times[responses->count++] = (struct response_time){ns < 0 ? 0 : ns, class_index};
    return 0;
}

static int is_of(const struct response_time *time, int class_index)
{
    return class_index == RESPONSES_ALL || class_index == time->class_index;
}

static int by_time(const void *one, const void *other)
{
    const int64_t one_ns = ((const struct response_time *)one)->ns;
    const int64_t other_ns = ((const struct response_time *)other)->ns;

    return (one_ns > other_ns) - (one_ns < other_ns);
}

static size_t count_of(const struct responses *responses, int class_index)
{
    size_t count = 0;

    for (size_t i = 0; i < responses->count; i++)
        count += (size_t)is_of(&responses->times[i], class_index);
    return count;
}

/* Quotients and remainders are summed separately, so that no sum overflows and nothing is rounded before the end. */
static double mean_s(const struct responses *responses, int class_index, size_t count)
{
    uint64_t whole = 0, rest = 0;

    for (size_t i = 0; i < responses->count; i++) {
        const uint64_t ns = (uint64_t)responses->times[i].ns;

        if (!is_of(&responses->times[i], class_index))
            continue;
        whole += ns / count;
        rest += ns % count;
    }
    return ((double)whole + (double)rest / (double)count) / NS_IN_S;
}

/* Returns the lowest rank, from 1, at which at least that many percent of count are reached. */
static size_t rank_of(size_t count, size_t percent)
{
    return count / 100 * percent + (count % 100 * percent + 99) / 100;
}

/* Returns the response time at that rank of the class, in seconds.  The times must be sorted. */
static double at_rank_s(const struct responses *responses, int class_index, size_t rank)
{
    for (size_t i = 0; i < responses->count; i++)
        if (is_of(&responses->times[i], class_index) && --rank == 0)
            return (double)responses->times[i].ns / NS_IN_S;
    return 0;
}

struct response_summary responses_summary(const struct responses *responses, int class_index)
{
    const size_t count = count_of(responses, class_index);

    if (count == 0)
        return (struct response_summary){.count = 0};
    qsort(responses->times, responses->count, sizeof *responses->times, by_time);
    return (struct response_summary){
        .count = count,
        .mean_s = mean_s(responses, class_index, count),
        .p50_s = at_rank_s(responses, class_index, rank_of(count, 50)),
        .p90_s = at_rank_s(responses, class_index, rank_of(count, 90)),
        .p95_s = at_rank_s(responses, class_index, rank_of(count, 95)),
        .p99_s = at_rank_s(responses, class_index, rank_of(count, 99)),
        .max_s = at_rank_s(responses, class_index, count),
    };
}

void responses_end(struct responses *responses)
{
    free(responses->times);
    *responses = (struct responses){.times = NULL};
}

void search_begin(struct search *search, int start, int max_users, double alone_p95_s, double limit)
{
    *search = (struct search){
        .start = start,
        .max_users = max_users < 1 ? 1 : max_users,
        .limit_s = limit * alone_p95_s,
        .within = 1,
        .within_s = alone_p95_s,
    };
}

/* Returns whether within and beyond differ by one user or a sixteenth at most: noise hides smaller differences. */
static int is_narrow(const struct search *search)
{
    const int sixteenth = search->within / 16;

    return search->beyond - search->within <= (sixteenth > 1 ? sixteenth : 1);
}

/* Returns the next number of users, while all runs were within the limit. */
static int larger(const struct search *search)
{
    if (!search->has_run && search->start > search->within)
        return search->start < search->max_users ? search->start : search->max_users;
    return search->within > search->max_users / 2 ? search->max_users : 2 * search->within;
}

/* One user is always within the limit, so bisection works even if the start is beyond it. */
int search_next(const struct search *search)
{
    if (search->beyond == 0)
        return search->within >= search->max_users ? 0 : larger(search);
    return is_narrow(search) ? 0 : search->within + (search->beyond - search->within) / 2;
}

void search_add(struct search *search, int users, double p95_s)
{
    search->has_run = 1;
    if (users <= search->within || (search->beyond != 0 && users >= search->beyond))
        return;
    if (p95_s <= search->limit_s) {
        search->within = users;
        search->within_s = p95_s;
    } else {
        search->beyond = users;
        search->beyond_s = p95_s;
    }
}

int search_users(const struct search *search)
{
    return search->within;
}

/* Returns how far the limit is on the way from within_s to beyond_s, from 0 to 1; 0 if beyond_s is not finite. */
static double part_of_the_way(const struct search *search)
{
    const double way = log(search->beyond_s) - log(search->within_s);
    const double part = (log(search->limit_s) - log(search->within_s)) / way;

    return part > 0 ? fmin(part, 1) : 0;
}

double search_value(const struct search *search)
{
    if (search->beyond == 0)
        return search->within;

    const double users = search->within * pow((double)search->beyond / search->within, part_of_the_way(search));

    return fmin(fmax(users, search->within), search->beyond);
}

int search_is_least(const struct search *search)
{
    return search->beyond == 0 && search->within >= search->max_users;
}
