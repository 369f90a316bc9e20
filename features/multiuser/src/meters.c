/* Reads /proc, and cpu.stat and memory.* of the control group (version 2), and computes the reported values. */
#include "meters.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ALL_GROUPS "/sys/fs/cgroup"
#define US_PER_S   1000000

/* The columns of /proc/stat; USER includes the time of guests. */
enum column { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };

enum kind { DIFFERENCE, MACHINE_PEAK, GROUP_PEAK };

struct meter {
    const char *name;
    enum kind kind;
    size_t offset;  /* of the counter in a reading */
    double divisor; /* from its unit to the unit of the name */
};

#define COUNTS(name, member) {name, DIFFERENCE, offsetof(struct meters_reading, member), 1}
#define TIMES(name, member)  {name, DIFFERENCE, offsetof(struct meters_reading, member), 1e6}

static const struct meter table[] = {
    {"machine.elapsed_s", DIFFERENCE, offsetof(struct meters_reading, moment_ns), 1e9},
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
    {"machine.memory_most_kb", MACHINE_PEAK, 0, 1},
    TIMES("machine.pressure_cpu_s", machine_pressure_cpu_us),
    TIMES("machine.pressure_io_s", machine_pressure_io_us),
    TIMES("machine.pressure_memory_s", machine_pressure_memory_us),
    TIMES("group.cpu_user_s", group_user_us),
    TIMES("group.cpu_system_s", group_system_us),
    COUNTS("group.faults_minor", group_faults_minor),
    COUNTS("group.faults_major", group_faults_major),
    {"group.memory_most_kb", GROUP_PEAK, 0, 1},
};

/*
 * Return a sum and a difference: -1 (unknown) if one of the terms is unknown, or the result overflows or is negative.
 */
static int64_t sum(int64_t one, int64_t other)
{
    return one < 0 || other < 0 || one > INT64_MAX - other ? -1 : one + other;
}

static int64_t rest(int64_t one, int64_t other)
{
    return one < 0 || other < 0 || one < other ? -1 : one - other;
}

static int64_t ticks_us(int64_t ticks)
{
    const int64_t hz = sysconf(_SC_CLK_TCK);

    if (ticks < 0 || hz <= 0 || ticks / hz >= INT64_MAX / US_PER_S)
        return -1;
    return ticks / hz * US_PER_S + ticks % hz * US_PER_S / hz;
}

/* Returns a counter of the machine, or -1 if it is 0: then the kernel does not count it. */
static int64_t counted(int64_t count)
{
    return count > 0 ? count : -1;
}

static const char *text_of(struct meters *meters, enum meters_file file)
{
    return proc_text(&meters->reader, meters->fds[file]);
}

/* Returns the single number of a file, which is in bytes. */
static int64_t kilobytes(struct meters *meters, enum meters_file file)
{
    const int64_t number = proc_number(text_of(meters, file), "", 0);

    return number < 0 ? -1 : number / 1024;
}

static void open_machine(struct meters *meters)
{
    static const char *const names[] = {
        [METERS_STAT] = "stat", [METERS_VMSTAT] = "vmstat", [METERS_MEMINFO] = "meminfo",
        [METERS_PRESSURE_CPU] = "pressure/cpu", [METERS_PRESSURE_IO] = "pressure/io",
        [METERS_PRESSURE_MEMORY] = "pressure/memory", [METERS_GROUPS] = "self/cgroup",
    };

    for (int file = METERS_STAT; file <= METERS_GROUPS; file++)
        meters->fds[file] = proc_open(&meters->reader, "/proc/%s", names[file]);
}

/* Reads the columns of CPU time; -1 is unknown.  If all columns are 0, the kernel does not count times. */
static void read_ticks(const char *text, int64_t ticks[COLUMNS])
{
    int is_counted = 0;

    for (int i = 0; i < COLUMNS; i++) {
        ticks[i] = proc_number(text, "cpu", i);
        is_counted |= ticks[i] > 0;
    }
    for (int i = 0; i < COLUMNS && !is_counted; i++)
        ticks[i] = -1;
}

static void read_stat(struct meters *meters, struct meters_reading *reading)
{
    const char *text = text_of(meters, METERS_STAT);
    int64_t ticks[COLUMNS];

    read_ticks(text, ticks);
    reading->machine_user_us = ticks_us(sum(ticks[USER], ticks[NICE]));
    reading->machine_system_us = ticks_us(ticks[SYSTEM]);
    reading->machine_irq_us = ticks_us(sum(ticks[IRQ], ticks[SOFTIRQ]));
    reading->machine_steal_us = ticks_us(ticks[STEAL]);
    reading->machine_idle_us = ticks_us(ticks[IDLE]);
    reading->machine_iowait_us = ticks_us(ticks[IOWAIT]);
    reading->machine_switches = counted(proc_number(text, "ctxt", 0));
    reading->machine_forks = counted(proc_number(text, "processes", 0));
    reading->machine_interrupts = counted(proc_number(text, "intr", 0));
}

static int64_t pressure_us(struct meters *meters, enum meters_file file)
{
    return proc_field(text_of(meters, file), "some", "total=");
}

static void read_machine(struct meters *meters, struct meters_reading *reading)
{
    read_stat(meters, reading);

    const char *text = text_of(meters, METERS_VMSTAT);

    reading->machine_faults_major = proc_number(text, "pgmajfault", 0);
    reading->machine_faults_minor = rest(counted(proc_number(text, "pgfault", 0)), reading->machine_faults_major);
    reading->machine_pressure_cpu_us = pressure_us(meters, METERS_PRESSURE_CPU);
    reading->machine_pressure_io_us = pressure_us(meters, METERS_PRESSURE_IO);
    reading->machine_pressure_memory_us = pressure_us(meters, METERS_PRESSURE_MEMORY);
}

/*
 * Returns the available memory.  Kernels before 3.14 do not report it: there it is estimated as free memory plus cache.
 */
static int64_t available_kb(const char *text)
{
    const int64_t available = proc_number(text, "MemAvailable:", 0);
    const int64_t files = sum(proc_number(text, "Buffers:", 0), proc_number(text, "Cached:", 0));

    return available >= 0 ? available : sum(proc_number(text, "MemFree:", 0), files);
}

static int64_t machine_memory_kb(struct meters *meters)
{
    const char *text = text_of(meters, METERS_MEMINFO);

    return rest(proc_number(text, "MemTotal:", 0), available_kb(text));
}

static int is_group(const char *root, const char *directory)
{
    char procs[PATH_MAX];

    return snprintf(procs, sizeof procs, "%s%s/cgroup.procs", root, directory) < (int)sizeof procs
           && access(procs, F_OK) == 0;
}

/* Returns whether the path has a "/..": then it leaves the part of the tree that is mounted here. */
static int leads_out(const struct proc_group *group)
{
    const char *up = strstr(group->path, "/..");

    return up && up < group->path + group->path_length;
}

/*
 * Writes the directory of the group of this process below a mount; returns whether there is one.  A container often
 * mounts only its own part of the tree, while the path is that in the whole tree.  Then the mount itself is the group.
 */
static int find_below(const char *root, const char *mount, const struct proc_group *group, char directory[PATH_MAX])
{
    if (!is_group(root, mount))
        return 0;
    snprintf(directory, PATH_MAX, "%s%.*s", mount, group->path_length, group->path);
    if (leads_out(group) || !is_group(root, directory))
        snprintf(directory, PATH_MAX, "%s", mount);
    return 1;
}

/* Opens the files of the control group.  Beside groups of version 1, those of version 2 have a folder of their own. */
static void open_group(struct meters *meters)
{
    static const char *const names[] = {
        [METERS_GROUP_CPU] = "cpu.stat", [METERS_GROUP_MEMORY_STAT] = "memory.stat",
        [METERS_GROUP_MEMORY] = "memory.current", [METERS_GROUP_PEAK] = "memory.peak",
    };
    const char *root = meters->reader.root, *groups = text_of(meters, METERS_GROUPS);
    struct proc_group group;
    char directory[PATH_MAX];
    const int is_found = proc_group(groups, "", &group)
                         && (find_below(root, ALL_GROUPS, &group, directory)
                             || find_below(root, ALL_GROUPS "/unified", &group, directory));

    for (int file = METERS_GROUP_CPU; file < METERS_FILES; file++)
        meters->fds[file] = is_found ? proc_open(&meters->reader, "%s/%s", directory, names[file]) : -1;
}

static void read_group(struct meters *meters, struct meters_reading *reading)
{
    const char *text = text_of(meters, METERS_GROUP_CPU);

    reading->group_user_us = proc_number(text, "user_usec", 0);
    reading->group_system_us = proc_number(text, "system_usec", 0);
    text = text_of(meters, METERS_GROUP_MEMORY_STAT);
    reading->group_faults_major = proc_number(text, "pgmajfault", 0);
    reading->group_faults_minor = rest(proc_number(text, "pgfault", 0), reading->group_faults_major);
    reading->group_peak_kb = kilobytes(meters, METERS_GROUP_PEAK);
}

void meters_open(struct meters *meters, const char *root)
{
    *meters = (struct meters){.reader.root = root};
    open_machine(meters);
    open_group(meters);
}

void meters_read(struct meters *meters, struct meters_reading *reading)
{
    read_machine(meters, reading);
    read_group(meters, reading);
}

/* The machine's memory does not include the cache of files; the group's does. */
void meters_read_memory(struct meters *meters, struct memory_peak *peak)
{
    const int64_t machine_kb = machine_memory_kb(meters), group_kb = kilobytes(meters, METERS_GROUP_MEMORY);

    if (machine_kb > peak->machine_kb)
        peak->machine_kb = machine_kb;
    if (group_kb > peak->group_kb)
        peak->group_kb = group_kb;
}

void meters_close(struct meters *meters)
{
    for (int file = 0; file < METERS_FILES; file++)
        if (meters->fds[file] >= 0)
            close(meters->fds[file]);
    proc_close(&meters->reader);
}

int meters_count(void)
{
    return (int)(sizeof table / sizeof *table);
}

const char *meters_name(int index)
{
    return table[index].name;
}

/* Returns the difference of a counter; 0 if it went backwards, as the time of waiting for I/O may. */
static int64_t difference(size_t offset, const struct meters_reading *before, const struct meters_reading *after)
{
    const int64_t from = *(const int64_t *)((const char *)before + offset);
    const int64_t to = *(const int64_t *)((const char *)after + offset);

    if (from < 0 || to < 0)
        return -1;
    return to > from ? to - from : 0;
}

/*
 * Returns the peak of the group's memory.  The kernel's own peak counts from the start of the group.  If it rose
 * between the readings, it belongs to this time and is exact.  The other peak is the largest of a few readings.
 */
static int64_t group_peak_kb(const struct meters_reading *before, const struct meters_reading *after,
                             const struct memory_peak *peak)
{
    const int has_risen = before->group_peak_kb >= 0 && after->group_peak_kb > before->group_peak_kb;

    return has_risen && after->group_peak_kb > peak->group_kb ? after->group_peak_kb : peak->group_kb;
}

double meters_value(int index, const struct meters_reading *before, const struct meters_reading *after,
                    const struct memory_peak *peak)
{
    const struct meter *meter = &table[index];

    switch (meter->kind) {
    case MACHINE_PEAK:
        return (double)peak->machine_kb;
    case GROUP_PEAK:
        return (double)group_peak_kb(before, after, peak);
    default:
        return (double)difference(meter->offset, before, after) / meter->divisor;
    }
}
