/* Lines of a file, taken apart in place. */
#include "script.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script_directive.h"

/* What holds from the line on that is being read. */
struct reading {
    struct script *script;
    int number;
    const char *class_name;
    int is_extract;
    char *why;
};

__attribute__((format(printf, 2, 3)))
static int refuse(struct reading *reading, const char *format, ...)
{
    char text[SCRIPT_WHY_MAX];
    va_list values;

    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    snprintf(reading->why, SCRIPT_WHY_MAX, "line %d%.*s", reading->number, SCRIPT_WHY_MAX - 20, text);
    return -1;
}

/* The number of the class, which is added when it is a new one; -1 when there are too many. */
static int class_of(struct script *script, const char *name)
{
    for (int i = 0; i < script->class_count; i++)
        if (strcmp(script->classes[i], name) == 0)
            return i;
    if (script->class_count == SCRIPT_CLASSES_MAX)
        return -1;
    script->classes[script->class_count] = name;
    return script->class_count++;
}

static int has_room(struct script *script)
{
    const int room = script->room ? 2 * script->room : 256;
    struct script_line *lines;

    if (script->count < script->room)
        return 1;
    lines = realloc(script->lines, (size_t)room * sizeof *lines);
    if (!lines)
        return 0;
    script->lines = lines;
    script->room = room;
    return 1;
}

/* Two of them are one that the shell takes as it is. */
static int ends_in_backslash(const char *text)
{
    const char *end = text + strlen(text), *at = end;

    while (at > text && at[-1] == '\\')
        at--;
    return (end - at) % 2;
}

static int add_line(struct reading *reading, char *text)
{
    struct script *script = reading->script;
    char why[SCRIPT_WHY_MAX];
    const int status = script_status(text, why), class_index = class_of(script, reading->class_name);

    if (status < 0)
        return refuse(reading, ": %s", why);
    if (ends_in_backslash(text))
        return refuse(reading, " ends in a backslash: a line cannot go on in the next");
    if (class_index < 0)
        return refuse(reading, ": there are more than %d classes", SCRIPT_CLASSES_MAX);
    if (script->count == SCRIPT_LINES_MAX)
        return refuse(reading, ": there are more than %d lines", SCRIPT_LINES_MAX);
    if (!has_room(script))
        return refuse(reading, ": there is no memory for it");
    script->lines[script->count++] =
        (struct script_line){reading->number, text, status, class_index, reading->is_extract};
    return 0;
}

static int take_comment(struct reading *reading, char *text)
{
    char why[SCRIPT_WHY_MAX];
    const enum script_directive directive = script_directive(text, &reading->class_name, why);

    if (directive == DIRECTIVE_WRONG)
        return refuse(reading, ": %s", why);
    if (directive == DIRECTIVE_EXTRACT || directive == DIRECTIVE_WHOLE)
        reading->is_extract = directive == DIRECTIVE_EXTRACT;
    return 0;
}

static int take_line(struct reading *reading, char *text, size_t length)
{
    if (length > SCRIPT_LINE_MAX)
        return refuse(reading, " is longer than %d bytes", SCRIPT_LINE_MAX);
    if (memchr(text, '\0', length))
        return refuse(reading, " has a zero byte in it");
    if (length > 0 && text[length - 1] == '\r')
        return refuse(reading, " ends in a carriage return: lines have to end in a newline alone");
    text[length] = '\0';
    text += strspn(text, " \t");
    if (*text == '#')
        return take_comment(reading, text);
    return *text ? add_line(reading, text) : 0;
}

/* Where no line is marked, the first ones are the extract. */
static void mark_extract(struct script *script)
{
    for (int i = 0; i < script->count; i++)
        if (script->lines[i].is_extract)
            return;
    for (int i = 0; i < script->count && i < SCRIPT_EXTRACT; i++)
        script->lines[i].is_extract = 1;
}

int script_parse(struct script *script, char *text, size_t size, char why[SCRIPT_WHY_MAX])
{
    struct reading reading = {.script = script, .class_name = "other", .why = why};
    char *end = text + size, *next;

    *script = (struct script){.lines = NULL};
    for (char *line = text; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        reading.number++;
        if (take_line(&reading, line, (size_t)(next - line)) != 0)
            return -1;
    }
    if (script->count == 0) {
        snprintf(why, SCRIPT_WHY_MAX, "there are no lines");
        return -1;
    }
    mark_extract(script);
    return 0;
}

void script_extract(struct script *script)
{
    const int count = script->count;
    const char *classes[SCRIPT_CLASSES_MAX];

    memcpy(classes, script->classes, sizeof classes);
    script->count = script->class_count = 0;
    for (int i = 0; i < count; i++) {
        struct script_line line = script->lines[i];

        if (!line.is_extract)
            continue;
        line.class_index = class_of(script, classes[line.class_index]);
        script->lines[script->count++] = line;
    }
}

void script_end(struct script *script)
{
    free(script->lines);
    *script = (struct script){.lines = NULL};
}
