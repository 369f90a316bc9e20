/* Finds out what this process may use: CPUs, privileges, and the limits of its control groups. */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

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

static const char latency_file[] = "/dev/cpu_dma_latency";

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

static int may_lock_memory(void)
{
    return mlockall(MCL_CURRENT) == 0 && munlockall() == 0;
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

void privileges_missing(char text[PRIVILEGES_TEXT_MAX])
{
    const char *const missing[] = {
        privilege_fifo() ? NULL : "SCHED_FIFO",
        may_lock_memory() ? NULL : "locked memory",
        privilege_nice(-1) ? NULL : "nice below 0",
        access(latency_file, W_OK) == 0 ? NULL : latency_file,
    };

    text[0] = '\0';
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (missing[i])
            snprintf(text + strlen(text), PRIVILEGES_TEXT_MAX - strlen(text), "%s%s", text[0] ? ", " : "",
                     missing[i]);
}

/* The request holds as long as the file is open. */
int privilege_stay_awake(void)
{
    const int32_t longest_us = 0;
    const int file = open(latency_file, O_WRONLY | O_CLOEXEC);

    if (file < 0)
        return errno;
    return write(file, &longest_us, sizeof longest_us) == sizeof longest_us ? 0 : errno;
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

static const char *read_group_line(struct proc_reader *reader, const struct group *group, const char *file)
{
    return proc_read_line(reader, "%s%s/%s", group->mount, group->path, file);
}

/* Returns the number in a file; a negative one if it is unknown. */
static long long read_group_number(struct proc_reader *reader, const struct group *group, const char *file)
{
    const char *line = read_group_line(reader, group, file);
    long long number;

    return line && sscanf(line, "%lld", &number) == 1 ? number : UNKNOWN;
}

static struct cpu_quota read_old_quota(struct proc_reader *reader, const struct group *group)
{
    return (struct cpu_quota){read_group_number(reader, group, "cpu.cfs_quota_us"),
                              read_group_number(reader, group, "cpu.cfs_period_us")};
}

static struct cpu_quota read_new_quota(struct proc_reader *reader, const struct group *group)
{
    const char *line = read_group_line(reader, group, "cpu.max");
    struct cpu_quota quota;

    if (!line || sscanf(line, "%lld %lld", &quota.quota_us, &quota.period_us) != 2)
        return (struct cpu_quota){0, 0};
    return quota;
}

static double cpus_of(struct cpu_quota quota)
{
    return (double)quota.quota_us / (double)quota.period_us;
}

/* Returns the strictest quota of a group and those above it: a group cannot use more than they may. */
static struct cpu_quota strictest_quota(struct proc_reader *reader, const char *controller,
                                        struct cpu_quota (*read_quota)(struct proc_reader *, const struct group *))
{
    struct cpu_quota strictest = {0, 0};
    struct group group;

    if (!find_group(reader, controller, &group))
        return strictest;
    do {
        const struct cpu_quota quota = read_quota(reader, &group);

        if (quota.quota_us > 0 && quota.period_us > 0
            && (strictest.period_us == 0 || cpus_of(quota) < cpus_of(strictest)))
            strictest = quota;
    } while (go_up(&group));
    return strictest;
}

struct cpu_quota limits_cpu_quota(struct proc_reader *reader)
{
    const struct cpu_quota old = strictest_quota(reader, "cpu", read_old_quota);

    return old.period_us > 0 ? old : strictest_quota(reader, "", read_new_quota);
}

static const char *nearest_cpuset(struct proc_reader *reader, const char *controller, const char *file)
{
    const char *cpus;
    struct group group;

    if (!find_group(reader, controller, &group))
        return NULL;
    do
        cpus = read_group_line(reader, &group, file);
    while (!cpus && go_up(&group));
    return cpus;
}

const char *limits_cpuset(struct proc_reader *reader)
{
    const char *cpus = nearest_cpuset(reader, "cpuset", "cpuset.cpus");

    return cpus ? cpus : nearest_cpuset(reader, "", "cpuset.cpus.effective");
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
