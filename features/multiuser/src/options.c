/* Parses the command line. */
#include "ub.h"

#include <getopt.h>
#include <stddef.h>

#include "options.h"

#define THINK_MAX_S   3600.0
#define FACTOR_MAX    1000.0
#define SHORTEST_S    0.001 /* smallest limit for a line */
#define DECIMAL_MAX   20 /* characters */
#define SEED          1
#define USERS_DEFAULT 20
#define LIMIT_DEFAULT 2.0
#define SHOWN         40 /* characters of a wrong word */

static const struct option flags[] = {
    {"users", required_argument, NULL, 'u'},
    {"think", required_argument, NULL, 't'},
    {"scale", required_argument, NULL, 's'},
    {"script", required_argument, NULL, 'f'},
    {"home", required_argument, NULL, 'h'},
    {"shell", required_argument, NULL, 'b'},
    {"line-limit", required_argument, NULL, 'w'},
    {"limit", required_argument, NULL, 'l'},
    {"find-capacity", no_argument, NULL, 'c'},
    {NULL, 0, NULL, 0},
};

/* Parses a decimal number up to that character; returns the text after it, or NULL. */
static const char *parse_decimal(const char *text, char end, double *number)
{
    const size_t length = strspn(text, "0123456789.");
    char *rest;

    if (length == 0 || length > DECIMAL_MAX)
        return NULL;
    *number = strtod(text, &rest);
    return rest == text + length && *rest == end ? rest + (end != '\0') : NULL;
}

static double decimal(const char *flag, const char *text, double above, double most)
{
    double number;

    if (!parse_decimal(text, '\0', &number) || !(number > above) || number > most)
        ub_error(2, "%s needs a number above %g and at most %g, not \"%.*s\"", flag, above, most, SHOWN, text);
    return number;
}

static void parse_users(struct options *options, const char *text)
{
    char *rest;

    options->run_count = 0;
    for (const char *at = text; at; at = *rest ? rest + 1 : NULL) {
        const long users = strtol(at, &rest, 10);

        if (*at < '0' || *at > '9' || (*rest && *rest != ',') || users < 1 || users > USERS_MAX
            || options->run_count == RUNS_MAX)
            ub_error(2, "--users needs 1 to %d whole numbers from 1 to %d, separated by commas, not \"%.*s\"", RUNS_MAX,
                     USERS_MAX, SHOWN, text);
        options->users[options->run_count++] = (int)users;
    }
}

static void parse_think(struct think_time *think, const char *text)
{
    const char *most = parse_decimal(text, '-', &think->min_s);

    if (!most || !parse_decimal(most, '\0', &think->max_s) || think->min_s > think->max_s
        || think->max_s > THINK_MAX_S)
        ub_error(2, "--think needs seconds as MIN-MAX, such as 2-15, at most %g, not \"%.*s\"", THINK_MAX_S, SHOWN,
                 text);
}

static void parse_option(struct options *options, int flag, char **argv)
{
    switch (flag) {
    case 'u': parse_users(options, optarg); break;
    case 't': parse_think(&options->think, optarg); break;
    case 's': options->scale = decimal("--scale", optarg, 0, FACTOR_MAX); break;
    case 'l': options->limit = decimal("--limit", optarg, 1, FACTOR_MAX); break;
    case 'w': options->line_limit_s = decimal("--line-limit", optarg, SHORTEST_S, THINK_MAX_S); break;
    case 'f': options->script = optarg; break;
    case 'h': options->home = optarg; break;
    case 'b': options->shell = optarg; break;
    case 'c': options->is_capacity = 1; break;
    default: ub_error(2, "unknown option, or no value: \"%.*s\"", SHOWN, argv[optind - 1]);
    }
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
    options->think.min_s *= options->scale;
    options->think.max_s *= options->scale;
}

void options_parse(struct options *options, int argc, char **argv)
{
    int flag;

    *options = (struct options){
        .think = {.min_s = 2, .max_s = 15, .seed = SEED},
        .scale = 0.02,
        .script = "multiuser.script",
        .shell = "/bin/sh",
    };
    opterr = 0;
    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1)
        parse_option(options, flag, argv);
    if (optind < argc)
        ub_error(2, "\"%.*s\" is not an option", SHOWN, argv[optind]);
    complete(options);
}
