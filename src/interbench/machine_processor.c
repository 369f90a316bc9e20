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
static void gather(struct place *place, const char *file, struct values *values)
{
    char path[PATH_MAX];
    struct dirent **entries;
    int i, count;

    memset(values, 0, sizeof *values);
    if (snprintf(path, sizeof path, "%s/sys/devices/system/cpu", place->root) >= (int)sizeof path)
        return;
    count = scandir(path, &entries, is_cpu, versionsort);
    for (i = 0; i < count; i++) {
        if (place_read_line(place, "/sys/devices/system/cpu/%s/cpufreq/%s", entries[i]->d_name, file))
            note_value(values, place->text);
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

    gather(&list->place, file, &values);
    for (i = 0; i < values.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? ", " : "", values.texts[i]);
    fact_add(list, name, "%s%s", text, values.is_more ? ", ..." : "");
}

static void add_smt(struct fact_list *list)
{
    if (place_read_line(&list->place, "/sys/devices/system/cpu/smt/active"))
        fact_add(list, "smt", "%s", strcmp(list->place.text, "0") == 0 ? "off" : "on");
}

static int has_flag(const char *flags, const char *flag)
{
    const char *at = strstr(flags, flag);

    return at && (at == flags || at[-1] == ' ') && strchr(" ", at[strlen(flag)]);
}

static void add_hypervisor(struct fact_list *list)
{
    struct place *place = &list->place;

    if (place_read_line(place, "/sys/hypervisor/type"))
        fact_add(list, "hypervisor", "%s", place->text);
    else if (place_find(place, "/proc/cpuinfo", "flags"))
        fact_add(list, "hypervisor", "%s", has_flag(place->text, "hypervisor") ? "yes" : "no");
}

void add_processor_facts(struct fact_list *list)
{
    if (place_find(&list->place, "/proc/cpuinfo", "model name"))
        fact_add(list, "cpu", "%s", list->place.text);
    add_of_all(list, "governor", "scaling_governor");
    add_of_all(list, "frequency_driver", "scaling_driver");
    add_smt(list);
    if (place_find(&list->place, "/proc/self/status", "Cpus_allowed_list"))
        fact_add(list, "cpus_allowed", "%s", list->place.text);
    add_hypervisor(list);
}
