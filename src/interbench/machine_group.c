/* What the control group allows: CPUs, and a quota of their time. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_list.h"
#include "proc.h"

/* Where the groups of a controller are: version 2 has one tree, version 1 one for each set of controllers. */
struct tree {
    char mount[64];
    char path[PATH_MAX / 2];
};

static int find_line(struct proc_reader *reader, const char *controller, struct tree *tree)
{
    struct proc_group in;
    const char *groups = proc_read(reader, "/proc/self/cgroup");

    if (!groups || !proc_group(groups, controller ? controller : "", &in))
        return 0;
    snprintf(tree->mount, sizeof tree->mount, "/sys/fs/cgroup%s%.*s", controller ? "/" : "", in.list_length, in.list);
    return snprintf(tree->path, sizeof tree->path, "%.*s", in.path_length, in.path) < (int)sizeof tree->path;
}

/* The tree of "cpuacct,cpu" may be called cpu alone. */
static int find_tree(struct proc_reader *reader, const char *controller, struct tree *tree)
{
    if (!find_line(reader, controller, tree))
        return 0;
    if (controller && !proc_read(reader, "%s/cgroup.procs", tree->mount))
        snprintf(tree->mount, sizeof tree->mount, "/sys/fs/cgroup/%s", controller);
    return 1;
}

/* The group above, "" being the top one; 0 behind that. */
static int go_up(struct tree *tree)
{
    char *slash = strrchr(tree->path, '/');

    if (!slash)
        return 0;
    *slash = '\0';
    return 1;
}

struct quota {
    long long quota_us, period_us; /* period 0: none */
};

static void note_quota(struct quota *least, long long quota_us, long long period_us)
{
    if (quota_us <= 0 || period_us <= 0)
        return;
    if (least->period_us == 0 || (double)quota_us / period_us < (double)least->quota_us / least->period_us)
        *least = (struct quota){quota_us, period_us};
}

static int is_number(struct proc_reader *reader, const struct tree *tree, const char *file, long long *number)
{
    return proc_read_line(reader, "%s%s/%s", tree->mount, tree->path, file) &&
           sscanf(reader->text, "%lld", number) == 1;
}

static void note_old_quota(struct proc_reader *reader, const struct tree *tree, struct quota *least)
{
    long long quota_us, period_us;

    if (is_number(reader, tree, "cpu.cfs_quota_us", &quota_us) &&
        is_number(reader, tree, "cpu.cfs_period_us", &period_us))
        note_quota(least, quota_us, period_us);
}

static void note_new_quota(struct proc_reader *reader, const struct tree *tree, struct quota *least)
{
    long long quota_us, period_us;

    if (proc_read_line(reader, "%s%s/cpu.max", tree->mount, tree->path) &&
        sscanf(reader->text, "%lld %lld", &quota_us, &period_us) == 2)
        note_quota(least, quota_us, period_us);
}

/* A group has no more than those above it. */
static void add_quota(struct fact_list *list, const char *controller,
                      void (*note)(struct proc_reader *, const struct tree *, struct quota *))
{
    struct quota least = {0, 0};
    struct tree tree;

    if (!find_tree(&list->reader, controller, &tree))
        return;
    do
        note(&list->reader, &tree, &least);
    while (go_up(&tree));
    if (least.period_us > 0)
        fact_add(list, "cpu_quota", "%lld us of %lld us", least.quota_us, least.period_us);
}

/* Of the nearest group that says so. */
static void add_cpuset(struct fact_list *list, const char *controller, const char *file)
{
    struct tree tree;
    const char *cpus;

    if (!find_tree(&list->reader, controller, &tree))
        return;
    do
        cpus = proc_read_line(&list->reader, "%s%s/%s", tree.mount, tree.path, file);
    while (!cpus && go_up(&tree));
    if (cpus)
        fact_add(list, "cpuset", "%s", cpus);
}

void add_group_facts(struct fact_list *list)
{
    int count = list->count;

    add_cpuset(list, "cpuset", "cpuset.cpus");
    if (list->count == count)
        add_cpuset(list, NULL, "cpuset.cpus.effective");
    count = list->count;
    add_quota(list, "cpu", note_old_quota);
    if (list->count == count)
        add_quota(list, NULL, note_new_quota);
}
