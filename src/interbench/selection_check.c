/* A selection that measures nothing, or not what was asked for, is refused. */
#include "selection_check.h"

#include <string.h>

#include "message.h"

static int has_task(const struct options *options, const char *name)
{
    for (int i = 0; i < options->task_count; i++)
        if (strcmp(options->tasks[i]->name, name) == 0)
            return 1;
    return 0;
}

static int has_load(const struct options *options, const char *name)
{
    for (int i = 0; i < options->load_count; i++)
        if (strcmp(options->loads[i]->name, name) == 0)
            return 1;
    return 0;
}

/* Of several tasks or loads, one differs. */
static int has_cell(const struct options *options)
{
    if (options->task_count == 0 || options->load_count == 0)
        return 0;
    return options->task_count > 1 || options->load_count > 1
           || strcmp(options->tasks[0]->name, options->loads[0]->name) != 0;
}

static void check_real_time(const struct options *options)
{
    for (int i = 0; i < options->task_count; i++)
        if (!options->tasks[i]->is_real_time)
            fail(STATUS_WRONG_USAGE, "-r is not for the task %s; leave out -r or -W %s", options->tasks[i]->name,
                 options->tasks[i]->name);
}

void check_selection(const struct options *options)
{
    if (options->is_real_time)
        check_real_time(options);
    if (options->task_count == 0)
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: -X leaves out every task; leave out an -X");
    if (options->load_count == 0)
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: -x leaves out every load; leave out an -x");
    if (!has_cell(options))
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: %s is not measured under itself; name another load by -w",
             options->tasks[0]->name);
    if (options->load_command && !has_load(options, "Command"))
        fail(STATUS_WRONG_USAGE, "--load-cmd has no use as -x leaves Command out; leave out one of the two");
    if (options->custom_period_us && !has_task(options, "Custom") && !has_load(options, "Custom"))
        fail(STATUS_WRONG_USAGE, "-C and -I have no use as Custom is left out; name it by -W or -w, or leave out both");
}
