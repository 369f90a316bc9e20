/* Finds out what else the machine does during a measurement, from /proc/stat. */
#include "machine.h"

#include <unistd.h>

#include "clock.h"
#include "stats.h"

/* Columns of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; guests are part of the first two. */
enum { IDLE = 3, IO_WAIT = 4, STEAL = 7, COLUMNS = 8 };

static void take_times(const char *stat, struct snapshot *snapshot)
{
    int64_t times[COLUMNS], sum = 0;

    for (int i = 0; i < COLUMNS; i++) {
        times[i] = proc_number(stat, "cpu", i);
        if (times[i] < 0)
            return;
        sum += times[i];
    }
    snapshot->all_ticks = sum;
    snapshot->steal_ticks = times[STEAL];
    snapshot->busy_ticks = sum - times[IDLE] - times[IO_WAIT] - times[STEAL];
}

void machine_snapshot(const char *root, struct snapshot *snapshot)
{
    struct proc_reader reader = {.root = root};
    const char *text = proc_read(&reader, "/proc/stat");

    *snapshot = (struct snapshot){0};
    if (text)
        take_times(text, snapshot);
    proc_close(&reader);
}

static double clipped(double part)
{
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

struct disturbance machine_disturbance(const struct snapshot *before, const struct snapshot *after,
                                       int64_t own_cpu_ns)
{
    const double own_ticks = (double)own_cpu_ns * (double)sysconf(_SC_CLK_TCK) / NS_PER_S;
    const double all = (double)(after->all_ticks - before->all_ticks);
    struct disturbance disturbance = {UNKNOWN, UNKNOWN};

    if (before->all_ticks == 0 || after->all_ticks == 0 || all <= 0)
        return disturbance;
    disturbance.steal = clipped((double)(after->steal_ticks - before->steal_ticks) / all);
    disturbance.other_work = clipped(((double)(after->busy_ticks - before->busy_ticks) - own_ticks) / all);
    return disturbance;
}
