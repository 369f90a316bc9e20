/*
 * The search for the capacity: the largest number of users whose 95th percentile of response is at most so many times
 * the single user's.  It only says what to try next; the trials are made elsewhere.
 *
 *     search_begin(&search, 20, 1024, alone_p95_s, 2);
 *     while ((users = search_next(&search)) != 0)
 *         search_note(&search, users, p95_s_of_a_trial_with(users));
 */
#ifndef MULTIUSER_SEARCH_H
#define MULTIUSER_SEARCH_H

struct search {
    int start, most;
    double limit_s;               /* the greatest p95 that is within */
    int within, beyond;           /* users; beyond 0: none so far */
    double within_s, beyond_s;    /* their p95 */
    int has_trial;
};

/*
 * start: users of the first trial; most: users of the greatest; limit: in parts of the single user's p95.  One user is
 * within, without a trial.
 */
void search_begin(struct search *search, int start, int most, double alone_p95_s, double limit);

/* The number of users to try next; 0 when there is nothing more to try. */
int search_next(const struct search *search);

/* Notes the p95 of a trial; what is no number, or infinite, is beyond. */
void search_note(struct search *search, int users, double p95_s);

/* The most users that were within, at least 1. */
int search_users(const struct search *search);

/* Where p95 crosses the limit, between search_users and the fewest that were beyond: along the line of their logs. */
double search_value(const struct search *search);

/* Whether as many users as may be tried were within: the capacity is at least this. */
int search_is_least(const struct search *search);

#endif
