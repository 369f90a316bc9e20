/* Each user has a sequence of its own, so that what happens to one moves no other. */
#include "pauses.h"

#include "clock.h"
#include "random.h"

int64_t pause_ns(const struct pace *pace, int user, int place)
{
    const int64_t least_ns = (int64_t)(pace->least_s * NS_PER_S), most_ns = (int64_t)(pace->most_s * NS_PER_S);
    const uint64_t seed_of_user = random_at(pace->seed, (uint64_t)user);

    return least_ns + (int64_t)random_below((uint64_t)(most_ns - least_ns) + 1, seed_of_user, (uint64_t)place);
}
