/* Parses the script, in place, and draws think times. */
#include "script.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "random.h"

#define SIGN      "#=" /* begins a comment that describes lines */
#define BLANKS    " \t"
#define DIGITS    "0123456789"
#define LETTERS   "abcdefghijklmnopqrstuvwxyz"
#define NAME_MOST 31
#define SHOWN     30 /* bytes of an unknown word */

/* The parser: the script so far, and the settings of the next line. */
struct parser {
    struct script *script;
    int number;
    const char *class_name;
    int is_extract;
    char *why;
};

/* Writes "line N" and the message to why; returns -1. */
__attribute__((format(printf, 2, 3)))
static int refuse(struct parser *parser, const char *format, ...)
{
    char text[SCRIPT_WHY_MAX];
    va_list values;

    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    snprintf(parser->why, SCRIPT_WHY_MAX, "line %d%.*s", parser->number, SCRIPT_WHY_MAX - 20, text);
    return -1;
}

/* Returns the index of the class, which is added if it is new; -1 if there are too many. */
static int class_index(struct script *script, const char *name)
{
    for (int i = 0; i < script->class_count; i++)
        if (strcmp(script->classes[i], name) == 0)
            return i;
    if (script->class_count == SCRIPT_CLASSES_MAX)
        return -1;
    script->classes[script->class_count] = name;
    return script->class_count++;
}

/* The words of a comment after the sign: the first and the rest; "" if they are missing. */
struct words {
    char *first, *rest;
};

/* Cuts text into its first word and the rest. */
static struct words split(char *text)
{
    char *first = text + strspn(text, BLANKS), *rest = first + strcspn(first, BLANKS), *end = rest + strlen(rest);

    while (end > rest && strchr(BLANKS, end[-1]))
        *--end = '\0';
    if (*rest)
        *rest++ = '\0';
    return (struct words){first, rest + strspn(rest, BLANKS)};
}

static int parse_class(struct parser *parser, const char *name)
{
    const size_t length = strlen(name);

    if (length == 0 || length > NAME_MOST || name[0] == '-' || strspn(name, LETTERS "-") != length)
        return refuse(parser, ": \"#= class\" needs a name of at most %d small letters and hyphens", NAME_MOST);
    if (strcmp(name, "all") == 0)
        return refuse(parser, ": the name \"all\" stands for all lines; use another name for the class");
    parser->class_name = name;
    return 0;
}

/* Parses a comment; returns 0, or -1 with an error.  Comments without the sign are for readers of the script. */
static int parse_comment(struct parser *parser, char *line)
{
    if (strncmp(line, SIGN, strlen(SIGN)) != 0)
        return 0;

    const struct words words = split(line + strlen(SIGN));
    const int is_extract = strcmp(words.first, "extract") == 0;

    if (strcmp(words.first, "class") == 0)
        return parse_class(parser, words.rest);
    if (strcmp(words.first, "status") == 0)
        return refuse(parser, ": \"#= status\" must follow a command in the same line");
    if (!is_extract && strcmp(words.first, "whole") != 0)
        return refuse(parser, ": unknown comment \"#= %.*s\"; use class, extract, whole or status", SHOWN, words.first);
    if (words.rest[0])
        return refuse(parser, ": \"#= %s\" takes no value; leave it out", words.first);
    parser->is_extract = is_extract;
    return 0;
}

/*
 * Returns the comment in a command line, or NULL.  It begins with the sign, after a blank, and no quote follows:
 * otherwise it may be text between quotes.
 */
static char *comment_in(char *line)
{
    char *at = line;

    while ((at = strstr(at, SIGN)) && (at == line || !strchr(BLANKS, at[-1]) || strpbrk(at, "'\"`")))
        at++;
    return at;
}

static int number_of(const char *digits)
{
    const size_t length = strlen(digits);

    return length > 0 && length <= 3 && strspn(digits, DIGITS) == length ? atoi(digits) : -1;
}

/* Cuts the comment off a command line; returns the status with which the line is to end, or -1. */
static int parse_status(struct parser *parser, char *line)
{
    char *comment = comment_in(line);

    if (!comment)
        return 0;

    const struct words words = split(comment + strlen(SIGN));
    const int status = number_of(words.rest);

    for (char *end = comment; strchr(BLANKS, end[-1]);)
        *--end = '\0';
    if (strcmp(words.first, "status") != 0)
        return refuse(parser, ": only \"#= status\" may follow a command");
    if (status < 0 || status > 255)
        return refuse(parser, ": \"#= status\" needs a whole number from 0 to 255");
    return status;
}

/* Returns whether the text ends in an odd number of backslashes: two stand for one that does not continue the line. */
static int ends_in_backslash(const char *text)
{
    const char *end = text + strlen(text), *at = end;

    while (at > text && at[-1] == '\\')
        at--;
    return (end - at) % 2 == 1;
}

static int parse_command(struct parser *parser, char *text)
{
    struct script *script = parser->script;
    const int status = parse_status(parser, text);

    if (status < 0)
        return -1;

    const int class = class_index(script, parser->class_name);

    if (ends_in_backslash(text))
        return refuse(parser, " ends with a backslash; write the whole command in one line");
    if (class < 0)
        return refuse(parser, ": the script has more than %d classes", SCRIPT_CLASSES_MAX);
    if (script->count == SCRIPT_LINES_MAX)
        return refuse(parser, ": the script has more than %d lines", SCRIPT_LINES_MAX);
    script->lines[script->count++] = (struct script_line){parser->number, text, status, class, parser->is_extract};
    return 0;
}

static int parse_line(struct parser *parser, char *text, size_t length)
{
    if (length > SCRIPT_LINE_MAX)
        return refuse(parser, " is longer than %d bytes", SCRIPT_LINE_MAX);
    if (memchr(text, '\0', length))
        return refuse(parser, " contains a zero byte; remove it");
    if (length > 0 && text[length - 1] == '\r')
        return refuse(parser, " ends with a carriage return; end each line with a newline only");
    text[length] = '\0';
    text += strspn(text, BLANKS);
    if (*text == '#')
        return parse_comment(parser, text);
    return *text ? parse_command(parser, text) : 0;
}

static int parse_lines(struct parser *parser, char *text, char *end)
{
    for (char *line = text, *next; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        parser->number++;
        if (parse_line(parser, line, (size_t)(next - line)) != 0)
            return -1;
    }
    if (parser->script->count > 0)
        return 0;
    snprintf(parser->why, SCRIPT_WHY_MAX, "the script has no commands");
    return -1;
}

/* Marks the first lines as the extract, if no line is marked. */
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
    struct parser parser = {.script = script, .class_name = "other", .why = why};
    int newlines = 0;

    for (size_t i = 0; i < size && newlines < SCRIPT_LINES_MAX; i++)
        newlines += text[i] == '\n';
    *script = (struct script){.lines = calloc((size_t)newlines + 1, sizeof *script->lines)};
    snprintf(why, SCRIPT_WHY_MAX, "not enough memory for the script");
    if (!script->lines || parse_lines(&parser, text, text + size) != 0) {
        script_end(script);
        return -1;
    }
    mark_extract(script);
    return 0;
}

void script_extract(struct script *script)
{
    const struct script whole = *script;

    script->count = script->class_count = 0;
    for (int i = 0; i < whole.count; i++) {
        struct script_line line = whole.lines[i];

        if (!line.is_extract)
            continue;
        line.class_index = class_index(script, whole.classes[line.class_index]);
        script->lines[script->count++] = line;
    }
}

void script_end(struct script *script)
{
    free(script->lines);
    *script = (struct script){.lines = NULL};
}

/* Each user has a random sequence of its own, so the times of one user do not depend on the others. */
int64_t think_time_ns(const struct think_time *think, int user, int place)
{
    const int64_t min_ns = (int64_t)(think->min_s * NS_PER_S), max_ns = (int64_t)(think->max_s * NS_PER_S);
    const uint64_t seed_of_user = random_at(think->seed, (uint64_t)user);

    return min_ns + (int64_t)random_below((uint64_t)(max_ns - min_ns) + 1, seed_of_user, (uint64_t)place);
}
