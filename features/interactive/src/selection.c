/* Selects the tasks and loads to measure by name, and suggests known names for unknown words. */
#include "command_line.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "message.h"

#define LENGTH_MAX  32
#define DISTANCE_MAX 2

static int is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the Levenshtein distance of two short words. */
static int distance(const char *a, const char *b)
{
    int row[LENGTH_MAX + 1];
    const int length = (int)strlen(b);

    if (strlen(a) > LENGTH_MAX || length > LENGTH_MAX)
        return LENGTH_MAX;
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];

        row[0] = i;
        for (int j = 1; j <= length; j++) {
            const int changed = diagonal + !is_same(a[i - 1], b[j - 1]);

            diagonal = row[j];
            row[j] = lesser(changed, 1 + lesser(row[j], row[j - 1]));
        }
    }
    return row[length];
}

/* The word must have at least one correct letter. */
const char *nearest(const char *word, struct names names)
{
    const char *best = NULL;
    int best_distance = lesser(DISTANCE_MAX, (int)strlen(word) - 1) + 1;

    for (int i = 0; i < names.count; i++) {
        const int here = distance(word, names.at(i));

        if (here < best_distance) {
            best_distance = here;
            best = names.at(i);
        }
    }
    return best;
}

const char *quoted(const char *word, char buffer[QUOTED_MAX])
{
    static const char cut[] = "...";
    size_t length = strlen(word);

    if (length >= QUOTED_MAX)
        length = QUOTED_MAX - sizeof cut;
    for (size_t i = 0; i < length; i++)
        buffer[i] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    strcpy(buffer + length, word[length] ? cut : "");
    return buffer;
}

#define NAMES_MAX 200

/* The kind of thing to select: a task or a load.  They have only names in common, so these functions use names. */
struct selection_kind {
    const char *name, *other_name;           /* "task" or "load" */
    const char *with, *without, *other_with; /* the options: -W, -X, "-w or -x" */
    struct names names, other_names;
    const struct words *named, *excluded;
    int (*is_usual)(const struct options *options, int index);
};

static const char *task_name(int index)
{
    return tasks_at(index)->name;
}

static const char *load_name(int index)
{
    return loads_at(index)->name;
}

static int is_custom(const char *name)
{
    return strcasecmp(name, "Custom") == 0;
}

static int is_command(const char *name)
{
    return strcasecmp(name, "Command") == 0;
}

static int is_usual_task(const struct options *options, int index)
{
    const struct task *task = tasks_at(index);

    if (options->mode == MODE_MIX)
        return task->is_mixed;
    if (options->is_real_time)
        return task->is_real_time;
    return task->is_default || is_custom(task->name);
}

static int is_usual_load(const struct options *options, int index)
{
    const struct load *load = loads_at(index);

    if (options->mode == MODE_MIX)
        return load->is_mixed;
    if (is_custom(load->name))
        return 1;
    return load->is_default;
}

/* Custom and Command are in the tables, but exist only with their options. */
static int is_defined(const struct options *options, const char *name)
{
    if (is_custom(name))
        return options->custom_period_us != 0;
    if (is_command(name))
        return options->load_command != NULL;
    return 1;
}

static int is_among(const struct words *words, const char *name)
{
    for (int i = 0; i < words->count; i++)
        if (strcasecmp(words->words[i], name) == 0)
            return 1;
    return 0;
}

static int is_name(struct names names, const char *word)
{
    for (int i = 0; i < names.count; i++)
        if (strcasecmp(names.at(i), word) == 0)
            return 1;
    return 0;
}

static const char *list_names(struct names names, char list[NAMES_MAX])
{
    size_t length = 0;

    list[0] = '\0';
    for (int i = 0; i < names.count && length < NAMES_MAX; i++)
        length += (size_t)snprintf(list + length, NAMES_MAX - length, "%s%s", i ? ", " : "", names.at(i));
    return list;
}

__attribute__((noreturn))
static void fail_unknown(const struct selection_kind *kind, const char *letter, const char *word)
{
    const char *near = nearest(word, kind->names);
    char shown[QUOTED_MAX], list[NAMES_MAX];

    quoted(word, shown);
    if (is_name(kind->other_names, word))
        fail(STATUS_WRONG_USAGE, "%s %s: this is a %s, not a %s; use %s", letter, shown, kind->other_name, kind->name,
             kind->other_with);
    if (near)
        fail(STATUS_WRONG_USAGE, "%s %s: unknown %s; did you mean %s?", letter, shown, kind->name, near);
    fail(STATUS_WRONG_USAGE, "%s %s: unknown %s; the %ss are %s", letter, shown, kind->name, kind->name,
         list_names(kind->names, list));
}

/* Fails if a word is not a name, or if a named task or load is not defined; undefined ones may be excluded. */
static void check_words(const struct options *options, const struct selection_kind *kind)
{
    for (int i = 0; i < kind->named->count; i++) {
        const char *word = kind->named->words[i];

        if (is_custom(word) && !is_defined(options, word))
            fail(STATUS_WRONG_USAGE, "%s Custom: Custom is not defined; define it with -C and -I", kind->with);
        if (!is_name(kind->names, word))
            fail_unknown(kind, kind->with, word);
        if (!is_defined(options, word))
            fail(STATUS_WRONG_USAGE, "%s Command: Command is not defined; define it with --load-cmd", kind->with);
    }
    for (int i = 0; i < kind->excluded->count; i++)
        if (!is_custom(kind->excluded->words[i]) && !is_name(kind->names, kind->excluded->words[i]))
            fail_unknown(kind, kind->without, kind->excluded->words[i]);
}

/* Returns whether a task or load is selected.  Command is selected if it is defined, even if other loads are named. */
static int is_chosen(const struct options *options, const struct selection_kind *kind, int index)
{
    const char *name = kind->names.at(index);

    if (!is_defined(options, name) || is_among(kind->excluded, name))
        return 0;
    if (is_command(name))
        return 1;
    return kind->named->count > 0 ? is_among(kind->named, name) : kind->is_usual(options, index);
}

static void choose_tasks(struct options *options, const struct choice *choice)
{
    struct selection_kind kind = {
        "task", "load", "-W", "-X", "-w or -x", {tasks_count(), task_name}, {loads_count(), load_name},
        &choice->tasks, &choice->excluded_tasks, is_usual_task
    };

    check_words(options, &kind);
    for (int i = 0; i < kind.names.count && options->task_count < TASKS_MAX; i++)
        if (is_chosen(options, &kind, i))
            options->tasks[options->task_count++] = tasks_at(i);
}

static void choose_loads(struct options *options, const struct choice *choice)
{
    struct selection_kind kind = {
        "load", "task", "-w", "-x", "-W or -X", {loads_count(), load_name}, {tasks_count(), task_name},
        &choice->loads, &choice->excluded_loads, is_usual_load
    };

    check_words(options, &kind);
    for (int i = 0; i < kind.names.count && options->load_count < LOADS_MAX; i++)
        if (is_chosen(options, &kind, i))
            options->loads[options->load_count++] = loads_at(i);
    options->is_load_named = choice->loads.count > 0;
}

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

/* Returns whether there is a cell.  A task is not measured under itself; but of several tasks or loads, one differs. */
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
            fail(STATUS_WRONG_USAGE, "-r can't measure the task %s; leave out -r or -W %s", options->tasks[i]->name,
                 options->tasks[i]->name);
}

/* Fails if nothing is left to measure, or an option would have no effect. */
static void check_selection(const struct options *options)
{
    if (options->is_real_time)
        check_real_time(options);
    if (options->task_count == 0)
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: -X excludes all tasks; use fewer -X");
    if (options->load_count == 0)
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: -x excludes all loads; use fewer -x");
    if (!has_cell(options))
        fail(STATUS_WRONG_USAGE, "nothing is left to measure: %s is not measured under itself; use -w with another "
             "load", options->tasks[0]->name);
    if (options->load_command && !has_load(options, "Command"))
        fail(STATUS_WRONG_USAGE, "--load-cmd has no effect: -x excludes Command; leave out one of them");
    if (options->custom_period_us && !has_task(options, "Custom") && !has_load(options, "Custom"))
        fail(STATUS_WRONG_USAGE, "-C and -I have no effect: Custom is not selected; select it with -W or -w, or leave "
             "out both");
}

void select_cells(struct options *options, const struct choice *choice)
{
    choose_tasks(options, choice);
    choose_loads(options, choice);
    check_selection(options);
}
