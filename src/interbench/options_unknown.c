/* What may have been meant by an option that is not there. */
#include "options_unknown.h"

#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options_table.h"

static const char *long_name(int index)
{
    for (int i = 0; i < option_count; i++)
        if (option_rows[i].name && index-- == 0)
            return option_rows[i].name;
    return NULL;
}

static int count_long_names(void)
{
    int count = 0;

    while (long_name(count))
        count++;
    return count;
}

/* A beginning that several long options have. */
static void check_ambiguous(const char *beginning)
{
    const char *first = NULL;

    for (int i = 0; i < option_count; i++) {
        const char *name = option_rows[i].name;

        if (!name || strncmp(name, beginning, strlen(beginning)) != 0)
            continue;
        if (first)
            fail(STATUS_WRONG_USAGE, "--%s is too short, as --%s and --%s begin with it; write it out", beginning,
                 first, name);
        first = name;
    }
}

__attribute__((noreturn))
static void fail_long(const char *word)
{
    char shown[QUOTED_MAX], name[QUOTED_MAX];
    const char *near;

    quoted(word + strspn(word, "-"), name);
    name[strcspn(name, "=")] = '\0';
    if (name[0])
        check_ambiguous(name);
    near = nearest(name, (struct names){count_long_names(), long_name});
    quoted(word, shown);
    if (near)
        fail(STATUS_WRONG_USAGE, "there is no option %s; did you mean --%s?", shown, near);
    fail(STATUS_WRONG_USAGE, "there is no option %s; -h shows all", shown);
}

void options_fail_unknown(int code, const char *word)
{
    const struct option_row *row = option_find(code);
    char name[QUOTED_MAX], letter[] = {(char)code, '\0'};

    if (code == 0)
        fail_long(word);
    if (row)
        fail(STATUS_WRONG_USAGE, "%s takes no value; leave it out", option_word(row, name));
    fail(STATUS_WRONG_USAGE, "there is no option -%s; -h shows all", quoted(letter, name));
}
