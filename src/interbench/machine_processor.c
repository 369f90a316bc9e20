/* Facts of the processors. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_list.h"

#define VALUES_MAX 4

struct values {
    int count, is_more;
    char texts[VALUES_MAX][32];
};

static void note_value(struct values *values, const char *text)
{
    char cut[sizeof *values->texts];
    int i;

    snprintf(cut, sizeof cut, "%.31s", text);
    for (i = 0; i < values->count; i++)
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

/* What that file says of the CPUs, each text once. */
static void gather(struct proc_reader *reader, const char *file, struct values *values)
{
    char path[PATH_MAX];
    struct dirent **entries;
    int i, count;

    memset(values, 0, sizeof *values);
    if (snprintf(path, sizeof path, "%s/sys/devices/system/cpu", reader->root) >= (int)sizeof path)
        return;
    count = scandir(path, &entries, is_cpu, versionsort);
    for (i = 0; i < count; i++) {
        if (proc_read_line(reader, "/sys/devices/system/cpu/%s/cpufreq/%s", entries[i]->d_name, file))
            note_value(values, reader->text);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void add_of_all(struct fact_list *list, const char *name, const char *file)
{
    char text[FACT_VALUE_MAX] = "";
    struct values values;
    size_t used = 0;
    int i;

    gather(&list->reader, file, &values);
    for (i = 0; i < values.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? ", " : "", values.texts[i]);
    fact_add(list, name, "%s%s", text, values.is_more ? ", ..." : "");
}

static void add_smt(struct fact_list *list)
{
    if (proc_read_line(&list->reader, "/sys/devices/system/cpu/smt/active"))
        fact_add(list, "smt", "%s", strcmp(list->reader.text, "0") == 0 ? "off" : "on");
}

static int has_flag(const char *flags, const char *flag)
{
    const char *at = strstr(flags, flag);

    return at && (at == flags || at[-1] == ' ') && strchr(" ", at[strlen(flag)]);
}

static void add_hypervisor(struct fact_list *list)
{
    const char *text = proc_read_line(&list->reader, "/sys/hypervisor/type");

    if (text)
        fact_add(list, "hypervisor", "%s", text);
    else if ((text = proc_read_value(&list->reader, "/proc/cpuinfo", "flags")))
        fact_add(list, "hypervisor", "%s", has_flag(text, "hypervisor") ? "yes" : "no");
}

static void add_value(struct fact_list *list, const char *name, const char *path, const char *key)
{
    const char *value = proc_read_value(&list->reader, path, key);

    if (value)
        fact_add(list, name, "%s", value);
}

void add_processor_facts(struct fact_list *list)
{
    add_value(list, "cpu", "/proc/cpuinfo", "model name");
    add_of_all(list, "governor", "scaling_governor");
    add_of_all(list, "frequency_driver", "scaling_driver");
    add_smt(list);
    add_value(list, "cpus_allowed", "/proc/self/status", "Cpus_allowed_list");
    add_hypervisor(list);
}
