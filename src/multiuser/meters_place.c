/* Version 2 has one tree of groups, version 1 one for each set of controllers; a machine may have both. */
#include "meters_place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proc.h"

#define ALL_GROUPS "/sys/fs/cgroup"

/* Whether that is a group. */
static int is_group(const char *directory)
{
    char procs[PATH_MAX];

    return snprintf(procs, sizeof procs, "%s/cgroup.procs", directory) < (int)sizeof procs && access(procs, F_OK) == 0;
}

/* A path that leads out of what is mounted here ("/..") names no directory. */
static int leads_out(const struct proc_group *in)
{
    const char *up = strstr(in->path, "/..");

    return up && up < in->path + in->path_length;
}

/* In a container the mount often shows its own part of the tree only, and the path is one of the whole. */
static int find_group(const char *root, const char *mount, int mount_length, const struct proc_group *in,
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
    struct proc_group in;

    if (proc_group(groups, controller, &in) &&
        (find_group(root, in.list, in.list_length, &in, directory) ||
         find_group(root, controller, (int)strlen(controller), &in, directory)))
        return 1;
    return proc_group(groups, "", &in) &&
           (find_group(root, "", 0, &in, directory) ||
            find_group(root, "unified", (int)strlen("unified"), &in, directory));
}
