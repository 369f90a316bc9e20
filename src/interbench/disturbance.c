/* Finds out what else the machine does during a measurement, from /proc/stat and /proc/pressure. */
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

void machine_snapshot(const char *root, int64_t moment_ns, struct snapshot *snapshot)
{
    static const char *const names[] = {"cpu", "io", "memory"};
    struct proc_reader reader = {.root = root};
    const char *text = proc_read(&reader, "/proc/stat");

    *snapshot = (struct snapshot){.moment_ns = moment_ns};
    if (text)
        take_times(text, snapshot);
    for (int i = 0; i < 3; i++) {
        text = proc_read(&reader, "/proc/pressure/%s", names[i]);
        snapshot->pressure_us[i] = text ? proc_field(text, "some", "total=") : UNKNOWN;
    }
    proc_close(&reader);
}

static double clipped(double part)
{
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

static double pressure(const struct snapshot *before, const struct snapshot *after, int index)
{
    const int64_t elapsed_us = (after->moment_ns - before->moment_ns) / NS_PER_US;

    if (before->pressure_us[index] == UNKNOWN || after->pressure_us[index] == UNKNOWN || elapsed_us <= 0)
        return UNKNOWN;
    return clipped((double)(after->pressure_us[index] - before->pressure_us[index]) / (double)elapsed_us);
}

struct disturbance machine_disturbance(const struct snapshot *before, const struct snapshot *after,
                                       int64_t own_cpu_ns)
{
    const double own_ticks = (double)own_cpu_ns * (double)sysconf(_SC_CLK_TCK) / NS_PER_S;
    const double all = (double)(after->all_ticks - before->all_ticks);
    struct disturbance disturbance = {UNKNOWN, UNKNOWN, pressure(before, after, 0), pressure(before, after, 1),
                                      pressure(before, after, 2)};

    if (before->all_ticks == 0 || after->all_ticks == 0 || all <= 0)
        return disturbance;
    disturbance.steal = clipped((double)(after->steal_ticks - before->steal_ticks) / all);
    disturbance.other_work = clipped(((double)(after->busy_ticks - before->busy_ticks) - own_ticks) / all);
    return disturbance;
}
