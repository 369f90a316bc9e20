/* Files of /proc and of control groups that are kept open. */
#ifndef MULTIUSER_METERS_FILE_H
#define MULTIUSER_METERS_FILE_H

#include "proc.h"

enum meters_files {
    METERS_STAT,
    METERS_VMSTAT,
    METERS_MEMINFO,
    METERS_PRESSURE_CPU,
    METERS_PRESSURE_IO,
    METERS_PRESSURE_MEMORY,
    METERS_GROUPS,           /* self/cgroup */
    METERS_GROUP_CPU,        /* cpu.stat or cpuacct.stat */
    METERS_GROUP_CPU_USER,   /* cpuacct.usage_user */
    METERS_GROUP_CPU_SYSTEM, /* cpuacct.usage_sys */
    METERS_GROUP_MEMORY_STAT,
    METERS_GROUP_MEMORY,
    METERS_GROUP_PEAK,
    METERS_FILES
};

/* All files that are open, and their reader. */
struct meters_sources {
    int fds[METERS_FILES]; /* -1: absent */
    struct proc_reader reader;
};

/* Opens the file for as long as sources last; one that is absent, or cannot be read, has no text. */
void meters_file_open(struct meters_sources *sources, enum meters_files file, const char *path);

/* The text of the file as it is now, until the next call; "" when there is none. */
const char *meters_file_text(struct meters_sources *sources, enum meters_files file);

#endif
