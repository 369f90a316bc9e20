/*
 * Tasks and their schedules:
 *
 *   tasks list [PERCENT PERIOD]                       prints the tasks, with Custom as defined by the two numbers
 *   tasks schedule NAME SEED STREAM COUNT             prints the schedule of a stream
 *   tasks release NUM DEN SPREAD PHASE SEED FRAME...  prints release and deadline of each frame
 *   tasks first NUM DEN SPREAD PHASE SEED MOMENT...   prints the first frame at or after each moment
 */
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_task(const struct task *task)
{
    printf("%s %lld/%lld %lld spread=%d varying=%d default=%d real_time=%d mixed=%d\n", task->name,
           (long long)task->period_num_ns, (long long)task->period_den, (long long)task->demand_ns,
           task->spread_percent, task->is_varying, task->is_default, task->is_real_time, task->is_mixed);
}

static void print_schedule(struct schedule schedule)
{
    printf("spread=%lld phase=%lld seed=%llu demands=", (long long)schedule.spread_ns, (long long)schedule.phase_ns,
           (unsigned long long)schedule.seed);
    for (int i = 0; i < 100; i++)
        printf("%s%lld", i ? "," : "", (long long)schedule_demand_ns(&schedule, i));
    putchar('\n');
}

static void print_frames(int is_first, int argc, char **argv)
{
    const struct schedule schedule = {
        .period_num_ns = atoll(argv[0]), .period_den = atoll(argv[1]), .spread_ns = atoll(argv[2]),
        .phase_ns = atoll(argv[3]), .seed = strtoull(argv[4], NULL, 10),
    };

    for (int i = 5; i < argc; i++)
        if (is_first)
            printf("%lld\n", (long long)schedule_first_at(&schedule, atoll(argv[i])));
        else
            printf("%lld %lld\n", (long long)schedule_release_ns(&schedule, atoll(argv[i])),
                   (long long)schedule_deadline_ns(&schedule, atoll(argv[i])));
}

int main(int argc, char **argv)
{
    const char *what = argv[1];

    if (strcmp(what, "list") == 0) {
        if (argc == 4)
            tasks_define_custom(atoi(argv[2]), atoll(argv[3]));
        for (int i = 0; i < tasks_count(); i++)
            print_task(tasks_at(i));
    } else if (strcmp(what, "schedule") == 0) {
        print_schedule(task_schedule(tasks_find(argv[2]), strtoull(argv[3], NULL, 10), atoi(argv[4]), atoi(argv[5])));
    } else {
        print_frames(strcmp(what, "first") == 0, argc - 2, argv + 2);
    }
    return 0;
}
