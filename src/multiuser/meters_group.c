/* What the files of a control group say: cpu.stat and memory.* of version 2, cpuacct.* and memory.* of version 1. */
#include "meters_group.h"

#include <limits.h>
#include <stdio.h>

#include "meters_place.h"
#include "meters_units.h"

struct group_file {
    enum meters_files file;
    const char *controller, *names[2];
};

static const struct group_file group_files[] = {
    {METERS_GROUP_CPU, "cpuacct", {"cpuacct.stat", "cpu.stat"}},
    {METERS_GROUP_CPU_USER, "cpuacct", {"cpuacct.usage_user", NULL}},
    {METERS_GROUP_CPU_SYSTEM, "cpuacct", {"cpuacct.usage_sys", NULL}},
    {METERS_GROUP_MEMORY_STAT, "memory", {"memory.stat", NULL}},
    {METERS_GROUP_MEMORY, "memory", {"memory.current", "memory.usage_in_bytes"}},
    {METERS_GROUP_PEAK, "memory", {"memory.peak", "memory.max_usage_in_bytes"}},
};

/* The first of both names that is there. */
static void open_either(struct meters_sources *sources, const struct group_file *file, const char *directory)
{
    char path[PATH_MAX];

    for (int i = 0; i < 2 && file->names[i] && sources->fds[file->file] < 0; i++)
        if (snprintf(path, sizeof path, "%s/%s", directory, file->names[i]) < (int)sizeof path)
            meters_file_open(sources, file->file, path);
}

void meters_group_open(struct meters_sources *sources, const char *root)
{
    char directory[PATH_MAX];
    const char *groups;

    if (snprintf(directory, sizeof directory, "%s/proc/self/cgroup", root) >= (int)sizeof directory)
        return;
    meters_file_open(sources, METERS_GROUPS, directory);
    groups = meters_file_text(sources, METERS_GROUPS);
    for (size_t i = 0; i < sizeof group_files / sizeof *group_files; i++)
        if (meters_place(root, groups, group_files[i].controller, directory))
            open_either(sources, &group_files[i], directory);
}

static void read_times(struct meters_sources *sources, struct meters_look *look)
{
    const char *text = meters_file_text(sources, METERS_GROUP_CPU);

    look->group_user_us = proc_number(text, "user_usec", 0);
    look->group_system_us = proc_number(text, "system_usec", 0);
    if (look->group_user_us >= 0 && look->group_system_us >= 0)
        return;
    look->group_user_us = meters_ticks_us(proc_number(text, "user", 0));
    look->group_system_us = meters_ticks_us(proc_number(text, "system", 0));
}

/* Files with a single number, of units of which so many make one. */
static int64_t single(struct meters_sources *sources, enum meters_files file, int64_t unit)
{
    const int64_t number = proc_number(meters_file_text(sources, file), "", 0);

    return number < 0 ? -1 : number / unit;
}

/* Before Linux 5.17 usage_user and usage_sys are wrong (nearly all is user): only where there is nothing else. */
static void read_usage(struct meters_sources *sources, struct meters_look *look)
{
    if (look->group_user_us >= 0 && look->group_system_us >= 0)
        return;
    look->group_user_us = single(sources, METERS_GROUP_CPU_USER, 1000);
    look->group_system_us = single(sources, METERS_GROUP_CPU_SYSTEM, 1000);
}

/* In version 1 the groups below count in the totals alone. */
static int64_t total(const char *text, const char *total_name, const char *name)
{
    const int64_t number = proc_number(text, total_name, 0);

    return number >= 0 ? number : proc_number(text, name, 0);
}

void meters_group_read(struct meters_sources *sources, struct meters_look *look)
{
    const char *text;

    read_times(sources, look);
    read_usage(sources, look);
    text = meters_file_text(sources, METERS_GROUP_MEMORY_STAT);
    look->group_faults_major = total(text, "total_pgmajfault", "pgmajfault");
    look->group_faults_minor = meters_rest(total(text, "total_pgfault", "pgfault"), look->group_faults_major);
    look->group_peak_kb = single(sources, METERS_GROUP_PEAK, 1024);
}

int64_t meters_group_memory_kb(struct meters_sources *sources)
{
    return single(sources, METERS_GROUP_MEMORY, 1024);
}
