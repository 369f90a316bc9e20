/* Parses the command line by a table of options. */
#include "ub.h"

#include <stddef.h>

#include "clock.h"
#include "options.h"

#define THINK_MAX_S   3600.0
#define SCALE_MAX     1000.0
#define LIMIT_MAX     1000.0
#define SHORTEST_S    0.001 /* smallest limit for a line */
#define DIGITS        "0123456789"
#define DECIMAL_MAX   20 /* characters */
#define SEED_DIGITS   18
#define USERS_DEFAULT 20
#define LIMIT_DEFAULT 2.0
#define SHOWN         40 /* characters of a wrong word */
#define LIST_MAX      200

/*
 * An option: its name, the name of its value or NULL, the function that parses the value, and its place in the options.
 */
struct option_row {
    const char *flag, *value;
    void (*parse)(struct options *options, const struct option_row *row, const char *text);
    size_t offset;
};

static void *target(struct options *options, const struct option_row *row)
{
    return (char *)options + row->offset;
}

/* Parses a decimal number up to that character; returns the text after it, or NULL. */
static const char *parse_decimal(const char *text, char end, double *number)
{
    const size_t length = strspn(text, DIGITS ".");
    char *rest;

    if (length == 0 || length > DECIMAL_MAX)
        return NULL;
    *number = strtod(text, &rest);
    return rest == text + length && *rest == end ? rest + (end != '\0') : NULL;
}

static double decimal(const struct option_row *row, const char *text, double above, double most)
{
    double number;

    if (!parse_decimal(text, '\0', &number) || !(number > above) || number > most)
        ub_error(2, "%s needs a number above %g and at most %g, not \"%.*s\"", row->flag, above, most, SHOWN, text);
    return number;
}

static void parse_users(struct options *options, const struct option_row *row, const char *text)
{
    char *rest;

    options->run_count = 0;
    for (const char *at = text; at; at = *rest ? rest + 1 : NULL) {
        const long users = strtol(at, &rest, 10);

        if (*at < '0' || *at > '9' || (*rest && *rest != ',') || users < 1 || users > USERS_MAX
            || options->run_count == RUNS_MAX)
            ub_error(2, "%s needs 1 to %d whole numbers from 1 to %d, separated by commas, not \"%.*s\"", row->flag,
                     RUNS_MAX, USERS_MAX, SHOWN, text);
        options->users[options->run_count++] = (int)users;
    }
}

static void parse_think(struct options *options, const struct option_row *row, const char *text)
{
    struct think_time *think = &options->think;
    const char *most = parse_decimal(text, '-', &think->min_s);

    if (!most || !parse_decimal(most, '\0', &think->max_s) || think->min_s > think->max_s
        || think->max_s > THINK_MAX_S)
        ub_error(2, "%s needs seconds as MIN-MAX, such as 2-15, at most %g, not \"%.*s\"", row->flag, THINK_MAX_S,
                 SHOWN, text);
}

static void parse_scale(struct options *options, const struct option_row *row, const char *text)
{
    options->scale = decimal(row, text, 0, SCALE_MAX);
}

static void parse_limit(struct options *options, const struct option_row *row, const char *text)
{
    options->limit = decimal(row, text, 1, LIMIT_MAX);
}

static void parse_line_limit(struct options *options, const struct option_row *row, const char *text)
{
    options->line_limit_ns = (int64_t)(decimal(row, text, SHORTEST_S, THINK_MAX_S) * NS_PER_S);
}

static void parse_seed(struct options *options, const struct option_row *row, const char *text)
{
    if (strspn(text, DIGITS) != strlen(text) || strlen(text) > SEED_DIGITS)
        ub_error(2, "%s needs a whole number of at most %d digits, not \"%.*s\"", row->flag, SEED_DIGITS, SHOWN, text);
    options->think.seed = strtoull(text, NULL, 10);
}

static void take_text(struct options *options, const struct option_row *row, const char *text)
{
    *(const char **)target(options, row) = text;
}

static void switch_on(struct options *options, const struct option_row *row, const char *text UB_UNUSED)
{
    *(int *)target(options, row) = 1;
}

static const struct option_row table[] = {
    {"--users", "N,...", parse_users, 0},
    {"--think", "MIN-MAX", parse_think, 0},
    {"--scale", "F", parse_scale, 0},
    {"--script", "FILE", take_text, offsetof(struct options, script)},
    {"--home", "DIR", take_text, offsetof(struct options, home)},
    {"--shell", "PATH", take_text, offsetof(struct options, shell)},
    {"--seed", "N", parse_seed, 0},
    {"--line-limit", "S", parse_line_limit, 0},
    {"--limit", "F", parse_limit, 0},
    {"--find-capacity", NULL, switch_on, offsetof(struct options, is_capacity)},
    {"--extract", NULL, switch_on, offsetof(struct options, is_extract)},
};

__attribute__((noreturn))
static void fail_unknown(const char *word)
{
    char list[LIST_MAX] = "";

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "", table[i].flag);
    ub_error(2, "unknown option \"%.*s\"; the options are %s", SHOWN, word, list);
}

static const struct option_row *find(const char *word)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].flag, word) == 0)
            return &table[i];
    return NULL;
}

/* Checks options that depend on each other, and sets the defaults of those that were not given. */
static void complete(struct options *options)
{
    if (options->is_capacity && options->run_count > 0)
        ub_error(2, "--users and --find-capacity contradict each other; leave out one of them");
    if (!options->is_capacity && options->limit > 0)
        ub_error(2, "--limit has no effect without --find-capacity; leave it out, or add that option");
    if (options->run_count == 0)
        options->users[options->run_count++] = USERS_DEFAULT;
    if (!(options->limit > 0))
        options->limit = LIMIT_DEFAULT;
    options->is_extract |= options->is_capacity;
    options->think.min_s *= options->scale;
    options->think.max_s *= options->scale;
}

void options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){
        .think = {.min_s = 2, .max_s = 15, .seed = 1},
        .scale = 0.02,
        .script = "multiuser.script",
        .shell = "/bin/sh",
    };
    for (int i = 1; i < argc; i++) {
        const struct option_row *row = find(argv[i]);

        if (!row)
            fail_unknown(argv[i]);
        if (row->value && (!argv[i + 1] || !*argv[i + 1]))
            ub_error(2, "%s needs a value: %s", row->flag, row->value);
        row->parse(options, row, row->value ? argv[++i] : NULL);
    }
    complete(options);
}
