/* Releases, deadlines and demands, from the number of the frame. */
#include "schedule.h"

#include "random.h"

/* floor(value * num / den) of numbers that are not negative; no product outgrows 64 bits before the result does. */
static int64_t scaled(int64_t value, int64_t num, int64_t den)
{
    return value / den * num + value % den * num / den;
}

int64_t schedule_release_ns(const struct schedule *schedule, int64_t k)
{
    int64_t release_ns = schedule->phase_ns + scaled(k, schedule->period_num_ns, schedule->period_den);

    if (schedule->spread_ns > 0)
        release_ns += (int64_t)random_below((uint64_t)schedule->spread_ns + 1, schedule->seed, (uint64_t)k);
    return release_ns;
}

int64_t schedule_deadline_ns(const struct schedule *schedule, int64_t k)
{
    return schedule_release_ns(schedule, k + 1);
}

/* The estimate takes frames for released at their nominal moments: no frame before it is released so late. */
int64_t schedule_first_at(const struct schedule *schedule, int64_t moment_ns)
{
    int64_t nominal_ns = moment_ns - schedule->phase_ns;
    int64_t k = nominal_ns > 0 ? scaled(nominal_ns, schedule->period_den, schedule->period_num_ns) : 0;

    while (schedule_release_ns(schedule, k) < moment_ns)
        k++;
    return k;
}

int64_t schedule_demand_ns(const struct schedule *schedule, int64_t k)
{
    if (schedule->share_count == 0)
        return schedule->demand_ns;
    return scaled(schedule->shares[k % schedule->share_count], schedule->period_num_ns, schedule->period_den * 100);
}
