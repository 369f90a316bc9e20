/* Text files of /proc and /sys: their lines, the numbers in them, and the state of a process. */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A reader of files below a root, one after another.  Begin with {.root = ROOT}, where "" is the machine itself. */
struct proc_reader {
    const char *root;
    char *text; /* of the file that was read last */
    size_t room;
};

/* Opens the file of that path below the root; returns a descriptor that no child inherits, or -1. */
__attribute__((format(printf, 2, 3)))
int proc_open(const struct proc_reader *reader, const char *format, ...);

/*
 * Returns the text of an open file as it is now, from its beginning; "" if it cannot be read.  The text may be changed
 * and is valid until the same reader reads again.
 */
char *proc_text(struct proc_reader *reader, int fd);

/* Returns the text of the file of that path, valid as that of proc_text; NULL if it cannot be read. */
__attribute__((format(printf, 2, 3)))
char *proc_read(struct proc_reader *reader, const char *format, ...);

/* Frees the text.  Files that were opened by proc_open stay open. */
void proc_close(struct proc_reader *reader);

/*
 * Returns what follows key, and the blanks, ':' and '=' after it, in the first line that begins with key; NULL without
 * such a line.  The key "" stands for the first line.
 */
const char *proc_find(const char *text, const char *key);

/* Returns the n-th number, counted from 0, after key; -1 if it is missing, negative, too large or cut off. */
int64_t proc_number(const char *text, const char *key, int n);

/* Returns the number after field, such as "total=", in the line that begins with key; -1 as above. */
int64_t proc_field(const char *text, const char *key, const char *field);

/*
 * Finds the state of a process, such as 'T' for a stopped one, and its parent; returns 0, or -1 if there is no process,
 * or if /proc is that of another PID namespace.
 */
int proc_process(pid_t pid, char *state, pid_t *parent);

/* A line "4:cpu,cpuacct:/path" of /proc/self/cgroup, or "0::/path" of version 2: parts of the text. */
struct proc_group {
    const char *list, *path;
    int list_length, path_length;
};

/* Finds the control group of a controller, or, with "", that of version 2; returns whether there is one. */
int proc_group(const char *text, const char *controller, struct proc_group *group);

#endif
