/* Which control group a process is in, as /proc/self/cgroup tells it. */
#ifndef BASE_MEMBERSHIP_H
#define BASE_MEMBERSHIP_H

/* A line "4:cpu,cpuacct:/path", or "0::/path" of version 2: parts of the text that it was found in. */
struct membership {
    const char *list, *path;
    int list_length, path_length;
};

/* Finds the line of a controller, or, with "", that of version 2; returns whether there is one. */
int membership_find(const char *groups, const char *controller, struct membership *in);

#endif
