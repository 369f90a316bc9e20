/* Facts of memory and of the file system that is written to. */
#include <limits.h>
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
static void find_type(FILE *file, const char *directory, char type[64])
{
    char *line = NULL, *mount, *name;
    size_t room = 0, deepest = 0;

    while (getline(&line, &room, file) > 0) {
        if (!parse_mount(line, &mount, &name) || !is_below(directory, mount) || strlen(mount) < deepest)
            continue;
        deepest = strlen(mount);
        snprintf(type, 64, "%s", name);
    }
    free(line);
}

static void add_file_system(struct fact_list *list, const char *directory)
{
    char path[PATH_MAX], type[64] = "", *real = realpath(directory, NULL);
    FILE *file;

    if (snprintf(path, sizeof path, "%s/proc/self/mountinfo", list->place.root) < (int)sizeof path &&
        (file = fopen(path, "re")) != NULL) {
        find_type(file, real ? real : directory, type);
        fclose(file);
    }
    free(real);
    fact_add(list, "file_system", "%s", type);
}

void add_memory_facts(struct fact_list *list, const char *directory)
{
    struct place *place = &list->place;

    if (place_read_line(place, "/sys/kernel/mm/transparent_hugepage/enabled") && keep_between(place->text, '[', ']'))
        fact_add(list, "huge_pages", "%s", place->text);
    if (place_find(place, "/proc/meminfo", "SwapTotal"))
        fact_add(list, "swap", "%s", place->text);
    if (directory)
        add_file_system(list, directory);
}
