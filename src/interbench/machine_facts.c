/* What can make a difference to interactivity on this machine. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine_list.h"

static void make_printable(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

void fact_add(struct fact_list *list, const char *name, const char *format, ...)
{
    struct fact *fact = &list->facts[list->count];
    va_list arguments;

    if (list->count == FACTS_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(fact->value, sizeof fact->value, format, arguments);
    va_end(arguments);
    make_printable(fact->value);
    fact->name = name;
    if (*fact->value)
        list->count++;
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

int machine_facts(const char *root, const char *directory, struct fact facts[FACTS_MAX])
{
    struct fact_list list = {.reader.root = root, .facts = facts};

    add_kernel_facts(&list);
    add_processor_facts(&list);
    add_group_facts(&list);
    add_memory_facts(&list, directory);
    proc_close(&list.reader);
    return list.count;
}
