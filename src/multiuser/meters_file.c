/* Files of /proc change while they are open: each reading starts at their beginning. */
#include "meters_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM_FIRST 16384
#define ROOM_MOST  (16 << 20) /* 10,000 CPUs have 1 MB */

void meters_file_open(struct meters_sources *sources, enum meters_files file, const char *path)
{
    sources->fds[file] = open(path, O_RDONLY | O_CLOEXEC);
}

static int grow(struct meters_sources *sources)
{
    const size_t room = sources->room ? 2 * sources->room : ROOM_FIRST;
    char *text = room > ROOM_MOST ? NULL : realloc(sources->text, room);

    if (!text)
        return 0;
    sources->text = text;
    sources->room = room;
    return 1;
}

/* The bytes that were read behind those that there are; -1 without any more to come. */
static ssize_t read_on(const struct meters_sources *sources, int fd, size_t length)
{
    ssize_t got;

    do
        got = pread(fd, sources->text + length, sources->room - 1 - length, (off_t)length);
    while (got < 0 && errno == EINTR);
    return got;
}

const char *meters_file_text(struct meters_sources *sources, enum meters_files file)
{
    const int fd = sources->fds[file];
    size_t length = 0;
    ssize_t got;

    if (fd < 0)
        return "";
    do {
        if (length + 1 >= sources->room && !grow(sources))
            return "";
        got = read_on(sources, fd, length);
        length += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    sources->text[length] = '\0';
    return got < 0 ? "" : sources->text;
}

/* What follows key in the first line that begins with it; null without one. */
static const char *behind(const char *text, const char *key)
{
    const size_t length = strlen(key);

    while (*text) {
        if (strncmp(text, key, length) == 0 && (length == 0 || text[length] == ' '))
            return text + length;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return NULL;
}

/* -1 for what is no number, too large for one, or perhaps cut off. */
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

int64_t meters_file_number(const char *text, const char *key, int n)
{
    const char *at = behind(text, key);

    if (!at)
        return -1;
    for (at += strspn(at, " "); n > 0; n--) {
        at += strcspn(at, " \n");
        at += strspn(at, " ");
    }
    return number_at(at);
}

int64_t meters_file_field(const char *text, const char *key, const char *field)
{
    const char *line = behind(text, key), *at = line ? strstr(line, field) : NULL;

    return at && at < line + strcspn(line, "\n") ? number_at(at + strlen(field)) : -1;
}
