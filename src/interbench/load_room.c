/* What memory there is, and what control groups and limits leave of it. */
#include "load_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define UNLIMITED  (-1)
#define RESERVE    (16 * MIB) /* of addresses, for the stacks of threads */
#define LINE_BYTES 512

static int64_t lesser_limit(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The number behind a word at the start of a line, or negative. */
static int64_t number_in(const char *path, const char *word)
{
    const size_t length = strlen(word);
    FILE *file = fopen(path, "re");
    int64_t number = UNLIMITED;
    char line[LINE_BYTES];

    while (file && number < 0 && fgets(line, sizeof line, file)) {
        long long found;

        if (strncmp(line, word, length) == 0 && sscanf(line + length, " %lld", &found) == 1)
            number = found;
    }
    if (file)
        fclose(file);
    return number;
}

static int64_t kib_in(const char *root, const char *word)
{
    char path[PATH_MAX];
    int64_t kib;

    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    kib = number_in(path, word);
    return kib < 0 ? UNLIMITED : kib * 1024;
}

/* The files of a control group that say what it may have, in both versions. */
struct version {
    const char *mount, *limit, *usage, *inactive, *active;
};

static const struct version versions[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file ", "active_file "},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ",
     "total_active_file "},
};

static int64_t number_of(const char *directory, const char *name, const char *word)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return UNLIMITED;
    return number_in(path, word);
}

static int64_t at_least_0(int64_t number)
{
    return number > 0 ? number : 0;
}

/* Cached files in the group's usage make room when memory is wanted. */
static int64_t left_in(const char *directory, const struct version *version)
{
    const int64_t limit = number_of(directory, version->limit, "");
    int64_t usage;

    if (limit < 0)
        return UNLIMITED;
    usage = at_least_0(number_of(directory, version->usage, ""));
    usage -= at_least_0(number_of(directory, "memory.stat", version->inactive));
    usage -= at_least_0(number_of(directory, "memory.stat", version->active));
    return at_least_0(limit - at_least_0(usage));
}

/* Of the group and all above it. */
static int64_t left_in_all(const char *root, const struct version *version, const char *group)
{
    char directory[PATH_MAX];
    const int top = snprintf(directory, sizeof directory, "%s%s", root, version->mount);
    int64_t left;

    if (top >= (int)sizeof directory || strlen(group) >= sizeof directory - (size_t)top)
        return UNLIMITED;
    strcpy(directory + top, group);
    left = left_in(directory, version);
    for (char *end; (end = strrchr(directory + top, '/')) != NULL;) {
        *end = '\0';
        left = lesser_limit(left, left_in(directory, version));
    }
    return left;
}

/* Lines read like "4:memory:/group", or "0::/group" in version 2. */
static int64_t group_bytes(const char *root)
{
    char path[PATH_MAX], line[PATH_MAX];
    int64_t left = UNLIMITED;
    FILE *groups;

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    groups = fopen(path, "re");
    while (groups && fgets(line, sizeof line, groups)) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;

        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (controllers[1] == '\0')
            left = lesser_limit(left, left_in_all(root, &versions[0], group));
        else if (strcmp(controllers + 1, "memory") == 0)
            left = lesser_limit(left, left_in_all(root, &versions[1], group));
    }
    if (groups)
        fclose(groups);
    return left;
}

/* Where a pointer has 32 bits, there are at least 2 GiB. */
static int64_t address_limit(void)
{
    const int64_t most = SIZE_MAX < INT64_MAX ? (int64_t)1 << 31 : UNLIMITED;
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX)
        return most;
    return lesser_limit(most, (int64_t)limit.rlim_cur);
}

/* Of this process, or of one that it is going to fork. */
static int64_t address_bytes(void)
{
    const int64_t limit = address_limit(), used_kib = number_in("/proc/self/status", "VmSize:");

    return limit < 0 ? UNLIMITED : at_least_0(limit - at_least_0(used_kib) * 1024 - RESERVE);
}

struct load_room load_room(const char *root)
{
    struct load_room room = {
        .total = kib_in(root, "MemTotal:"),
        .available = kib_in(root, "MemAvailable:"),
        .swap = kib_in(root, "SwapTotal:"),
        .group = group_bytes(root),
        .addresses = address_bytes(),
    };

    if (room.available < 0)
        room.available = kib_in(root, "MemFree:");
    return room;
}
