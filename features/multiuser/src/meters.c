/*
 * Reads /proc, and the control group's cpu.stat and memory.* (version 2) or cpuacct.* and memory.* (version 1), and
 * computes the reported values.
 */
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

/* Returns the single number of a file, divided by the unit. */
static int64_t single(struct meters *meters, enum meters_file file, int64_t unit)
{
    const int64_t number = proc_number(text_of(meters, file), "", 0);

    return number < 0 ? -1 : number / unit;
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
 * Writes the directory of the group below a mount; returns 0 if there is no such mount.  A container often mounts only
 * its own part of the tree, while the path is that in the whole tree.  Then the mount itself is the group.
 */
static int find_below(const char *root, const char *mount, int mount_length, const struct proc_group *group,
                      char directory[PATH_MAX])
{
    const int length = snprintf(directory, PATH_MAX, "%s/%.*s", ALL_GROUPS, mount_length, mount);

    if (length >= PATH_MAX || !is_group(root, directory))
        return 0;
    if (leads_out(group) || group->path_length >= PATH_MAX - length)
        return 1;
    memcpy(directory + length, group->path, (size_t)group->path_length);
    directory[length + group->path_length] = '\0';
    if (!is_group(root, directory))
        directory[length] = '\0';
    return 1;
}

/*
 * Writes the directory of the group in which a controller counts this process; returns whether there is one.
 * Version 1 has a tree for each list of controllers, version 2 one for all; a machine may have both.
 */
static int find_group(const char *root, const char *groups, const char *controller, char directory[PATH_MAX])
{
    struct proc_group group;

    if (proc_group(groups, controller, &group)
        && (find_below(root, group.list, group.list_length, &group, directory)
            || find_below(root, controller, (int)strlen(controller), &group, directory)))
        return 1;
    return proc_group(groups, "", &group)
           && (find_below(root, "", 0, &group, directory)
               || find_below(root, "unified", (int)strlen("unified"), &group, directory));
}

/*
 * Opens the files of the control group.  The reader keeps one text, here that of METERS_GROUPS, so the loop opens files
 * but reads none.
 */
static void open_group(struct meters *meters)
{
    static const struct {
        enum meters_file file;
        const char *controller, *names[2]; /* the first name that exists */
    } files[] = {
        {METERS_GROUP_CPU, "cpuacct", {"cpuacct.stat", "cpu.stat"}},
        {METERS_GROUP_CPU_USER, "cpuacct", {"cpuacct.usage_user", NULL}},
        {METERS_GROUP_CPU_SYSTEM, "cpuacct", {"cpuacct.usage_sys", NULL}},
        {METERS_GROUP_MEMORY_STAT, "memory", {"memory.stat", NULL}},
        {METERS_GROUP_MEMORY, "memory", {"memory.current", "memory.usage_in_bytes"}},
        {METERS_GROUP_PEAK, "memory", {"memory.peak", "memory.max_usage_in_bytes"}},
    };
    const char *groups = text_of(meters, METERS_GROUPS);

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int *fd = &meters->fds[files[i].file];
        char directory[PATH_MAX];

        *fd = -1;
        if (!find_group(meters->reader.root, groups, files[i].controller, directory))
            continue;
        for (int j = 0; j < 2 && files[i].names[j] && *fd < 0; j++)
            *fd = proc_open(&meters->reader, "%s/%s", directory, files[i].names[j]);
    }
}

/*
 * Reads the group's CPU times.  Version 2 counts microseconds, version 1 ticks.  Before Linux 5.17 usage_user and
 * usage_sys are wrong: nearly all the time is in usage_user.  So they are read only if there is nothing else.
 */
static void read_group_times(struct meters *meters, int64_t *user_us, int64_t *system_us)
{
    const char *text = text_of(meters, METERS_GROUP_CPU);

    *user_us = proc_number(text, "user_usec", 0);
    *system_us = proc_number(text, "system_usec", 0);
    if (*user_us >= 0 && *system_us >= 0)
        return;
    *user_us = ticks_us(proc_number(text, "user", 0));
    *system_us = ticks_us(proc_number(text, "system", 0));
    if (*user_us >= 0 && *system_us >= 0)
        return;
    *user_us = single(meters, METERS_GROUP_CPU_USER, 1000);
    *system_us = single(meters, METERS_GROUP_CPU_SYSTEM, 1000);
}

/*
 * Returns the counter total_name, or, if it is missing, name.  In version 1 only the totals include the groups below.
 */
static int64_t total(const char *text, const char *total_name, const char *name)
{
    const int64_t number = proc_number(text, total_name, 0);

    return number >= 0 ? number : proc_number(text, name, 0);
}

static void read_group(struct meters *meters, struct meters_reading *reading)
{
    read_group_times(meters, &reading->group_user_us, &reading->group_system_us);

    const char *text = text_of(meters, METERS_GROUP_MEMORY_STAT);

    reading->group_faults_major = total(text, "total_pgmajfault", "pgmajfault");
    reading->group_faults_minor = rest(total(text, "total_pgfault", "pgfault"), reading->group_faults_major);
    reading->group_peak_kb = single(meters, METERS_GROUP_PEAK, 1024);
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
    const int64_t machine_kb = machine_memory_kb(meters), group_kb = single(meters, METERS_GROUP_MEMORY, 1024);

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
