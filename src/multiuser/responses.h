/* Response times of a load, every one of them, and what is reported of them. */
#ifndef MULTIUSER_RESPONSES_H
#define MULTIUSER_RESPONSES_H

#include <stddef.h>
#include <stdint.h>

#define RESPONSES_ALL (-1) /* all classes together */

struct response_time {
    int64_t ns;
    int class_index;
};

struct responses {
    struct response_time *times;
    size_t count, room;
    int class_count;
};

/* Seconds; all 0 where count is. */
struct response_summary {
    size_t count;
    double mean_s, p50_s, p90_s, p95_s, p99_s, max_s;
};

/* Makes room for so many responses, so that adding them takes no time; there may be more. */
void responses_begin(struct responses *responses, int class_count, size_t capacity);

/* Adds one; below 0 counts as 0.  Returns 0, or -1 when there is no memory or no such class. */
int responses_add(struct responses *responses, int class_index, int64_t ns);

/* Of one class, or RESPONSES_ALL.  Percentiles by nearest rank.  Sorts what is stored. */
struct response_summary responses_of(const struct responses *responses, int class_index);

/* Frees them. */
void responses_end(struct responses *responses);

#endif
