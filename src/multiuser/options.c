/* Each option with what reads its value; two have none. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "protocol.h"

#define THINK_MAX_S 3600.0
#define SCALE_MAX   1000.0
#define LIMIT_MAX   1000.0
#define SHORTEST_S  0.001 /* that a line may be given */
#define SEED_DIGITS 18
#define USERS_USUAL 20
#define LIMIT_USUAL 2.0
#define SHOWN       40 /* characters of a word that is refused */

/* Reads a decimal number up to that character; returns what follows, or NULL. */
static const char *take_decimal(const char *text, char end, double *number)
{
    char *behind;
    const size_t length = strspn(text, "0123456789.");

    if (length == 0 || length > 20)
        return NULL;
    *number = strtod(text, &behind);
    return behind == text + length && *behind == end ? behind + (end != '\0') : NULL;
}

static double decimal(const char *flag, const char *text, double above, double most)
{
    double number;

    if (!take_decimal(text, '\0', &number) || !(number > above) || number > most)
        misused("%s needs a number above %g, at most %g, not \"%.*s\"", flag, above, most, SHOWN, text);
    return number;
}

static void read_users(struct options *options, const char *flag, const char *text)
{
    const char *at = text;
    char *behind;

    for (options->load_count = 0; at; at = *behind ? behind + 1 : NULL) {
        const long users = strtol(at, &behind, 10);

        if (*at < '0' || *at > '9' || (*behind && *behind != ',') || users < 1 || users > USERS_MAX
            || options->load_count == LOADS_MAX)
            misused("%s needs numbers from 1 to %d, at most %d of them, not \"%.*s\"", flag, USERS_MAX, LOADS_MAX,
                    SHOWN, text);
        options->users[options->load_count++] = (int)users;
    }
}

static void read_think(struct options *options, const char *flag, const char *text)
{
    const char *most = take_decimal(text, '-', &options->think_least_s);

    if (!most || !take_decimal(most, '\0', &options->think_most_s) || options->think_least_s > options->think_most_s
        || options->think_most_s > THINK_MAX_S)
        misused("%s needs seconds as MIN-MAX, at most %g, not \"%.*s\"", flag, THINK_MAX_S, SHOWN, text);
}

static void read_scale(struct options *options, const char *flag, const char *text)
{
    options->scale = decimal(flag, text, 0, SCALE_MAX);
}

static void read_limit(struct options *options, const char *flag, const char *text)
{
    options->limit = decimal(flag, text, 1, LIMIT_MAX);
}

static void read_line_limit(struct options *options, const char *flag, const char *text)
{
    options->line_limit_ns = (int64_t)(decimal(flag, text, SHORTEST_S, THINK_MAX_S) * NS_PER_S);
}

static void read_seed(struct options *options, const char *flag, const char *text)
{
    if (strspn(text, "0123456789") != strlen(text) || strlen(text) > SEED_DIGITS)
        misused("%s needs a whole number, not \"%.*s\"", flag, SHOWN, text);
    options->pace.seed = strtoull(text, NULL, 10);
}

static void read_script(struct options *options, const char *flag, const char *text)
{
    (void)flag;
    options->script = text;
}

static void read_shell(struct options *options, const char *flag, const char *text)
{
    (void)flag;
    options->shell = text;
}

static void read_home(struct options *options, const char *flag, const char *text)
{
    (void)flag;
    options->home = text;
}

static void read_capacity(struct options *options, const char *flag, const char *text)
{
    (void)flag;
    (void)text;
    options->is_capacity = 1;
    options->is_extract = 1;
}

static void read_extract(struct options *options, const char *flag, const char *text)
{
    (void)flag;
    (void)text;
    options->is_extract = 1;
}

static const struct known {
    const char *flag, *value;
    void (*read)(struct options *options, const char *flag, const char *text);
} known[] = {
    {"--users", "N,...", read_users},    {"--think", "MIN-MAX", read_think},    {"--scale", "F", read_scale},
    {"--script", "FILE", read_script},   {"--home", "DIR", read_home},          {"--shell", "PATH", read_shell},
    {"--seed", "N", read_seed},          {"--line-limit", "S", read_line_limit}, {"--limit", "F", read_limit},
    {"--find-capacity", NULL, read_capacity}, {"--extract", NULL, read_extract},
};

static const struct known *find(const char *word)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].flag, word) == 0)
            return &known[i];
    return NULL;
}

/* What was not said, and what follows from what was. */
static void fill_in(struct options *options)
{
    if (options->load_count == 0)
        options->users[options->load_count++] = USERS_USUAL;
    if (!(options->limit > 0))
        options->limit = LIMIT_USUAL;
    options->pace.least_s = options->think_least_s * options->scale;
    options->pace.most_s = options->think_most_s * options->scale;
}

void options_read(struct options *options, int argc, char **argv)
{
    *options = (struct options){
        .think_least_s = 2,
        .think_most_s = 15,
        .scale = 0.02,
        .pace = {.seed = 1},
        .script = "multiuser.script",
        .shell = "/bin/sh",
    };
    for (int i = 1; i < argc; i++) {
        const struct known *option = find(argv[i]);

        if (!option)
            misused("unknown option \"%.*s\"", SHOWN, argv[i]);
        if (option->value && (!argv[i + 1] || !*argv[i + 1]))
            misused("%s needs a value, %s", option->flag, option->value);
        option->read(options, option->flag, option->value ? argv[++i] : NULL);
    }
    if (options->is_capacity && options->load_count > 0)
        misused("--users and --find-capacity do not go together");
    if (!options->is_capacity && options->limit > 0)
        misused("--limit is for --find-capacity");
    fill_in(options);
}
