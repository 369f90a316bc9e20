/* Reads text files of /proc and /sys. */
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM_FIRST 16384
#define ROOM_MOST  (16 << 20) /* the /proc/stat of 10,000 CPUs has 1 MB */

/* Opens a file below the root; returns its descriptor, or -1.  It does not wait if the file is a FIFO or a terminal. */
static int open_below(const char *root, const char *format, va_list arguments)
{
    char path[PATH_MAX];
    const int used = snprintf(path, sizeof path, "%s", root);

    if (used < 0 || used >= PATH_MAX)
        return -1;
    const int more = vsnprintf(path + used, (size_t)(PATH_MAX - used), format, arguments);

    return more < 0 || more >= PATH_MAX - used ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int proc_open(const struct proc_reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int fd = open_below(reader->root, format, arguments);
    va_end(arguments);
    return fd;
}

static int grow(struct proc_reader *reader)
{
    const size_t room = reader->room ? 2 * reader->room : ROOM_FIRST;
    char *text = room > ROOM_MOST ? NULL : realloc(reader->text, room);

    if (!text)
        return 0;
    reader->text = text;
    reader->room = room;
    return 1;
}

/* Reads the bytes after the first length; returns their number, 0 at the end of the file, -1 on an error. */
static ssize_t read_more(struct proc_reader *reader, int fd, size_t length)
{
    ssize_t got;

    if (length + 1 >= reader->room && !grow(reader))
        return -1;
    do
        got = pread(fd, reader->text + length, reader->room - 1 - length, (off_t)length);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Returns the text of an open file, or NULL if the file cannot be read. */
static char *read_all(struct proc_reader *reader, int fd)
{
    size_t length = 0;
    ssize_t got;

    if (fd < 0)
        return NULL;
    while ((got = read_more(reader, fd, length)) > 0)
        length += (size_t)got;
    if (got < 0)
        return NULL;
    reader->text[length] = '\0';
    return reader->text;
}

char *proc_text(struct proc_reader *reader, int fd)
{
    static char nothing[1];
    char *text = read_all(reader, fd);

    nothing[0] = '\0';
    return text ? text : nothing;
}

static char *read_and_close(struct proc_reader *reader, int fd)
{
    char *text = read_all(reader, fd);

    if (fd >= 0)
        close(fd);
    return text;
}

char *proc_read(struct proc_reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int fd = open_below(reader->root, format, arguments);
    va_end(arguments);
    return read_and_close(reader, fd);
}

void proc_close(struct proc_reader *reader)
{
    free(reader->text);
    reader->text = NULL;
    reader->room = 0;
}

const char *proc_find(const char *text, const char *key)
{
    static const char separators[] = " \t=:";
    const size_t length = strlen(key);

    while (*text) {
        if (strncmp(text, key, length) == 0 && (length == 0 || (text[length] && strchr(separators, text[length]))))
            return text + length + strspn(text + length, separators);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return NULL;
}

/* Returns the number at that place, or -1.  A number that ends with the text is refused: it may have been cut off. */
static int64_t number_at(const char *at)
{
    int64_t number = 0;

    if (*at < '0' || *at > '9')
        return -1;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (number > (INT64_MAX - (*at - '0')) / 10)
            return -1;
        number = 10 * number + (*at - '0');
    }
    return *at == ' ' || *at == '\n' ? number : -1;
}

int64_t proc_number(const char *text, const char *key, int n)
{
    const char *at = proc_find(text, key);

    if (!at)
        return -1;
    for (; n > 0; n--) {
        at += strcspn(at, " \n");
        at += strspn(at, " ");
    }
    return number_at(at);
}

int64_t proc_field(const char *text, const char *key, const char *field)
{
    const char *line = proc_find(text, key), *at = line ? strstr(line, field) : NULL;

    return at && at < line + strcspn(line, "\n") ? number_at(at + strlen(field)) : -1;
}

/*
 * The name of a process is in parentheses and may contain any character, even those.  The state follows the last one.
 */
/* Returns whether /proc has the numbers of this process's PID namespace, not those of another one. */
static int is_proc_ours(void)
{
    char self[32] = "";

    return readlink("/proc/self", self, sizeof self - 1) > 0 && atoi(self) == getpid();
}

int proc_process(pid_t pid, char *state, pid_t *parent)
{
    if (!is_proc_ours())
        return -1;

    struct proc_reader reader = {.root = ""};
    const char *text = proc_read(&reader, "/proc/%d/stat", (int)pid), *name_end = text ? strrchr(text, ')') : NULL;
    int number = 0;
    const int is_found = name_end && sscanf(name_end, ") %c %d", state, &number) == 2;

    *parent = number;
    proc_close(&reader);
    return is_found ? 0 : -1;
}

/*
 * Returns whether the line of the group is for that controller.  Version 2 has one tree of groups, without a list of
 * controllers; version 1 has a tree for each list.
 */
static int is_listed(const struct proc_group *group, const char *controller)
{
    const size_t length = strlen(controller);
    const char *at = group->list, *end = group->list + group->list_length;

    if (length == 0)
        return group->list_length == 0;
    while (at < end) {
        const char *name = at;

        at += strcspn(at, ",:");
        if ((size_t)(at++ - name) == length && strncmp(name, controller, length) == 0)
            return 1;
    }
    return 0;
}

static int parse_group(const char *line, struct proc_group *group)
{
    const char *end = line + strcspn(line, "\n"), *list = strchr(line, ':'), *path;

    if (!list || list > end || !(path = strchr(list + 1, ':')) || path > end || path[1] != '/')
        return 0;
    *group = (struct proc_group){list + 1, path + 1, (int)(path - list - 1), (int)(end - path - 1)};
    return 1;
}

int proc_group(const char *text, const char *controller, struct proc_group *group)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (parse_group(line, group) && is_listed(group, controller))
            return 1;
    return 0;
}
