/* Reads short text files of the kernel. */
#include "machine_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char blanks[] = " \t\r\n";

static void cut_end(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && strchr(blanks, text[length - 1]))
        text[--length] = '\0';
}

static int is_path(char path[PATH_MAX], const char *root, const char *format, va_list arguments)
{
    int used = snprintf(path, PATH_MAX, "%s", root), more;

    if (used < 0 || used >= PATH_MAX)
        return 0;
    more = vsnprintf(path + used, (size_t)(PATH_MAX - used), format, arguments);
    return more >= 0 && more < PATH_MAX - used;
}

/* Not by stdio, which would wait for a FIFO. */
static int read_text(struct place *place, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    size_t filled = 0;
    ssize_t got = 0;

    if (file < 0)
        return 0;
    while (filled < FILE_TEXT_MAX - 1 && (got = read(file, place->text + filled, FILE_TEXT_MAX - 1 - filled)) > 0)
        filled += (size_t)got;
    close(file);
    place->text[filled] = '\0';
    cut_end(place->text);
    return got >= 0;
}

int place_read(struct place *place, const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    int is_read;

    va_start(arguments, format);
    is_read = is_path(path, place->root, format, arguments) && read_text(place, path);
    va_end(arguments);
    return is_read;
}

int place_read_line(struct place *place, const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    int is_read;

    va_start(arguments, format);
    is_read = is_path(path, place->root, format, arguments) && read_text(place, path);
    va_end(arguments);
    if (!is_read)
        return 0;
    place->text[strcspn(place->text, "\n")] = '\0';
    cut_end(place->text);
    return *place->text != '\0';
}

static int take_value(struct place *place, const char *line, const char *key)
{
    size_t length = strlen(key);

    if (strncmp(line, key, length) != 0 || !line[length] || !strchr(" \t=:", line[length]))
        return 0;
    line += length;
    line += strspn(line, " \t=:");
    snprintf(place->text, sizeof place->text, "%s", line);
    cut_end(place->text);
    return 1;
}

int place_find(struct place *place, const char *path, const char *key)
{
    char full[PATH_MAX], *line = NULL;
    size_t room = 0;
    int is_found = 0;
    FILE *file;

    if (snprintf(full, sizeof full, "%s%s", place->root, path) >= (int)sizeof full)
        return 0;
    file = fopen(full, "re");
    if (!file)
        return 0;
    while (!is_found && getline(&line, &room, file) > 0)
        is_found = take_value(place, line, key);
    free(line);
    fclose(file);
    return is_found;
}

int keep_between(char *text, char open, char close)
{
    char *begin = strchr(text, open), *end = begin ? strchr(begin, close) : NULL;

    if (!end || end == begin + 1)
        return 0;
    *end = '\0';
    memmove(text, begin + 1, strlen(begin + 1) + 1);
    return 1;
}
