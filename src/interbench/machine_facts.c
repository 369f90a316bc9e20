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

int machine_facts(const char *root, const char *directory, struct fact facts[FACTS_MAX])
{
    struct fact_list list = {.place.root = root, .facts = facts};

    add_kernel_facts(&list);
    add_processor_facts(&list);
    add_group_facts(&list);
    add_memory_facts(&list, directory);
    return list.count;
}
