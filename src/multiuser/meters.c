/* The table of what is reported. */
#include "meters.h"

#include <unistd.h>

#include "meters_group.h"
#include "meters_machine.h"

enum kind { DIFFERENCE, MACHINE_MOST, GROUP_MOST };

struct meter {
    const char *name;
    enum kind kind;
    size_t offset;  /* of the number in a look */
    double divisor; /* to the unit that is reported */
};

#define COUNTS(name, member) {name, DIFFERENCE, offsetof(struct meters_look, member), 1}
#define TIMES(name, member)  {name, DIFFERENCE, offsetof(struct meters_look, member), 1e6}

static const struct meter meters[] = {
    {"machine.elapsed_s", DIFFERENCE, offsetof(struct meters_look, moment_ns), 1e9},
    TIMES("machine.cpu_user_s", machine_user_us),
    TIMES("machine.cpu_system_s", machine_system_us),
    TIMES("machine.cpu_irq_s", machine_irq_us),
    TIMES("machine.cpu_steal_s", machine_steal_us),
    TIMES("machine.cpu_idle_s", machine_idle_us),
    TIMES("machine.cpu_iowait_s", machine_iowait_us),
    COUNTS("machine.faults_minor", machine_faults_minor),
    COUNTS("machine.faults_major", machine_faults_major),
    COUNTS("machine.switches", machine_switches),
    COUNTS("machine.forks", machine_forks),
    COUNTS("machine.interrupts", machine_interrupts),
    {"machine.memory_most_kb", MACHINE_MOST, 0, 1},
    TIMES("machine.pressure_cpu_s", machine_pressure_cpu_us),
    TIMES("machine.pressure_io_s", machine_pressure_io_us),
    TIMES("machine.pressure_memory_s", machine_pressure_memory_us),
    TIMES("group.cpu_user_s", group_user_us),
    TIMES("group.cpu_system_s", group_system_us),
    COUNTS("group.faults_minor", group_faults_minor),
    COUNTS("group.faults_major", group_faults_major),
    {"group.memory_most_kb", GROUP_MOST, 0, 1},
};

void meters_open(struct meters_sources *sources, const char *root)
{
    *sources = (struct meters_sources){.reader.root = ""};
    for (int file = 0; file < METERS_FILES; file++)
        sources->fds[file] = -1;
    meters_machine_open(sources, root);
    meters_group_open(sources, root);
}

void meters_read(struct meters_sources *sources, struct meters_look *look)
{
    meters_machine_read(sources, look);
    meters_group_read(sources, look);
}

void meters_most_begin(struct meters_most *most)
{
    *most = (struct meters_most){-1, -1};
}

void meters_note_memory(struct meters_sources *sources, struct meters_most *most)
{
    const int64_t machine_kb = meters_machine_memory_kb(sources), group_kb = meters_group_memory_kb(sources);

    if (machine_kb > most->machine_kb)
        most->machine_kb = machine_kb;
    if (group_kb > most->group_kb)
        most->group_kb = group_kb;
}

void meters_close(struct meters_sources *sources)
{
    for (int file = 0; file < METERS_FILES; file++)
        if (sources->fds[file] >= 0)
            close(sources->fds[file]);
    proc_close(&sources->reader);
}

int meters_count(void)
{
    return (int)(sizeof meters / sizeof *meters);
}

const char *meters_name(int index)
{
    return meters[index].name;
}

/* What counts backwards, as the time of waiting for I/O may, stood still. */
static int64_t difference(size_t offset, const struct meters_look *before, const struct meters_look *after)
{
    const int64_t from = *(const int64_t *)((const char *)before + offset);
    const int64_t to = *(const int64_t *)((const char *)after + offset);

    if (from < 0 || to < 0)
        return -1;
    return to > from ? to - from : 0;
}

/*
 * The kernel's own peak is of all time since the group was made: only one that rose meanwhile is of this time, and
 * then it misses nothing, as looking now and then does.
 */
static int64_t group_most_kb(const struct meters_look *before, const struct meters_look *after,
                             const struct meters_most *most)
{
    const int has_risen = before->group_peak_kb >= 0 && after->group_peak_kb > before->group_peak_kb;

    return has_risen && after->group_peak_kb > most->group_kb ? after->group_peak_kb : most->group_kb;
}

double meters_value(int index, const struct meters_look *before, const struct meters_look *after,
                    const struct meters_most *most)
{
    const struct meter *meter = &meters[index];

    switch (meter->kind) {
    case MACHINE_MOST:
        return (double)most->machine_kb;
    case GROUP_MOST:
        return (double)group_most_kb(before, after, most);
    default:
        return (double)difference(meter->offset, before, after) / meter->divisor;
    }
}
