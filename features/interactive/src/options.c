/* Reads the command line, by a table of options. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "message.h"

enum kind { KIND_FLAG, KIND_MODE, KIND_NAME, KIND_INT, KIND_INT64, KIND_SECONDS, KIND_SIZE, KIND_TEXT, KIND_POLICY };

#define LONG 1000 /* what getopt_long returns for a long option without a letter: this, and its place in the table */
#define PLACE(member) offsetof(struct options, member)

struct row {
    int letter;          /* or 0 */
    const char *name;    /* the long one, or NULL */
    const char *value;   /* what the usage calls it, or NULL for none */
    enum kind kind;
    size_t place;
    int64_t least, most; /* of a number or, in nanoseconds, of seconds; of the length of a text; least: the mode */
    const char *about;
};

static const struct row rows[] = {
    {'W', NULL, "TASK", KIND_NAME, PLACE(named_tasks.given), 0, 0, "measure this task; repeat it for several"},
    {'X', NULL, "TASK", KIND_NAME, PLACE(named_tasks.excluded), 0, 0, "exclude this task"},
    {'w', NULL, "LOAD", KIND_NAME, PLACE(named_loads.given), 0, 0, "measure under this load; repeat it for several"},
    {'x', NULL, "LOAD", KIND_NAME, PLACE(named_loads.excluded), 0, 0, "exclude this load"},
    {0, "mix", NULL, KIND_MODE, PLACE(mode), MODE_MIX, 0, "measure the tasks of a desktop together"},
    {0, "capacity", NULL, KIND_MODE, PLACE(mode), MODE_CAPACITY, 0,
     "find how many 60 Hz streams are on time under Burn"},
    {'C', NULL, "PERCENT", KIND_INT, PLACE(custom_percent), 1, 100, "CPU share of the task and load Custom; needs -I"},
    {'I', NULL, "MICROSECONDS", KIND_INT64, PLACE(custom_period_us), 100, 10000000, "period of Custom; needs -C"},
    {0, "load-cmd", "COMMAND", KIND_TEXT, PLACE(load_command), 1, 4096,
     "add the load Command, which repeats this command"},
    {'t', NULL, "SECONDS", KIND_SECONDS, PLACE(duration_ns), 1, 86400 * NS_PER_S,
     "duration of each cell (30; --mix 10, --capacity 3)"},
    {0, "warmup", "SECONDS", KIND_SECONDS, PLACE(warmup_ns), 0, 3600 * NS_PER_S,
     "warm-up before each cell, not counted (1)"},
    {0, "repeat", "R", KIND_INT, PLACE(repeats), 1, 1000, "measure each cell R times, in shuffled order (1)"},
    {0, "seed", "N", KIND_INT64, PLACE(seed), 0, INT64_MAX, "seed of all random choices (1)"},
    {'n', NULL, "STREAMS", KIND_INT, PLACE(copies), 1, 10000, "number of streams of each task (1)"},
    {'L', NULL, "N", KIND_INT, PLACE(load_threads), 1, 65536, "size of Burn, Ring and Hack (number of CPUs)"},
    {'B', NULL, "NICE", KIND_INT, PLACE(task_nice), -20, 19, "nice value of the task (0)"},
    {'N', NULL, "NICE", KIND_INT, PLACE(load_nice), -20, 19, "nice value of the load (0)"},
    {'r', NULL, NULL, KIND_FLAG, PLACE(is_real_time), 0, 0, "run the tasks in real time (SCHED_FIFO)"},
    {'u', NULL, NULL, KIND_FLAG, PLACE(is_pinned), 0, 0, "bind task and load to the first allowed CPU"},
    {0, "pin", "CPU", KIND_INT, PLACE(pin_cpu), 0, 1048575, "bind task and load to this CPU"},
    {0, "policy", "POLICY", KIND_POLICY, PLACE(policy), 0, 0, "after a late frame: skip or catchup (skip)"},
    {'l', NULL, "N", KIND_INT64, PLACE(loops_per_ms), 1, 1000000000, "loops per ms, instead of calibration"},
    {'b', NULL, NULL, KIND_FLAG, PLACE(is_calibrated), 0, 0, "calibrate, in spite of -l"},
    {0, "fixed", NULL, KIND_FLAG, PLACE(is_fixed), 0, 0, "use the same work on every machine"},
    {0, "tmpdir", "DIRECTORY", KIND_TEXT, PLACE(directory), 1, 4000,
     "directory of Write and Read ($TMPDIR or /var/tmp)"},
    {0, "max-disk", "SIZE", KIND_SIZE, PLACE(max_disk_bytes), MIB, INT64_MAX, "largest file of Write and Read (4G)"},
    {0, "max-mem", "SIZE", KIND_SIZE, PLACE(max_memory_bytes), MIB, INT64_MAX,
     "memory limit of Memload (90 % of available memory)"},
    {0, "swap", NULL, KIND_FLAG, PLACE(is_swap_allowed), 0, 0, "let Memload exceed memory, if there is swap space"},
    {'m', NULL, "TEXT", KIND_TEXT, PLACE(comment), 0, 500, "add a comment to the report"},
    {'c', NULL, NULL, KIND_FLAG, PLACE(is_console_only), 0, 0, "console only: write no log"},
    {0, "legacy", NULL, KIND_FLAG, PLACE(is_legacy), 0, 0, "print the five columns of interbench 0.30"},
    {0, "protocol", NULL, KIND_FLAG, PLACE(is_protocol), 0, 0, "print lines for UnixBench's Run on standard error"},
    {0, "list", NULL, KIND_MODE, PLACE(mode), MODE_LIST, 0, "list the tasks and loads"},
    {'h', "help", NULL, KIND_MODE, PLACE(mode), MODE_HELP, 0, "print this help"},
    {0, "version", NULL, KIND_MODE, PLACE(mode), MODE_VERSION, 0, "print the version"},
};

enum { COUNT = sizeof rows / sizeof *rows };

/* Returns the option as users write it: -t or --pin. */
static const char *written(const struct row *row)
{
    static char text[32];

    if (row->letter)
        snprintf(text, sizeof text, "-%c", row->letter);
    else
        snprintf(text, sizeof text, "--%s", row->name);
    return text;
}

void options_print_help(void)
{
    puts("Usage: interbench [options]\nMeasures the scheduling latency of simulated interactive tasks under load.\n");
    for (int i = 0; i < COUNT; i++) {
        char words[64];

        snprintf(words, sizeof words, "%s%s%s", written(&rows[i]), !rows[i].value ? "" : rows[i].letter ? " " : "=",
                 rows[i].value ? rows[i].value : rows[i].letter && rows[i].name ? ", --help" : "");
        printf("  %-22s %s\n", words, rows[i].about);
    }
    puts("\nDefaults are in parentheses.  A SIZE is in bytes, or ends with K, M, G or T.");
}

/* Reads a whole word as a number; returns whether it is one. */
static int read_integer(const char *word, int64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoll(word, &end, 10);
    return (*word == '-' || isdigit((unsigned char)*word)) && *end == '\0' && errno == 0;
}

static int read_seconds(const char *word, int64_t *ns)
{
    char *end;
    const double seconds = strtod(word, &end);

    if (end == word || word[strspn(word, "0123456789.")] || *end || seconds > 1e9)
        return 0;
    *ns = llround(seconds * NS_PER_S);
    return 1;
}

/* Reads bytes, or with a suffix KiB, MiB, GiB or TiB. */
static int read_size(const char *word, int64_t *bytes)
{
    static const char suffixes[] = "KMGT";
    char digits[20];
    const size_t length = strspn(word, "0123456789");
    const char *suffix = word[length] ? strchr(suffixes, toupper((unsigned char)word[length])) : NULL;

    if (length >= sizeof digits || (word[length] && (!suffix || word[length + 1])))
        return 0;
    snprintf(digits, sizeof digits, "%.*s", (int)length, word);

    const int64_t unit = INT64_C(1) << (suffix ? 10 * (suffix - suffixes + 1) : 0);

    if (!read_integer(digits, bytes) || *bytes > INT64_MAX / unit)
        return 0;
    *bytes *= unit;
    return 1;
}

static int read_number(enum kind kind, const char *word, int64_t *number)
{
    return kind == KIND_SECONDS ? read_seconds(word, number)
           : kind == KIND_SIZE  ? read_size(word, number) : read_integer(word, number);
}

static int is_text(const struct row *row, const char *word)
{
    for (const char *c = word; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return 0;
    return (int64_t)strlen(word) >= row->least && (int64_t)strlen(word) <= row->most;
}

/* Stores the value in its place; returns whether it is one that the option takes. */
static int take(const struct row *row, const char *word, void *place)
{
    int64_t number = row->least;

    if (row->kind >= KIND_INT && row->kind <= KIND_SIZE
        && (!read_number(row->kind, word, &number) || number < row->least || number > row->most))
        return 0;
    switch (row->kind) {
    case KIND_FLAG:
        *(int *)place = 1;
        return 1;
    case KIND_MODE:
        *(enum mode *)place = (enum mode)number;
        return 1;
    case KIND_NAME:
        *(unsigned *)place |= selection_bit(row->letter, word);
        return 1;
    case KIND_INT:
        *(int *)place = (int)number;
        return 1;
    case KIND_TEXT:
        *(const char **)place = word;
        return is_text(row, word);
    case KIND_POLICY:
        *(enum policy *)place = strcmp(word, "catchup") == 0 ? POLICY_CATCH_UP : POLICY_SKIP;
        return strcmp(word, "catchup") == 0 || strcmp(word, "skip") == 0;
    default:
        *(int64_t *)place = number;
        return 1;
    }
}

/* Fills in the arguments of getopt_long: the letters, and the long options. */
static void describe(char letters[2 * COUNT + 2], struct option names[COUNT + 1])
{
    *letters++ = ':'; /* a missing value and an unknown option are told apart */
    for (int i = 0; i < COUNT; i++) {
        if (rows[i].letter) {
            *letters++ = (char)rows[i].letter;
            if (rows[i].value)
                *letters++ = ':';
        }
        if (rows[i].name)
            *names++ = (struct option){rows[i].name, rows[i].value ? required_argument : no_argument, NULL, LONG + i};
    }
    *letters = '\0';
    *names = (struct option){0};
}

static const struct row *row_of(int code)
{
    int i = code - LONG;

    if (i < 0)
        for (i = 0; rows[i].letter != code; i++)
            continue;
    return &rows[i];
}

static void read_words(struct options *options, int argc, char **argv)
{
    char letters[2 * COUNT + 2];
    struct option names[COUNT + 1];
    int code;

    describe(letters, names);
    opterr = 0;
    while ((code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        if (code == '?')
            fail(STATUS_WRONG_USAGE, "unknown option, or one without a value: %.60s; -h lists all", argv[optind - 1]);
        if (code == ':')
            fail(STATUS_WRONG_USAGE, "%s needs a value; -h lists all options", written(row_of(optopt)));

        const struct row *row = row_of(code);

        if (!take(row, optarg, (char *)options + row->place))
            fail(STATUS_WRONG_USAGE, "%s can't be '%.60s'; the manual page has its values", written(row), optarg);
        if (options->mode == MODE_HELP || options->mode == MODE_VERSION)
            return;
        if (options->is_protocol)
            message_use_protocol();
    }
    if (optind < argc)
        fail(STATUS_WRONG_USAGE, "unexpected argument '%.60s'; -h lists all options", argv[optind]);
}

/* Sets options that follow from others, and fails if some have no effect together. */
static void complete(struct options *options)
{
    if (options->pin_cpu != UNKNOWN)
        options->is_pinned = 1;
    if (options->is_calibrated)
        options->loops_per_ms = 0;
    if (options->mode == MODE_CAPACITY)
        options->is_fixed = 1;
    if (options->duration_ns == 0)
        options->duration_ns = options->mode == MODE_MIX ? 10 * NS_PER_S
                             : options->mode == MODE_CAPACITY ? 3 * NS_PER_S : 30 * NS_PER_S;
    if ((options->custom_percent != 0) != (options->custom_period_us != 0))
        fail(STATUS_WRONG_USAGE, "-C and -I need each other: they are the share and the period of Custom; use both");
    if (options->custom_period_us)
        tasks_define_custom(options->custom_percent, options->custom_period_us);
    if (options->mode != MODE_MATRIX
        && (options->named_tasks.given || options->named_tasks.excluded || options->is_real_time))
        fail(STATUS_WRONG_USAGE, "-W, -X and -r have no effect with --mix, --capacity or --list; leave them out");
    if (options->mode == MODE_CAPACITY && (options->named_loads.given || options->named_loads.excluded))
        fail(STATUS_WRONG_USAGE, "-w and -x have no effect with --capacity; leave them out");
}

void options_read(struct options *options, int argc, char **argv)
{
    const char *directory = getenv("TMPDIR");

    *options = (struct options){
        .warmup_ns = NS_PER_S, .copies = 1, .pin_cpu = UNKNOWN, .seed = 1, .repeats = 1,
        .directory = directory && *directory ? directory : "/var/tmp", .max_disk_bytes = INT64_C(4) << 30,
    };
    read_words(options, argc, argv);
    if (options->mode == MODE_HELP || options->mode == MODE_VERSION)
        return;
    complete(options);
    if (options->mode == MODE_MATRIX || options->mode == MODE_MIX)
        select_cells(options);
}
