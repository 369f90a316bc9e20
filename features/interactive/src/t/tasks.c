/*
 * Tasks and their schedules:
 *
 *   tasks list [PERCENT PERIOD]            prints the tasks, with Custom if its percentage and period are given
 *   tasks find NAME                        prints the name of the task that is found, or "none"
 *   tasks schedule NAME SEED STREAM COUNT  prints the schedule of a stream
 */
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_task(const struct task *task)
{
    printf("%s %lld/%lld %lld spread=%d varying=%d default=%d real_time=%d mixed=%d periodic=%d\n", task->name,
           (long long)task->period_num_ns, (long long)task->period_den, (long long)task->demand_ns,
           task->spread_percent, task->is_varying, task->is_default, task->is_real_time, task->is_mixed,
           task_is_periodic(task));
}

static void print_schedule(struct schedule schedule)
{
    printf("%lld/%lld %lld spread=%lld phase=%lld seed=%llu shares=", (long long)schedule.period_num_ns,
           (long long)schedule.period_den, (long long)schedule.demand_ns, (long long)schedule.spread_ns,
           (long long)schedule.phase_ns, (unsigned long long)schedule.seed);
    for (int i = 0; i < schedule.share_count; i++)
        printf("%s%d", i ? "," : "", schedule.shares[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const struct task *task = argc > 2 ? tasks_find(argv[2]) : NULL;

    if (strcmp(what, "list") == 0) {
        if (argc == 4)
            tasks_define_custom(atoi(argv[2]), atoll(argv[3]));
        for (int i = 0; i < tasks_count(); i++)
            print_task(tasks_at(i));
    } else if (strcmp(what, "find") == 0) {
        puts(task ? task->name : "none");
    } else if (strcmp(what, "schedule") == 0 && argc == 6 && task) {
        print_schedule(task_schedule(task, strtoull(argv[3], NULL, 10), atoi(argv[4]), atoi(argv[5])));
    } else {
        return 2;
    }
    return 0;
}
