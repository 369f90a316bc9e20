/* Reads the command line by the table of options; nothing on it is ignored. */
#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options_conflicts.h"
#include "options_help.h"
#include "options_table.h"
#include "options_unknown.h"
#include "options_values.h"
#include "selection.h"

#define DEFAULT_DIRECTORY "/var/tmp"
#define DEFAULT_MAX_DISK  (INT64_C(4) << 30)

/* What is known while the command line is read. */
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
    } else if (row->kind == KIND_POLICY) {
        is_good = is_one_of(value, "skip", "catchup", &is_second);
        *(enum policy *)place = is_second ? POLICY_CATCH_UP : POLICY_SKIP;
    } else {
        is_good = is_one_of(value, "work", "cputime", &is_second);
        *(int *)place = is_second;
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
        const struct option_row *row;

        if (code == '?')
            options_fail_unknown(optopt, argv[optind - 1]);
        row = option_find(code == ':' ? optopt : code);
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
        fail(STATUS_WRONG_USAGE, "'%s' is no option; -h shows all", quoted(argv[optind], shown));
}

static void set_defaults(struct options *options)
{
    const char *directory = getenv("TMPDIR");

    *options = (struct options){
        .warmup_ns = NS_PER_S, .copies = 1, .pin_cpu = UNKNOWN, .policy = POLICY_SKIP, .seed = 1, .repeats = 1,
        .directory = directory && *directory ? directory : DEFAULT_DIRECTORY, .max_disk_bytes = DEFAULT_MAX_DISK
    };
}

/* What follows from others. */
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
        fail(STATUS_WRONG_PLACE, "there is no memory for the command line");
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
