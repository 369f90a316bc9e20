/* Doubling, then bisection.  One user being within, bisection from a start that is beyond halves. */
#include "search.h"

#include <math.h>

void search_begin(struct search *search, int start, int most, double alone_p95_s, double limit)
{
    *search = (struct search){
        .start = start, .most = most < 1 ? 1 : most, .limit_s = limit * alone_p95_s,
        .within = 1, .within_s = alone_p95_s,
    };
}

/* At most one user, or a sixteenth: nearer than noise lets anybody tell. */
static int is_narrow(const struct search *search)
{
    const int sixteenth = search->within / 16;

    return search->beyond - search->within <= (sixteenth > 1 ? sixteenth : 1);
}

static int upwards(const struct search *search)
{
    if (!search->has_trial && search->start > search->within)
        return search->start < search->most ? search->start : search->most;
    return search->within > search->most / 2 ? search->most : 2 * search->within;
}

int search_next(const struct search *search)
{
    if (search->beyond == 0)
        return search->within >= search->most ? 0 : upwards(search);
    return is_narrow(search) ? 0 : search->within + (search->beyond - search->within) / 2;
}

void search_note(struct search *search, int users, double p95_s)
{
    search->has_trial = 1;
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

/* 0 where there is no line to follow, as there is none to a p95 without end. */
static double part_of_the_way(const struct search *search)
{
    const double way = log(search->beyond_s) - log(search->within_s);
    const double part = (log(search->limit_s) - log(search->within_s)) / way;

    return part > 0 ? fmin(part, 1) : 0;
}

double search_value(const struct search *search)
{
    double users;

    if (search->beyond == 0)
        return search->within;
    users = search->within * pow((double)search->beyond / search->within, part_of_the_way(search));
    return fmin(fmax(users, search->within), search->beyond);
}

int search_is_least(const struct search *search)
{
    return search->beyond == 0 && search->within >= search->most;
}
