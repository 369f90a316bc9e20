/* Finds out what this process may use: CPUs, privileges, and the memory that its control groups leave. */
#include "machine.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "stats.h"

#define CPUS_MOST 65536 /* the kernel refuses masks smaller than its own */

struct mask {
    cpu_set_t sets[CPUS_MOST / CPU_SETSIZE];
};

static int is_allowed(const struct mask *mask, int cpu)
{
    return CPU_ISSET_S(cpu, sizeof *mask, mask->sets) != 0;
}

/* Returns the CPUs that this process may use, as at its start: threads that are bound later do not change them. */
static const struct mask *allowed(void)
{
    static struct mask mask;
    static int is_known;

    if (!is_known && sched_getaffinity(0, sizeof mask, mask.sets) != 0)
        memset(&mask, 0, sizeof mask);
    is_known = 1;
    return &mask;
}

int cpus_count(void)
{
    const int count = CPU_COUNT_S(sizeof(struct mask), allowed()->sets);

    return count > 0 ? count : 1;
}

int cpus_at(int n)
{
    const struct mask *mask = allowed();

    n %= cpus_count();
    for (int cpu = 0; cpu < CPUS_MOST; cpu++)
        if (is_allowed(mask, cpu) && n-- == 0)
            return cpu;
    return UNKNOWN;
}

int cpus_include(int cpu)
{
    return cpu >= 0 && cpu < CPUS_MOST && is_allowed(allowed(), cpu);
}

int cpus_bind(int cpu)
{
    struct mask mask;

    memset(&mask, 0, sizeof mask);
    CPU_SET_S(cpu, sizeof mask, mask.sets);
    return sched_setaffinity(0, sizeof mask, mask.sets) == 0 ? 0 : errno;
}

/* Privileges depend on capabilities, limits and control groups, so the only way to know them is to try. */
int privilege_fifo(void)
{
    const struct sched_param lowest = {.sched_priority = 1}, usual = {0};
    const int before = sched_getscheduler(0);
    const int policy = before == SCHED_BATCH || before == SCHED_IDLE ? before : SCHED_OTHER;

    if (sched_setscheduler(0, SCHED_FIFO, &lowest) != 0)
        return 0;
    return sched_setscheduler(0, policy, &usual) == 0;
}

int privilege_nice(int nice)
{
    const int before = getpriority(PRIO_PROCESS, 0);

    if (nice >= before)
        return 1;
    if (setpriority(PRIO_PROCESS, 0, nice) != 0)
        return 0;
    return setpriority(PRIO_PROCESS, 0, before) == 0;
}

/* A control group: its directory is both parts together. */
struct group {
    char mount[64];
    char path[PATH_MAX / 2]; /* "" for the top */
};

/*
 * Finds the group of a controller in version 1, or with "" that in version 2.  The mount of "cpuacct,cpu" may be called
 * cpu alone.
 */
static int find_group(struct proc_reader *reader, const char *controller, struct group *group)
{
    const char *text = proc_read(reader, "/proc/self/cgroup");
    struct proc_group found;

    if (!text || !proc_group(text, controller, &found))
        return 0;
    snprintf(group->mount, sizeof group->mount, "/sys/fs/cgroup%s%.*s", *controller ? "/" : "", found.list_length,
             found.list);
    if (snprintf(group->path, sizeof group->path, "%.*s", found.path_length, found.path) >= (int)sizeof group->path)
        return 0;
    if (*controller && !proc_read(reader, "%s/cgroup.procs", group->mount))
        snprintf(group->mount, sizeof group->mount, "/sys/fs/cgroup/%s", controller);
    return 1;
}

/* Changes the group to the one above; returns 0 if it is the top. */
static int go_up(struct group *group)
{
    char *slash = strrchr(group->path, '/');

    if (!slash)
        return 0;
    *slash = '\0';
    return 1;
}

/* Returns the number in a file, or UNKNOWN: the file may be missing, or say "max". */
static int64_t read_group_number(struct proc_reader *reader, const struct group *group, const char *file)
{
    const char *text = proc_read(reader, "%s%s/%s", group->mount, group->path, file);

    return text ? proc_number(text, "", 0) : UNKNOWN;
}

/* The files of a control group that limit its memory. */
struct memory_files {
    const char *controller, *limit, *usage, *inactive, *active;
};

/*
 * Returns the bytes that a group may still use, or UNKNOWN.  Cached files do not count as used: they make room when
 * memory is needed.
 */
static int64_t memory_left_in(struct proc_reader *reader, const struct group *group, const struct memory_files *files)
{
    const int64_t limit = read_group_number(reader, group, files->limit);

    if (limit < 0)
        return UNKNOWN;

    const int64_t usage = greatest(read_group_number(reader, group, files->usage), 0);
    const char *stat = proc_read(reader, "%s%s/memory.stat", group->mount, group->path);
    const int64_t cached = stat ? greatest(proc_number(stat, files->inactive, 0), 0)
                                  + greatest(proc_number(stat, files->active, 0), 0) : 0;

    return greatest(limit - greatest(usage - cached, 0), 0);
}

static int64_t lesser_limit(int64_t one, int64_t other)
{
    return one < 0 || (other >= 0 && other < one) ? other : one;
}

static int64_t memory_left(struct proc_reader *reader, const struct memory_files *files)
{
    int64_t left = UNKNOWN;
    struct group group;

    if (!find_group(reader, files->controller, &group))
        return UNKNOWN;
    do
        left = lesser_limit(left, memory_left_in(reader, &group, files));
    while (go_up(&group));
    return left;
}

int64_t limits_memory_bytes(struct proc_reader *reader)
{
    static const struct memory_files old = {"memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                            "total_inactive_file", "total_active_file"};
    static const struct memory_files new = {"", "memory.max", "memory.current", "inactive_file", "active_file"};

    return lesser_limit(memory_left(reader, &old), memory_left(reader, &new));
}
