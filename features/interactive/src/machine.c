/* Reads the facts of a machine that can matter to interactivity. */
#include "machine.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fact_list {
    struct proc_reader reader;
    struct fact *facts;
    int count;
};

static void make_printable(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

/* Adds a fact, unless its text is empty. */
__attribute__((format(printf, 3, 4)))
static void add(struct fact_list *list, const char *name, const char *format, ...)
{
    struct fact *fact = &list->facts[list->count];
    va_list arguments;

    if (list->count == FACTS_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(fact->value, sizeof fact->value, format, arguments);
    va_end(arguments);
    make_printable(fact->value);
    fact->name = name;
    if (*fact->value)
        list->count++;
}

/* Adds the first line of a file. */
static void add_line(struct fact_list *list, const char *name, const char *path, const char *unit)
{
    const char *line = proc_read_line(&list->reader, "%s", path);

    if (line)
        add(list, name, "%s%s", line, unit);
}

static void add_switch(struct fact_list *list, const char *name, const char *path)
{
    const char *line = proc_read_line(&list->reader, "%s", path);

    if (line)
        add(list, name, "%s", strcmp(line, "0") == 0 ? "off" : "on");
}

/* Adds the value of key in a file of lines. */
static void add_value(struct fact_list *list, const char *name, const char *path, const char *key)
{
    const char *value = proc_read_value(&list->reader, path, key);

    if (value)
        add(list, name, "%s", value);
}

/* Adds the part of a file's first line that is in brackets; returns whether there is one. */
static int add_bracketed(struct fact_list *list, const char *name, const char *path, const char *brackets)
{
    const char *line = proc_read_line(&list->reader, "%s", path);
    const char *begin = line ? strchr(line, brackets[0]) : NULL, *end = begin ? strchr(begin, brackets[1]) : NULL;

    if (!end || end == begin + 1)
        return 0;
    add(list, name, "%.*s", (int)(end - begin - 1), begin + 1);
    return 1;
}

static int has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if ((at == text || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return 1;
    return 0;
}

/* Returns the value of key in /boot/config-RELEASE, or NULL. */
static const char *configured(struct proc_reader *reader, const char *key)
{
    const char *release = proc_read_line(reader, "/proc/sys/kernel/osrelease");
    char path[160];

    if (!release || strchr(release, '/') || snprintf(path, sizeof path, "/boot/config-%s", release) >= (int)sizeof path)
        return NULL;
    return proc_read_value(reader, path, key);
}

/* A text that stands for a model of preemption. */
struct sign {
    const char *text, *model;
};

static const char *model_by_words(struct proc_reader *reader, const char *path, const struct sign *signs)
{
    const char *line = proc_read_line(reader, "%s", path);

    for (; line && signs->text; signs++)
        if (has_word(line, signs->text))
            return signs->model;
    return NULL;
}

static const char *model_by_configuration(struct proc_reader *reader, const struct sign *signs)
{
    for (; signs->text; signs++) {
        const char *value = configured(reader, signs->text);

        if (value && strcmp(value, "y") == 0)
            return signs->model;
    }
    return NULL;
}

/*
 * Returns the model of preemption, or NULL.  Only root may read the model in force; otherwise the command line and the
 * configuration of the kernel are used.
 */
static const char *preemption(struct proc_reader *reader)
{
    static const struct sign booted[] = {
        {"preempt=none", "none"}, {"preempt=voluntary", "voluntary"}, {"preempt=lazy", "lazy"},
        {"preempt=full", "full"}, {NULL, NULL}};
    static const struct sign built[] = {
        {"CONFIG_PREEMPT_RT", "rt"}, {"CONFIG_PREEMPT_NONE", "none"}, {"CONFIG_PREEMPT_VOLUNTARY", "voluntary"},
        {"CONFIG_PREEMPT_LAZY", "lazy"}, {"CONFIG_PREEMPT", "full"}, {NULL, NULL}};
    static const struct sign named[] = {
        {"PREEMPT_RT", "rt"}, {"PREEMPT_DYNAMIC", "dynamic"}, {"PREEMPT_LAZY", "lazy"}, {"PREEMPT", "full"},
        {NULL, NULL}};
    static const struct sign real_time[] = {{"PREEMPT_RT", "rt"}, {NULL, NULL}};
    const char *model = model_by_words(reader, "/proc/sys/kernel/version", real_time);

    if (!model)
        model = model_by_words(reader, "/proc/cmdline", booted);
    if (!model)
        model = model_by_configuration(reader, built);
    if (!model)
        model = model_by_words(reader, "/proc/sys/kernel/version", named);
    return model;
}

static void add_preemption(struct fact_list *list)
{
    if (add_bracketed(list, "preemption", "/sys/kernel/debug/sched/preempt", "()"))
        return;

    const char *model = preemption(&list->reader);

    if (model)
        add(list, "preemption", "%s", model);
}

static void add_scheduler(struct fact_list *list)
{
    const char *state = proc_read_line(&list->reader, "/sys/kernel/sched_ext/state");

    if (!state)
        return;
    if (strcmp(state, "enabled") != 0) {
        add(list, "scheduler", "sched_ext %s", state);
        return;
    }

    const char *name = proc_read_line(&list->reader, "/sys/kernel/sched_ext/root" "/ops");

    add(list, "scheduler", "sched_ext %s", name ? name : "enabled");
}

static void add_rt_runtime(struct fact_list *list)
{
    const char *line = proc_read_line(&list->reader, "/proc/sys/kernel/sched_rt_runtime_us");
    char runtime[32];

    if (!line)
        return;
    snprintf(runtime, sizeof runtime, "%.20s", line);
    if (strcmp(runtime, "-1") == 0)
        add(list, "rt_runtime", "unlimited");
    else if ((line = proc_read_line(&list->reader, "/proc/sys/kernel/sched_rt_period_us")) != NULL)
        add(list, "rt_runtime", "%s of %.20s us", runtime, line);
}

/* Adds the load average of the minute before the measurement. */
static void add_load_average(struct fact_list *list)
{
    const char *line = proc_read_line(&list->reader, "/proc/loadavg");

    if (line)
        add(list, "load_average", "%.*s", (int)strcspn(line, " "), line);
}

static void add_kernel(struct fact_list *list)
{
    add_line(list, "kernel", "/proc/sys/kernel/osrelease", "");
    add_preemption(list);

    const char *hz = configured(&list->reader, "CONFIG_HZ");

    if (hz)
        add(list, "hz", "%s", hz);
    add_scheduler(list);
    add_line(list, "base_slice", "/sys/kernel/debug/sched/base_slice_ns", " ns");
    add_switch(list, "autogroup", "/proc/sys/kernel/sched_autogroup_enabled");
    add_rt_runtime(list);
    add_line(list, "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource", "");
    add_line(list, "timer_slack", "/proc/self/timerslack_ns", " ns");
    add_load_average(list);
}

#define VALUES_MAX 4

/* Different texts, in the order of their appearance. */
struct values {
    int count, is_more;
    char texts[VALUES_MAX][32];
};

static void note_value(struct values *values, const char *text)
{
    char cut[sizeof *values->texts];

    snprintf(cut, sizeof cut, "%.31s", text);
    for (int i = 0; i < values->count; i++)
        if (strcmp(values->texts[i], cut) == 0)
            return;
    if (values->count == VALUES_MAX)
        values->is_more = 1;
    else
        memcpy(values->texts[values->count++], cut, sizeof cut);
}

static int is_cpu(const struct dirent *entry)
{
    return strncmp(entry->d_name, "cpu", 3) == 0 && entry->d_name[3] >= '0' && entry->d_name[3] <= '9';
}

/* Collects the texts of a cpufreq file of all CPUs. */
static void collect_values(struct proc_reader *reader, const char *file, struct values *values)
{
    char path[PATH_MAX];
    struct dirent **entries;

    if (snprintf(path, sizeof path, "%s/sys/devices/system/cpu", reader->root) >= (int)sizeof path)
        return;

    const int count = scandir(path, &entries, is_cpu, versionsort);

    for (int i = 0; i < count; i++) {
        const char *text = proc_read_line(reader, "/sys/devices/system/cpu/%s/cpufreq/%s", entries[i]->d_name, file);

        if (text)
            note_value(values, text);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void add_of_all_cpus(struct fact_list *list, const char *name, const char *file)
{
    char text[FACT_VALUE_MAX] = "";
    struct values values = {.count = 0};
    size_t used = 0;

    collect_values(&list->reader, file, &values);
    for (int i = 0; i < values.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? ", " : "", values.texts[i]);
    add(list, name, "%s%s", text, values.is_more ? ", ..." : "");
}

static void add_hypervisor(struct fact_list *list)
{
    const char *text = proc_read_line(&list->reader, "/sys/hypervisor/type");

    if (text)
        add(list, "hypervisor", "%s", text);
    else if ((text = proc_read_value(&list->reader, "/proc/cpuinfo", "flags")) != NULL)
        add(list, "hypervisor", "%s", has_word(text, "hypervisor") ? "yes" : "no");
}

static void add_processors(struct fact_list *list)
{
    add_value(list, "cpu", "/proc/cpuinfo", "model name");
    add_of_all_cpus(list, "governor", "scaling_governor");
    add_of_all_cpus(list, "frequency_driver", "scaling_driver");
    add_switch(list, "smt", "/sys/devices/system/cpu/smt/active");
    add_value(list, "cpus_allowed", "/proc/self/status", "Cpus_allowed_list");
    add_hypervisor(list);
}

static void add_limits(struct fact_list *list)
{
    const char *cpus = limits_cpuset(&list->reader);

    if (cpus)
        add(list, "cpuset", "%s", cpus);

    const struct cpu_quota quota = limits_cpu_quota(&list->reader);

    if (quota.period_us > 0)
        add(list, "cpu_quota", "%lld us of %lld us", quota.quota_us, quota.period_us);
}

/* Returns whether the directory is the mount point or below it. */
static int is_below(const char *directory, const char *mount)
{
    const size_t length = strlen(mount);

    if (strcmp(mount, "/") == 0)
        return *directory == '/';
    return strncmp(directory, mount, length) == 0 && (directory[length] == '/' || directory[length] == '\0');
}

/* "\040" in mountinfo is a blank. */
static void unescape(char *text)
{
    char *to = text;
    unsigned int code;

    for (; *text; text++, to++) {
        if (*text == '\\' && sscanf(text + 1, "%3o", &code) == 1 && strlen(text) > 3) {
            *to = (char)code;
            text += 3;
        } else {
            *to = *text;
        }
    }
    *to = '\0';
}

/* Finds the mount point and the type in a line of mountinfo: its fifth word, and the first one after " - ". */
static int parse_mount(char *line, char **mount, char **type)
{
    char *dash = strstr(line, " - "), *rest;

    if (!dash)
        return 0;
    *dash = '\0';
    *mount = strtok_r(line, " ", &rest);
    for (int i = 0; i < 4 && *mount; i++)
        *mount = strtok_r(NULL, " ", &rest);
    *type = strtok_r(dash + 3, " ", &rest);
    if (!*mount || !*type)
        return 0;
    unescape(*mount);
    return 1;
}

/* Returns the type of the deepest mount point above the directory, or NULL; the last one if there are several. */
static const char *find_type(char *mounts, const char *directory)
{
    const char *found = NULL;
    char *mount, *type;
    size_t deepest = 0;

    for (char *line; (line = strsep(&mounts, "\n")) != NULL;)
        if (parse_mount(line, &mount, &type) && is_below(directory, mount) && strlen(mount) >= deepest) {
            deepest = strlen(mount);
            found = type;
        }
    return found;
}

static void add_file_system(struct fact_list *list, const char *directory)
{
    char *mounts = proc_read(&list->reader, "/proc/self/mountinfo"), *real = realpath(directory, NULL);
    const char *type = mounts ? find_type(mounts, real ? real : directory) : NULL;

    if (type)
        add(list, "file_system", "%.63s", type);
    free(real);
}

int machine_facts(const char *root, const char *directory, struct fact facts[FACTS_MAX])
{
    struct fact_list list = {.reader.root = root, .facts = facts};

    add_kernel(&list);
    add_processors(&list);
    add_limits(&list);
    add_bracketed(&list, "huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled", "[]");
    add_value(&list, "swap", "/proc/meminfo", "SwapTotal");
    if (directory)
        add_file_system(&list, directory);
    proc_close(&list.reader);
    return list.count;
}
