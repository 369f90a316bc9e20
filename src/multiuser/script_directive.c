/* Comments that begin with "#=". */
#include "script_directive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGN      "#="
#define BLANKS    " \t"
#define LETTERS   "abcdefghijklmnopqrstuvwxyz"
#define NAME_MOST 31
#define SHOWN     30 /* bytes of a word that is not known */

struct words {
    const char *first, *rest; /* "" without one */
};

/* Cuts what stands behind the sign into its first word and the rest. */
static struct words words_of(char *text)
{
    char *first = text + strspn(text, BLANKS), *rest = first + strcspn(first, BLANKS), *end = rest + strlen(rest);

    while (end > rest && strchr(BLANKS, end[-1]))
        *--end = '\0';
    if (*rest)
        *rest++ = '\0';
    return (struct words){first, rest + strspn(rest, BLANKS)};
}

static enum script_directive take_class(const char *name, const char **class_name, char why[SCRIPT_WHY_MAX])
{
    const size_t length = strlen(name);

    if (length == 0 || length > NAME_MOST || name[0] == '-' || strspn(name, LETTERS "-") != length)
        snprintf(why, SCRIPT_WHY_MAX, "\"#= class\" needs a name of small letters and hyphens, at most %d", NAME_MOST);
    else if (strcmp(name, "all") == 0)
        snprintf(why, SCRIPT_WHY_MAX, "\"all\" is no name of a class: it stands for all lines");
    else {
        *class_name = name;
        return DIRECTIVE_CLASS;
    }
    return DIRECTIVE_WRONG;
}

/* The word may be anything. */
static void say_unknown(const char *word, char why[SCRIPT_WHY_MAX])
{
    snprintf(why, SCRIPT_WHY_MAX, "\"#= %.*s\" is not known", SHOWN, word);
    for (char *at = why; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
}

static enum script_directive take_words(struct words words, const char **class_name, char why[SCRIPT_WHY_MAX])
{
    const int is_extract = strcmp(words.first, "extract") == 0;

    if (strcmp(words.first, "class") == 0)
        return take_class(words.rest, class_name, why);
    if (strcmp(words.first, "status") == 0)
        snprintf(why, SCRIPT_WHY_MAX, "\"#= status\" stands behind a command, not alone");
    else if (!is_extract && strcmp(words.first, "whole") != 0)
        say_unknown(words.first, why);
    else if (words.rest[0])
        snprintf(why, SCRIPT_WHY_MAX, "\"#= %s\" takes nothing more", words.first);
    else
        return is_extract ? DIRECTIVE_EXTRACT : DIRECTIVE_WHOLE;
    return DIRECTIVE_WRONG;
}

enum script_directive script_directive(char *line, const char **class_name, char why[SCRIPT_WHY_MAX])
{
    if (strncmp(line, SIGN, strlen(SIGN)) != 0)
        return DIRECTIVE_NONE;
    return take_words(words_of(line + strlen(SIGN)), class_name, why);
}

/* Where the comment begins, behind a blank.  Where quotes follow, it may be text between them. */
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

    return length > 0 && length <= 3 && strspn(digits, "0123456789") == length ? atoi(digits) : -1;
}

int script_status(char *line, char why[SCRIPT_WHY_MAX])
{
    char *comment = comment_in(line), *end = comment;
    struct words words;
    int status;

    if (!comment)
        return 0;
    words = words_of(comment + strlen(SIGN));
    status = number_of(words.rest);
    while (strchr(BLANKS, end[-1]))
        *--end = '\0';
    if (strcmp(words.first, "status") == 0 && status >= 0 && status <= 255)
        return status;
    if (strcmp(words.first, "status") == 0)
        snprintf(why, SCRIPT_WHY_MAX, "\"#= status\" needs a whole number from 0 to 255");
    else
        snprintf(why, SCRIPT_WHY_MAX, "behind a command there can only be \"#= status\"");
    return -1;
}
