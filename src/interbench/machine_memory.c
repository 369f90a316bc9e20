/* Facts of memory and of the file system that is written to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_list.h"

/* Whether the directory is the mount point or below it. */
static int is_below(const char *directory, const char *mount)
{
    size_t length = strlen(mount);

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

/* The mount point and the type of a line of mountinfo: its fifth word, and the first behind " - ". */
static int parse_mount(char *line, char **mount, char **type)
{
    char *dash = strstr(line, " - "), *rest;
    int i;

    if (!dash)
        return 0;
    *dash = '\0';
    *mount = strtok_r(line, " ", &rest);
    for (i = 0; i < 4 && *mount; i++)
        *mount = strtok_r(NULL, " ", &rest);
    *type = strtok_r(dash + 3, " \n", &rest);
    if (!*mount || !*type)
        return 0;
    unescape(*mount);
    return 1;
}

/* The last one of the deepest mount points is what is seen. */
static void find_type(char *text, const char *directory, char type[64])
{
    char *mount, *name, *next;
    size_t deepest = 0;

    for (char *line = text; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (!parse_mount(line, &mount, &name) || !is_below(directory, mount) || strlen(mount) < deepest)
            continue;
        deepest = strlen(mount);
        snprintf(type, 64, "%s", name);
    }
}

static void add_file_system(struct fact_list *list, const char *directory)
{
    char type[64] = "", *real = realpath(directory, NULL), *text = proc_read(&list->reader, "/proc/self/mountinfo");

    if (text)
        find_type(text, real ? real : directory, type);
    free(real);
    fact_add(list, "file_system", "%s", type);
}

void add_memory_facts(struct fact_list *list, const char *directory)
{
    struct proc_reader *reader = &list->reader;
    const char *swap;

    if (proc_read_line(reader, "/sys/kernel/mm/transparent_hugepage/enabled") && keep_between(reader->text, '[', ']'))
        fact_add(list, "huge_pages", "%s", reader->text);
    if ((swap = proc_read_value(reader, "/proc/meminfo", "SwapTotal")))
        fact_add(list, "swap", "%s", swap);
    if (directory)
        add_file_system(list, directory);
}
