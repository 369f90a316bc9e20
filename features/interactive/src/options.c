/* Reads the command line by the table of options, and refuses options that would have no effect. */
#include "options.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command_line.h"
#include "message.h"

/* Options that contradict each other. */
struct pair {
    int one, other;
    const char *why;
};

static const struct pair conflicts[] = {
    {'u', LONG_PIN, "both choose the CPU"},
    {LONG_LIST, LONG_MIX, "--list measures nothing"},
    {LONG_LIST, LONG_CAPACITY, "--list measures nothing"},
    {LONG_MIX, LONG_CAPACITY, "they are different measurements"},
    {'b', 'l', "-l replaces the calibration"},
    {LONG_FIXED, 'l', "--fixed uses the number of the reference machine"},
    {LONG_FIXED, 'b', "--fixed does not calibrate"},
    {'r', 'B', "nice values have no effect in real time"}
};

static int is_given(const int given[OPTIONS_MAX], int code)
{
    return given[option_find(code) - option_rows];
}

static void check_pairs(const int given[OPTIONS_MAX])
{
    char one[OPTION_WORD_MAX], other[OPTION_WORD_MAX];

    for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++)
        if (is_given(given, conflicts[i].one) && is_given(given, conflicts[i].other))
            fail(STATUS_WRONG_USAGE, "%s and %s contradict each other: %s; leave out one of them",
                 option_word(option_find(conflicts[i].one), one), option_word(option_find(conflicts[i].other), other),
                 conflicts[i].why);
    if (is_given(given, 'C') != is_given(given, 'I'))
        fail(STATUS_WRONG_USAGE, "-C and -I need each other: they are the share and the period of Custom; use both");
}

/* Returns the option that chose the mode, or NULL. */
static const char *mode_word(enum mode mode, char buffer[OPTION_WORD_MAX])
{
    for (int i = 0; i < option_count; i++)
        if (option_rows[i].kind == KIND_MODE && option_rows[i].least == (int64_t)mode)
            return option_word(&option_rows[i], buffer);
    return NULL;
}

static int bit_of(enum mode mode)
{
    return mode == MODE_MATRIX ? FOR_MATRIX : mode == MODE_MIX ? FOR_MIX : mode == MODE_CAPACITY ? FOR_CAPACITY : 0;
}

static void check_modes(enum mode mode, const int given[OPTIONS_MAX])
{
    char chosen[OPTION_WORD_MAX], word[OPTION_WORD_MAX];

    for (int i = 0; i < option_count; i++)
        if (given[i] && option_rows[i].kind != KIND_MODE && !(option_rows[i].modes & bit_of(mode)))
            fail(STATUS_WRONG_USAGE, "%s has no effect with %s; leave out one of them",
                 option_word(&option_rows[i], word), mode_word(mode, chosen));
}

static void check_conflicts(const struct options *options, const int given[OPTIONS_MAX])
{
    check_pairs(given);
    check_modes(options->mode, given);
    if (options->mode == MODE_CAPACITY && options->duration_ns > 0 && options->duration_ns <= NS_PER_S / 60)
        fail(STATUS_WRONG_USAGE, "--capacity needs -t 0.017 or more: a stream has 60 frames per second");
}

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

/* Fails if several long options have this beginning. */
static void check_ambiguous(const char *beginning)
{
    const char *first = NULL;

    for (int i = 0; i < option_count; i++) {
        const char *name = option_rows[i].name;

        if (!name || strncmp(name, beginning, strlen(beginning)) != 0)
            continue;
        if (first)
            fail(STATUS_WRONG_USAGE, "--%s is ambiguous: it can be --%s or --%s; write the whole name", beginning,
                 first, name);
        first = name;
    }
}

__attribute__((noreturn))
static void fail_long(const char *word)
{
    char shown[QUOTED_MAX], name[QUOTED_MAX];

    quoted(word + strspn(word, "-"), name);
    name[strcspn(name, "=")] = '\0';
    if (name[0])
        check_ambiguous(name);

    const char *near = nearest(name, (struct names){count_long_names(), long_name});

    quoted(word, shown);
    if (near)
        fail(STATUS_WRONG_USAGE, "unknown option %s; did you mean --%s?", shown, near);
    fail(STATUS_WRONG_USAGE, "unknown option %s; -h lists all options", shown);
}

/*
 * Fails because of an option that getopt_long refused.  The code is its optopt: a letter, 0 for a long option that is
 * unknown or ambiguous, or that of an option that was given a value and takes none.
 */
__attribute__((noreturn))
static void fail_unknown(int code, const char *word)
{
    const struct option_row *row = option_find(code);
    char name[QUOTED_MAX], letter[] = {(char)code, '\0'};

    if (code == 0)
        fail_long(word);
    if (row)
        fail(STATUS_WRONG_USAGE, "%s takes no value; leave it out", option_word(row, name));
    fail(STATUS_WRONG_USAGE, "unknown option -%s; -h lists all options", quoted(letter, name));
}

#define DEFAULT_DIRECTORY "/var/tmp"
#define DEFAULT_MAX_DISK  (INT64_C(4) << 30)

/* The command line while it is read. */
struct reading {
    struct options *options;
    struct choice choice;
    int given[OPTIONS_MAX];
};

__attribute__((noreturn))
static void fail_value(const struct option_row *row, const char *value)
{
    char word[OPTION_WORD_MAX], shown[QUOTED_MAX];

    fail(STATUS_WRONG_USAGE, "%s needs %s, not '%s'", option_word(row, word), row->accepted, quoted(value, shown));
}

static int is_printable(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return 0;
    return 1;
}

static int is_text(const struct option_row *row, const char *value)
{
    return is_printable(value) && (int64_t)strlen(value) <= row->most
           && (int64_t)strspn(value, " ") + row->least <= (int64_t)strlen(value);
}

static int is_one_of(const char *value, const char *first, const char *second, int *is_second)
{
    *is_second = strcmp(value, second) == 0;
    return *is_second || strcmp(value, first) == 0;
}

static int read_number(enum kind kind, const char *value, int64_t *number)
{
    if (kind == KIND_SECONDS)
        return read_seconds(value, number);
    return kind == KIND_SIZE ? read_size(value, number) : read_integer(value, number);
}

static void take_number(const struct option_row *row, const char *value, void *place)
{
    int64_t number;

    if (!read_number(row->kind, value, &number) || number < row->least || number > row->most)
        fail_value(row, value);
    if (row->kind == KIND_INT)
        *(int *)place = (int)number;
    else
        *(int64_t *)place = number;
}

static void take_name(struct choice *choice, int letter, const char *value)
{
    struct words *words = letter == 'W' ? &choice->tasks : letter == 'X' ? &choice->excluded_tasks
                        : letter == 'w' ? &choice->loads : &choice->excluded_loads;

    words->words[words->count++] = value;
}

static void take_word(const struct option_row *row, const char *value, void *place)
{
    int is_second, is_good;

    if (row->kind == KIND_TEXT || row->kind == KIND_PATH) {
        is_good = row->kind == KIND_TEXT ? is_text(row, value) : value[0] != '\0';
        *(const char **)place = value;
    } else {
        is_good = is_one_of(value, "skip", "catchup", &is_second);
        *(enum policy *)place = is_second ? POLICY_CATCH_UP : POLICY_SKIP;
    }
    if (!is_good)
        fail_value(row, value);
}

static void take(struct reading *reading, const struct option_row *row, const char *value)
{
    void *place = (char *)reading->options + row->place;

    switch (row->kind) {
    case KIND_FLAG:
        *(int *)place = 1;
        break;
    case KIND_MODE:
        reading->options->mode = (enum mode)row->least;
        break;
    case KIND_VERSION:
        options_print_version();
        exit(STATUS_DONE);
    case KIND_NAME:
        take_name(&reading->choice, row->code, value);
        break;
    case KIND_SEED:
        if (!read_unsigned(value, place))
            fail_value(row, value);
        break;
    case KIND_INT: case KIND_INT64: case KIND_SECONDS: case KIND_SIZE:
        take_number(row, value, place);
        break;
    default:
        take_word(row, value, place);
    }
}

static void read_words(struct reading *reading, int argc, char **argv)
{
    char letters[2 * OPTIONS_MAX + 2], word[OPTION_WORD_MAX], shown[QUOTED_MAX];
    struct option names[OPTIONS_MAX];
    int code;

    options_for_getopt(letters, names);
    opterr = 0;
    while ((code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        if (code == '?')
            fail_unknown(optopt, argv[optind - 1]);

        const struct option_row *row = option_find(code == ':' ? optopt : code);

        if (code == ':')
            fail(STATUS_WRONG_USAGE, "%s needs %s", option_word(row, word), row->accepted);
        reading->given[row - option_rows] = 1;
        take(reading, row, optarg);
        if (row->code == 'h')
            return;
        if (row->code == LONG_PROTOCOL)
            message_use_protocol();
    }
    if (optind < argc)
        fail(STATUS_WRONG_USAGE, "unexpected argument '%s'; -h lists all options", quoted(argv[optind], shown));
}

static void set_defaults(struct options *options)
{
    const char *directory = getenv("TMPDIR");

    *options = (struct options){
        .warmup_ns = NS_PER_S, .copies = 1, .pin_cpu = UNKNOWN, .policy = POLICY_SKIP, .seed = 1, .repeats = 1,
        .directory = directory && *directory ? directory : DEFAULT_DIRECTORY, .max_disk_bytes = DEFAULT_MAX_DISK
    };
}

/* Sets options that follow from others. */
static void complete(struct options *options)
{
    if (options->pin_cpu != UNKNOWN)
        options->is_pinned = 1;
    if (options->mode == MODE_CAPACITY)
        options->is_fixed = 1;
    if (options->duration_ns == 0)
        options->duration_ns = options->mode == MODE_MIX ? 10 * NS_PER_S
                             : options->mode == MODE_CAPACITY ? 3 * NS_PER_S : 30 * NS_PER_S;
    if (options->custom_period_us)
        tasks_define_custom(options->custom_percent, options->custom_period_us);
}

static void make_room(struct choice *choice, const char **room, int size)
{
    struct words *all[] = {&choice->tasks, &choice->excluded_tasks, &choice->loads, &choice->excluded_loads};

    for (int i = 0; i < 4; i++)
        all[i]->words = room + i * size;
}

void options_read(struct options *options, int argc, char **argv)
{
    struct reading reading = {.options = options};
    const char **room = calloc(4 * (size_t)argc + 1, sizeof *room);

    if (!room)
        fail(STATUS_IMPOSSIBLE_HERE, "not enough memory for the command line");
    make_room(&reading.choice, room, argc);
    set_defaults(options);
    read_words(&reading, argc, argv);
    if (options->mode != MODE_HELP) {
        check_conflicts(options, reading.given);
        complete(options);
        if (options->mode == MODE_MATRIX || options->mode == MODE_MIX)
            select_cells(options, &reading.choice);
    }
    free(room);
}
