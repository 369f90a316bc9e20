/* What else goes on: the times of all CPUs, and how long something had to wait. */
#include <unistd.h>

#include "clock.h"
#include "machine.h"
#include "proc.h"
#include "report.h"

#define TIMES 8 /* user, nice, system, idle, iowait, irq, softirq, steal; those of guests are in the first two */

enum { IDLE = 3, IO_WAIT = 4, STEAL = 7 };

static void look_at_times(const char *text, struct look *look)
{
    int64_t times[TIMES], sum = 0;

    for (int i = 0; i < TIMES; i++) {
        times[i] = proc_number(text, "cpu", i);
        if (times[i] < 0)
            return;
        sum += times[i];
    }
    look->all_ticks = sum;
    look->steal_ticks = times[STEAL];
    look->busy_ticks = sum - times[IDLE] - times[IO_WAIT] - times[STEAL];
}

void machine_look(const char *root, int64_t moment_ns, struct look *look)
{
    static const char *const names[] = {"cpu", "io", "memory"};
    struct proc_reader reader = {.root = root};
    const char *text = proc_read(&reader, "/proc/stat");

    *look = (struct look){.moment_ns = moment_ns};
    if (text)
        look_at_times(text, look);
    for (int i = 0; i < 3; i++) {
        text = proc_read(&reader, "/proc/pressure/%s", names[i]);
        look->pressure_us[i] = text ? proc_field(text, "some", "total=") : UNKNOWN;
    }
    proc_close(&reader);
}

static double clipped(double part)
{
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

static double pressure(const struct look *before, const struct look *after, int index)
{
    int64_t elapsed_us = (after->moment_ns - before->moment_ns) / NS_PER_US;

    if (before->pressure_us[index] == UNKNOWN || after->pressure_us[index] == UNKNOWN || elapsed_us <= 0)
        return UNKNOWN;
    return clipped((double)(after->pressure_us[index] - before->pressure_us[index]) / (double)elapsed_us);
}

void machine_disturbance(const struct look *before, const struct look *after, int64_t own_cpu_ns,
                         struct disturbance *disturbance)
{
    double own_ticks = (double)own_cpu_ns * (double)sysconf(_SC_CLK_TCK) / NS_PER_S;
    double all = (double)(after->all_ticks - before->all_ticks);

    *disturbance = (struct disturbance){UNKNOWN, UNKNOWN, pressure(before, after, 0), pressure(before, after, 1),
                                        pressure(before, after, 2)};
    if (before->all_ticks == 0 || after->all_ticks == 0 || all <= 0)
        return;
    disturbance->steal = clipped((double)(after->steal_ticks - before->steal_ticks) / all);
    disturbance->other = clipped(((double)(after->busy_ticks - before->busy_ticks) - own_ticks) / all);
}
