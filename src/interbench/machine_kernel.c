/* Facts of the kernel: its release and how it schedules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_list.h"

#define RELEASE_MAX 128

struct choice {
    const char *sign, *name;
};

/* The release, which is a part of file names. */
static int read_release(struct proc_reader *reader, char release[RELEASE_MAX])
{
    if (!proc_read_line(reader, "/proc/sys/kernel/osrelease") || strchr(reader->text, '/'))
        return 0;
    return snprintf(release, RELEASE_MAX, "%s", reader->text) < RELEASE_MAX;
}

/* Returns the value of key in /boot/config-RELEASE, or NULL. */
static const char *configured(struct proc_reader *reader, const char *key)
{
    char release[RELEASE_MAX], path[RELEASE_MAX + 16];

    if (!read_release(reader, release))
        return NULL;
    snprintf(path, sizeof path, "/boot/config-%s", release);
    return proc_read_value(reader, path, key);
}

static int has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    const char *at = text;

    while ((at = strstr(at, word)) != NULL) {
        if ((at == text || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return 1;
        at += length;
    }
    return 0;
}

static const char *by_words(struct proc_reader *reader, const char *path, const struct choice *choices)
{
    if (!proc_read_line(reader, "%s", path))
        return NULL;
    for (; choices->sign; choices++)
        if (has_word(reader->text, choices->sign))
            return choices->name;
    return NULL;
}

static const char *by_configuration(struct proc_reader *reader, const struct choice *choices)
{
    for (; choices->sign; choices++) {
        const char *value = configured(reader, choices->sign);

        if (value && strcmp(value, "y") == 0)
            return choices->name;
    }
    return NULL;
}

/* What is in force may only be read by root; what the kernel was told and built for is the next best. */
static const char *preemption(struct proc_reader *reader)
{
    static const struct choice told[] = {
        {"preempt=none", "none"}, {"preempt=voluntary", "voluntary"}, {"preempt=lazy", "lazy"},
        {"preempt=full", "full"}, {NULL, NULL}};
    static const struct choice built[] = {
        {"CONFIG_PREEMPT_RT", "rt"}, {"CONFIG_PREEMPT_NONE", "none"}, {"CONFIG_PREEMPT_VOLUNTARY", "voluntary"},
        {"CONFIG_PREEMPT_LAZY", "lazy"}, {"CONFIG_PREEMPT", "full"}, {NULL, NULL}};
    static const struct choice named[] = {
        {"PREEMPT_RT", "rt"}, {"PREEMPT_DYNAMIC", "dynamic"}, {"PREEMPT_LAZY", "lazy"}, {"PREEMPT", "full"},
        {NULL, NULL}};
    static const struct choice real_time[] = {{"PREEMPT_RT", "rt"}, {NULL, NULL}};
    const char *model = by_words(reader, "/proc/sys/kernel/version", real_time);

    if (!model)
        model = by_words(reader, "/proc/cmdline", told);
    if (!model)
        model = by_configuration(reader, built);
    if (!model)
        model = by_words(reader, "/proc/sys/kernel/version", named);
    return model;
}

static void add_preemption(struct fact_list *list)
{
    const char *model;

    if (proc_read_line(&list->reader, "/sys/kernel/debug/sched/preempt") && keep_between(list->reader.text, '(', ')')) {
        fact_add(list, "preemption", "%s", list->reader.text);
        return;
    }
    model = preemption(&list->reader);
    if (model)
        fact_add(list, "preemption", "%s", model);
}

static void add_scheduler(struct fact_list *list)
{
    struct proc_reader *reader = &list->reader;

    if (!proc_read_line(reader, "/sys/kernel/sched_ext/state"))
        return;
    if (strcmp(reader->text, "enabled") != 0)
        fact_add(list, "scheduler", "sched_ext %s", reader->text);
    else if (proc_read_line(reader, "/sys/kernel/sched_ext/root" "/ops"))
        fact_add(list, "scheduler", "sched_ext %s", reader->text);
    else
        fact_add(list, "scheduler", "sched_ext enabled");
}

static void add_line(struct fact_list *list, const char *name, const char *path, const char *unit)
{
    if (proc_read_line(&list->reader, "%s", path))
        fact_add(list, name, "%s%s", list->reader.text, unit);
}

static void add_switch(struct fact_list *list, const char *name, const char *path)
{
    if (proc_read_line(&list->reader, "%s", path))
        fact_add(list, name, "%s", strcmp(list->reader.text, "0") == 0 ? "off" : "on");
}

static void add_rt_runtime(struct fact_list *list)
{
    struct proc_reader *reader = &list->reader;
    char runtime[32];

    if (!proc_read_line(reader, "/proc/sys/kernel/sched_rt_runtime_us"))
        return;
    snprintf(runtime, sizeof runtime, "%.20s", reader->text);
    if (strcmp(runtime, "-1") == 0)
        fact_add(list, "rt_runtime", "unlimited");
    else if (proc_read_line(reader, "/proc/sys/kernel/sched_rt_period_us"))
        fact_add(list, "rt_runtime", "%s of %.20s us", runtime, reader->text);
}

/* Of the last minute: what went on before anything was measured. */
static void add_load_average(struct fact_list *list)
{
    struct proc_reader *reader = &list->reader;

    if (proc_read_line(reader, "/proc/loadavg"))
        fact_add(list, "load_average", "%.*s", (int)strcspn(reader->text, " "), reader->text);
}

void add_kernel_facts(struct fact_list *list)
{
    const char *hz;

    add_line(list, "kernel", "/proc/sys/kernel/osrelease", "");
    add_preemption(list);
    if ((hz = configured(&list->reader, "CONFIG_HZ")))
        fact_add(list, "hz", "%s", hz);
    add_scheduler(list);
    add_line(list, "base_slice", "/sys/kernel/debug/sched/base_slice_ns", " ns");
    add_switch(list, "autogroup", "/proc/sys/kernel/sched_autogroup_enabled");
    add_rt_runtime(list);
    add_line(list, "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource", "");
    add_line(list, "timer_slack", "/proc/self/timerslack_ns", " ns");
    add_load_average(list);
}
