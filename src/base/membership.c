/* Version 2 has one tree of groups, without a list of controllers; version 1 has one for each list. */
#include "membership.h"

#include <string.h>

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

int membership_find(const char *groups, const char *controller, struct membership *in)
{
    for (const char *line = groups; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (take_line(line, in) && is_listed(in, controller))
            return 1;
    return 0;
}
