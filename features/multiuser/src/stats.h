/*
 * Statistics of response times, and the search for the number of users whose response times are within a limit.
 *
 *     search_begin(&search, 20, 1024, alone_p95_s, 2);
 *     while ((users = search_next(&search)) != 0)
 *         search_add(&search, users, p95_s_of_a_run_with(users));
 */
#ifndef MULTIUSER_STATS_H
#define MULTIUSER_STATS_H

#include <stddef.h>
#include <stdint.h>

#define RESPONSES_ALL (-1) /* all classes together */

struct response_time {
    int64_t ns;
    int class_index;
};

/* All response times of a run. */
struct responses {
    struct response_time *times;
    size_t count, room;
    int class_count;
};

/* Percentiles by nearest rank, in seconds; all are 0 if count is 0. */
struct response_summary {
    size_t count;
    double mean_s, p50_s, p90_s, p95_s, p99_s, max_s;
};

/* Makes room for that many response times, so that adding them takes no time; more may be added. */
void responses_begin(struct responses *responses, int class_count, size_t capacity);

/* Adds a response time, a negative one as 0; returns 0, or -1 if there is no memory or no such class. */
int responses_add(struct responses *responses, int class_index, int64_t ns);

/* Returns the statistics of one class, or of RESPONSES_ALL.  Sorts the response times. */
struct response_summary responses_summary(const struct responses *responses, int class_index);

/* Frees the response times. */
void responses_end(struct responses *responses);

/* A search for the largest number of users whose 95th percentile is within the limit. */
struct search {
    int start, max_users;
    double limit_s;            /* the largest 95th percentile that is within */
    int within, beyond;        /* numbers of users; beyond is 0 until a run is beyond the limit */
    double within_s, beyond_s; /* their 95th percentiles */
    int has_run;
};

/*
 * Begins a search that tries start users first, and never more than max_users.  The limit is a multiple of the 95th
 * percentile of one user alone; one user counts as within the limit, without a run.
 */
void search_begin(struct search *search, int start, int max_users, double alone_p95_s, double limit);

/* Returns the number of users to try next; 0 at the end of the search. */
int search_next(const struct search *search);

/* Adds the 95th percentile of a run; a value that is infinite or not a number is beyond the limit. */
void search_add(struct search *search, int users, double p95_s);

/* Returns the largest number of users that was within, at least 1. */
int search_users(const struct search *search);

/*
 * Returns the number of users at which the 95th percentile crosses the limit.  It is interpolated between the
 * logarithms of users and of seconds.
 */
double search_value(const struct search *search);

/* Returns whether the capacity may be larger, because even max_users were within the limit. */
int search_is_least(const struct search *search);

#endif
