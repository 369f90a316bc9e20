/* Lines of a file, taken apart in place. */
#include "script.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "script_directive.h"
#include "script_lines.h"

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

/* Two of them are one that the shell takes as it is. */
static int ends_in_backslash(const char *text)
{
    const char *end = text + strlen(text), *at = end;

    while (at > text && at[-1] == '\\')
        at--;
    return (end - at) % 2 == 1;
}

static int add_line(struct reading *reading, char *text)
{
    struct script *script = reading->script;
    char why[SCRIPT_WHY_MAX];
    const int status = script_status(text, why), class_index = script_class(script, reading->class_name);

    if (status < 0)
        return refuse(reading, ": %s", why);
    if (ends_in_backslash(text))
        return refuse(reading, " ends in a backslash: a line cannot go on in the next");
    if (class_index < 0)
        return refuse(reading, ": there are more than %d classes", SCRIPT_CLASSES_MAX);
    if (script->count == SCRIPT_LINES_MAX)
        return refuse(reading, ": there are more than %d lines", SCRIPT_LINES_MAX);
    if (script_add(script, (struct script_line){reading->number, text, status, class_index, reading->is_extract}) != 0)
        return refuse(reading, ": there is no memory for it");
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

static int take_lines(struct reading *reading, char *text, char *end)
{
    char *next;

    for (char *line = text; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        reading->number++;
        if (take_line(reading, line, (size_t)(next - line)) != 0)
            return -1;
    }
    if (reading->script->count > 0)
        return 0;
    snprintf(reading->why, SCRIPT_WHY_MAX, "there are no lines");
    return -1;
}

int script_parse(struct script *script, char *text, size_t size, char why[SCRIPT_WHY_MAX])
{
    struct reading reading = {.script = script, .class_name = "other", .why = why};

    *script = (struct script){.lines = NULL};
    if (take_lines(&reading, text, text + size) != 0) {
        script_end(script);
        return -1;
    }
    mark_extract(script);
    return 0;
}
