/* The table of tasks, and the moments and demands of their frames. */
#include "tasks.h"

#include <stddef.h>
#include <strings.h>

#include "clock.h"
#include "random.h"

/* Returns floor(value * num / den) of non-negative numbers; no product exceeds 64 bits unless the result does. */
static int64_t scaled(int64_t value, int64_t num, int64_t den)
{
    return value / den * num + value % den * num / den;
}

int64_t schedule_release_ns(const struct schedule *schedule, int64_t k)
{
    const int64_t release_ns = schedule->phase_ns + scaled(k, schedule->period_num_ns, schedule->period_den);

    if (schedule->spread_ns <= 0)
        return release_ns;
    return release_ns + (int64_t)random_below((uint64_t)schedule->spread_ns + 1, schedule->seed, (uint64_t)k);
}

int64_t schedule_deadline_ns(const struct schedule *schedule, int64_t k)
{
    return schedule_release_ns(schedule, k + 1);
}

/* The estimate ignores random delays: no earlier frame is released that late. */
int64_t schedule_first_at(const struct schedule *schedule, int64_t moment_ns)
{
    const int64_t nominal_ns = moment_ns - schedule->phase_ns;
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

#define SHARE_MOST 95 /* percent: an error of calibration, about 1 %, must not decide whether a frame is on time */

#define RATE(per_second)             .period_num_ns = NS_PER_S, .period_den = (per_second)
#define RATE_AND_SHARE(rate, share)  RATE(rate), .demand_ns = NS_PER_S * (share) / ((rate) * 100)

static struct task tasks[] = {
    {.name = "Audio", .about = "20 frames per second that take 5 % of a CPU",
     RATE_AND_SHARE(20, 5), .is_default = 1, .is_real_time = 1, .is_mixed = 1},
    {.name = "Video", .about = "60 frames per second that take 40 % of a CPU",
     RATE_AND_SHARE(60, 40), .is_default = 1, .is_real_time = 1, .is_mixed = 1},
    {.name = "X", .about = "10 frames per second that take 0 to 95 % of a CPU, in shuffled order",
     RATE(10), .is_varying = 1, .is_default = 1, .is_mixed = 1},
    {.name = "Gaming", .about = "jobs of 10 ms, back to back, without deadlines",
     .period_den = 1, .demand_ns = 10 * NS_PER_MS, .is_default = 1},
    {.name = "Probe", .about = "1000 frames per second of 20 us, at varying moments",
     RATE(1000), .demand_ns = 20 * NS_PER_US, .spread_percent = 20,
     .is_default = 1, .is_real_time = 1, .is_mixed = 1},
    {.name = "Video120", .about = "120 frames per second that take 40 % of a CPU", RATE_AND_SHARE(120, 40)},
    {.name = "Video144", .about = "144 frames per second that take 40 % of a CPU", RATE_AND_SHARE(144, 40)},
    {.name = "Custom", .about = "frames with the CPU share of -C and the period of -I",
     .period_den = 1, .is_default = 1, .is_real_time = 1},
};

enum { ALL_TASKS = sizeof tasks / sizeof *tasks, CUSTOM = ALL_TASKS - 1 };

_Static_assert((int)ALL_TASKS <= TASKS_MAX, "the arrays of tasks are large enough");

int tasks_count(void)
{
    return ALL_TASKS;
}

const struct task *tasks_at(int index)
{
    return &tasks[index];
}

const struct task *tasks_find(const char *name)
{
    for (int i = 0; i < tasks_count(); i++)
        if (strcasecmp(tasks[i].name, name) == 0)
            return &tasks[i];
    return NULL;
}

void tasks_define_custom(int percent, int64_t period_us)
{
    tasks[CUSTOM].period_num_ns = period_us * NS_PER_US;
    tasks[CUSTOM].demand_ns = period_us * (NS_PER_US / 100) * percent;
}

static void fill_shares(struct schedule *schedule)
{
    int order[SHARES_MAX];

    random_order(order, SHARES_MAX, schedule->seed);
    schedule->share_count = SHARES_MAX;
    for (int i = 0; i < SHARES_MAX; i++)
        schedule->shares[i] = (unsigned char)(order[i] < SHARE_MOST ? order[i] : SHARE_MOST);
}

struct schedule task_schedule(const struct task *task, uint64_t seed, int stream, int stream_count)
{
    struct schedule schedule = {
        .period_num_ns = task->period_num_ns,
        .period_den = task->period_den,
        .spread_ns = task->period_num_ns * task->spread_percent / (task->period_den * 100),
        .phase_ns = task->period_num_ns * stream / (task->period_den * stream_count),
        .demand_ns = task->demand_ns,
        .seed = random_at(seed, (uint64_t)stream),
    };

    if (task->is_varying)
        fill_shares(&schedule);
    return schedule;
}

int task_is_periodic(const struct task *task)
{
    return task->period_num_ns > 0;
}
