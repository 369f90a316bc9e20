/* What else goes on: the times of all CPUs, and how long something had to wait. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "machine_files.h"
#include "report.h"

#define TIMES 8 /* user, nice, system, idle, iowait, irq, softirq, steal; those of guests are in the first two */

enum { IDLE = 3, IO_WAIT = 4, STEAL = 7 };

static int parse_times(const char *text, int64_t times[TIMES])
{
    char *end;
    int i;

    if (strncmp(text, "cpu ", 4) != 0)
        return 0;
    text += 4;
    for (i = 0; i < TIMES; i++, text = end) {
        times[i] = strtoll(text, &end, 10);
        if (end == text || times[i] < 0)
            return 0;
    }
    return 1;
}

static void look_at_times(struct place *place, struct look *look)
{
    int64_t times[TIMES];
    int i;

    if (!place_read_line(place, "/proc/stat") || !parse_times(place->text, times))
        return;
    for (i = 0; i < TIMES; i++)
        look->all_ticks += times[i];
    look->steal_ticks = times[STEAL];
    look->busy_ticks = look->all_ticks - times[IDLE] - times[IO_WAIT] - times[STEAL];
}

static int64_t pressure_us(struct place *place, const char *name)
{
    const char *total;
    char *end;
    int64_t us;

    if (!place_read_line(place, "/proc/pressure/%s", name) || strncmp(place->text, "some ", 5) != 0)
        return UNKNOWN;
    total = strstr(place->text, " total=");
    if (!total)
        return UNKNOWN;
    us = strtoll(total + 7, &end, 10);
    return end == total + 7 || us < 0 ? UNKNOWN : us;
}

void machine_look(const char *root, int64_t moment_ns, struct look *look)
{
    static const char *const names[] = {"cpu", "io", "memory"};
    struct place place = {.root = root};
    int i;

    *look = (struct look){.moment_ns = moment_ns};
    look_at_times(&place, look);
    for (i = 0; i < 3; i++)
        look->pressure_us[i] = pressure_us(&place, names[i]);
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
