/* Nearest ranks in integers. */
#include "responses.h"

#include <stdlib.h>

#define ROOM_LEAST 1024

static int has_room_for(struct responses *responses, size_t room)
{
    struct response_time *times;

    if (room > SIZE_MAX / sizeof *times)
        return 0;
    times = realloc(responses->times, room * sizeof *times);
    if (!times)
        return 0;
    responses->times = times;
    responses->room = room;
    return 1;
}

void responses_begin(struct responses *responses, int class_count, size_t capacity)
{
    *responses = (struct responses){.class_count = class_count};
    has_room_for(responses, capacity > ROOM_LEAST ? capacity : ROOM_LEAST);
}

int responses_add(struct responses *responses, int class_index, int64_t ns)
{
    if (class_index < 0 || class_index >= responses->class_count)
        return -1;
    if (responses->count == responses->room && !has_room_for(responses, 2 * responses->room + ROOM_LEAST))
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

/* Quotients and remainders apart, so that no sum is too large and nothing is rounded on the way. */
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
    return ((double)whole + (double)rest / (double)count) / 1e9;
}

/* The rank from 1 that is the first to have so many percent of count at or below it. */
static size_t rank_of(size_t count, size_t percent)
{
    return count / 100 * percent + (count % 100 * percent + 99) / 100;
}

/* Seconds at that rank of the class, times being sorted. */
static double at_rank_s(const struct responses *responses, int class_index, size_t rank)
{
    for (size_t i = 0; i < responses->count; i++)
        if (is_of(&responses->times[i], class_index) && --rank == 0)
            return (double)responses->times[i].ns / 1e9;
    return 0;
}

struct response_summary responses_of(const struct responses *responses, int class_index)
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
