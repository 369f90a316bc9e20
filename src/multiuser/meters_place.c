/* Version 2 has one tree of groups, version 1 one for each set of controllers; a machine may have both. */
#include "meters_place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ALL_GROUPS "/sys/fs/cgroup"

/* A line "4:cpu,cpuacct:/path", or "0::/path" of version 2. */
struct membership {
    const char *list, *path;
    int list_length, path_length;
};

/* Whether the controller is one of "cpu,cpuacct"; without one, whether there is none. */
static int is_listed(const struct membership *in, const char *controller)
{
    const size_t length = strlen(controller);
    const char *at = in->list, *end = in->list + in->list_length;

    if (length == 0)
        return in->list_length == 0;
    while (at < end) {
        const char *name = at;

        at += strcspn(at, ",:");
        if ((size_t)(at++ - name) == length && strncmp(name, controller, length) == 0)
            return 1;
    }
    return 0;
}

static int take_line(const char *line, struct membership *in)
{
    const char *end = line + strcspn(line, "\n"), *list = strchr(line, ':'), *path;

    if (!list || list > end || !(path = strchr(list + 1, ':')) || path > end || path[1] != '/')
        return 0;
    *in = (struct membership){list + 1, path + 1, (int)(path - list - 1), (int)(end - path - 1)};
    return 1;
}

static int find_line(const char *groups, const char *controller, struct membership *in)
{
    for (const char *line = groups; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (take_line(line, in) && is_listed(in, controller))
            return 1;
    return 0;
}

/* Whether that is a group. */
static int is_group(const char *directory)
{
    char procs[PATH_MAX];

    return snprintf(procs, sizeof procs, "%s/cgroup.procs", directory) < (int)sizeof procs && access(procs, F_OK) == 0;
}

/* A path that leads out of what is mounted here ("/..") names no directory. */
static int leads_out(const struct membership *in)
{
    const char *up = strstr(in->path, "/..");

    return up && up < in->path + in->path_length;
}

/* In a container the mount often shows its own part of the tree only, and the path is one of the whole. */
static int find_group(const char *root, const char *mount, int mount_length, const struct membership *in,
                      char directory[PATH_MAX])
{
    int length = snprintf(directory, PATH_MAX, "%s%s/%.*s", root, ALL_GROUPS, mount_length, mount);

    if (length >= PATH_MAX || !is_group(directory))
        return 0;
    if (leads_out(in) || in->path_length >= PATH_MAX - length)
        return 1;
    memcpy(directory + length, in->path, (size_t)in->path_length);
    directory[length + in->path_length] = '\0';
    if (!is_group(directory))
        directory[length] = '\0';
    return 1;
}

int meters_place(const char *root, const char *groups, const char *controller, char directory[PATH_MAX])
{
    struct membership in;

    if (find_line(groups, controller, &in) &&
        (find_group(root, in.list, in.list_length, &in, directory) ||
         find_group(root, controller, (int)strlen(controller), &in, directory)))
        return 1;
    return find_line(groups, "", &in) && (find_group(root, "", 0, &in, directory) ||
                                          find_group(root, "unified", (int)strlen("unified"), &in, directory));
}
