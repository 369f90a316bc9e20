/* Selects the tasks and loads to measure by name. */
#include "options.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "message.h"

static const char *task_name(int index)
{
    return tasks_at(index)->name;
}

static const char *load_name(int index)
{
    return loads_at(index)->name;
}

unsigned selection_bit(int letter, const char *word)
{
    const int is_task = letter == 'W' || letter == 'X', count = is_task ? tasks_count() : loads_count();
    const char *(*name_at)(int) = is_task ? task_name : load_name;
    char names[200] = "";

    for (int i = 0; i < count; i++) {
        if (strcasecmp(name_at(i), word) == 0)
            return 1u << i;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", name_at(i));
    }
    fail(STATUS_WRONG_USAGE, "-%c %.60s: unknown %s; the %ss are %s", letter, word, is_task ? "task" : "load",
         is_task ? "task" : "load", names);
}

static int is_usual_task(const struct options *options, const struct task *task)
{
    if (options->mode == MODE_MIX)
        return task->is_mixed;
    if (options->is_real_time && !task->is_real_time)
        return 0;
    return task->is_default && (strcmp(task->name, "Custom") != 0 || options->custom_period_us != 0);
}

static int is_usual_load(const struct options *options, const struct load *load)
{
    if (options->mode == MODE_MIX)
        return load->is_mixed;
    return strcmp(load->name, "Command") != 0 && (strcmp(load->name, "Custom") != 0 || options->custom_period_us != 0);
}

static int is_chosen(const struct names *names, int index, int is_usual)
{
    const unsigned bit = 1u << index;

    if (names->excluded & bit)
        return 0;
    return names->given ? (names->given & bit) != 0 : is_usual;
}

static void choose_tasks(struct options *options)
{
    for (int i = 0; i < tasks_count(); i++) {
        const struct task *task = tasks_at(i);

        if (!is_chosen(&options->named_tasks, i, is_usual_task(options, task)))
            continue;
        if (options->is_real_time && !task->is_real_time)
            fail(STATUS_WRONG_USAGE, "-r can't measure the task %s; leave out -r or -W %s", task->name, task->name);
        if (strcmp(task->name, "Custom") == 0 && options->custom_period_us == 0)
            fail(STATUS_WRONG_USAGE, "-W Custom: Custom is not defined; define it with -C and -I");
        options->tasks[options->task_count++] = task;
    }
}

/* Command is measured in addition to the loads that are named. */
static void choose_loads(struct options *options)
{
    for (int i = 0; i < loads_count(); i++) {
        const struct load *load = loads_at(i);
        const int is_added = options->load_command && strcmp(load->name, "Command") == 0;

        if (is_chosen(&options->named_loads, i, is_usual_load(options, load))
            || (is_added && !(options->named_loads.excluded & 1u << i)))
            options->loads[options->load_count++] = load;
    }
}

int has_cell(const struct options *options)
{
    return options->task_count > 0 && options->load_count > 0
           && (options->task_count > 1 || options->load_count > 1
               || strcmp(options->tasks[0]->name, options->loads[0]->name) != 0);
}

void select_cells(struct options *options)
{
    choose_tasks(options);
    choose_loads(options);
    if (options->task_count == 0)
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: -X excludes all tasks; use fewer -X");
    if (options->load_count == 0)
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: -x excludes all loads; use fewer -x");
    if (!has_cell(options))
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: %s is not measured under itself; use -w with another "
             "load", options->tasks[0]->name);
}
