/* The table of options in the order of the usage, the values they take, and the usage itself. */
#include "command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "message.h"

#define PLACE(member) offsetof(struct options, member)

#define NO_VALUE 0, 0, NULL
#define SIZES    MIB, INT64_MAX, "a size of at least 1M, such as 512M or 2G"
#define TASKS    0, 0, "the name of a task; --list shows them"
#define LOADS    0, 0, "the name of a load; --list shows them"
#define NICE     -20, 19, "a whole number from -20 to 19"

const struct option_row option_rows[] = {
    {'W', NULL, "TASK", KIND_NAME, FOR_MATRIX, 0, TASKS, "measure this task; repeat it for several"},
    {'X', NULL, "TASK", KIND_NAME, FOR_MATRIX, 0, TASKS, "exclude this task"},
    {'w', NULL, "LOAD", KIND_NAME, FOR_MATRIX_OR_MIX, 0, LOADS, "measure under this load; repeat it for several"},
    {'x', NULL, "LOAD", KIND_NAME, FOR_MATRIX_OR_MIX, 0, LOADS, "exclude this load"},
    {LONG_MIX, "mix", NULL, KIND_MODE, 0, 0, MODE_MIX, 0, NULL, "measure the tasks of a desktop together"},
    {LONG_CAPACITY, "capacity", NULL, KIND_MODE, 0, 0, MODE_CAPACITY, 0, NULL,
     "find how many 60 Hz streams are on time under Burn"},
    {'C', NULL, "PERCENT", KIND_INT, FOR_MATRIX_OR_MIX, PLACE(custom_percent), 1, 100, "a whole number from 1 to 100",
     "CPU share of the task and load Custom; needs -I"},
    {'I', NULL, "MICROSECONDS", KIND_INT64, FOR_MATRIX_OR_MIX, PLACE(custom_period_us), 100, 10000000,
     "a whole number from 100 to 10000000", "period of Custom; needs -C"},
    {LONG_LOAD_CMD, "load-cmd", "COMMAND", KIND_TEXT, FOR_MATRIX_OR_MIX, PLACE(load_command), 1, 4096,
     "a command for the shell, in one printable line", "add the load Command, which repeats this command"},

    {'t', NULL, "SECONDS", KIND_SECONDS, FOR_ALL, PLACE(duration_ns), 1, 86400 * NS_PER_S,
     "seconds above 0 and up to 86400", "duration of each cell (30; --mix 10, --capacity 3)"},
    {LONG_WARMUP, "warmup", "SECONDS", KIND_SECONDS, FOR_ALL, PLACE(warmup_ns), 0, 3600 * NS_PER_S,
     "seconds from 0 to 3600", "warm-up before each cell, not counted (1)"},
    {LONG_REPEAT, "repeat", "R", KIND_INT, FOR_MATRIX_OR_MIX, PLACE(repeats), 1, 1000, "a whole number from 1 to 1000",
     "measure each cell R times, in shuffled order (1)"},
    {LONG_SEED, "seed", "N", KIND_SEED, FOR_ALL, PLACE(seed), 0, 0, "a whole number from 0 to 18446744073709551615",
     "seed of all random choices (1)"},

    {'n', NULL, "STREAMS", KIND_INT, FOR_MATRIX_OR_MIX, PLACE(copies), 1, 10000, "a whole number from 1 to 10000",
     "number of streams of each task (1)"},
    {'L', NULL, "N", KIND_INT, FOR_ALL, PLACE(load_threads), 1, 65536, "a whole number from 1 to 65536",
     "size of Burn, Ring and Hack (number of CPUs)"},
    {'B', NULL, "NICE", KIND_INT, FOR_ALL, PLACE(task_nice), NICE, "nice value of the task (0)"},
    {'N', NULL, "NICE", KIND_INT, FOR_ALL, PLACE(load_nice), NICE, "nice value of the load (0)"},
    {'r', NULL, NULL, KIND_FLAG, FOR_MATRIX, PLACE(is_real_time), NO_VALUE, "run the tasks in real time (SCHED_FIFO)"},
    {'u', NULL, NULL, KIND_FLAG, FOR_ALL, PLACE(is_pinned), NO_VALUE, "bind task and load to the first allowed CPU"},
    {LONG_PIN, "pin", "CPU", KIND_INT, FOR_ALL, PLACE(pin_cpu), 0, 1048575, "the number of a CPU",
     "bind task and load to this CPU"},
    {LONG_POLICY, "policy", "POLICY", KIND_POLICY, FOR_ALL, PLACE(policy), 0, 0, "skip or catchup",
     "after a late frame: skip or catchup (skip)"},

    {'l', NULL, "N", KIND_INT64, FOR_MATRIX_OR_MIX, PLACE(loops_per_ms), 1, 1000000000,
     "a whole number from 1 to 1000000000", "loops per ms, instead of calibration"},
    {'b', NULL, NULL, KIND_FLAG, FOR_MATRIX_OR_MIX, PLACE(is_calibrating_anew), NO_VALUE,
     "calibrate again, even if a result is cached"},
    {LONG_FIXED, "fixed", NULL, KIND_FLAG, FOR_ALL, PLACE(is_fixed), NO_VALUE, "use the same work on every machine"},

    {LONG_TMPDIR, "tmpdir", "DIRECTORY", KIND_PATH, FOR_MATRIX_OR_MIX, PLACE(directory), 0, 0, "a directory",
     "directory of Write and Read ($TMPDIR or /var/tmp)"},
    {LONG_MAX_DISK, "max-disk", "SIZE", KIND_SIZE, FOR_MATRIX_OR_MIX, PLACE(max_disk_bytes), SIZES,
     "largest file of Write and Read (4G)"},
    {LONG_MAX_MEM, "max-mem", "SIZE", KIND_SIZE, FOR_MATRIX_OR_MIX, PLACE(max_memory_bytes), SIZES,
     "memory limit of Memload (90 % of available memory)"},
    {LONG_SWAP, "swap", NULL, KIND_FLAG, FOR_MATRIX_OR_MIX, PLACE(is_swap_allowed), NO_VALUE,
     "let Memload exceed memory, if there is swap space"},

    {'m', NULL, "TEXT", KIND_TEXT, FOR_ALL, PLACE(comment), 0, 500, "up to 500 printable characters in one line",
     "add a comment to the report"},
    {'c', NULL, NULL, KIND_FLAG, FOR_ALL, PLACE(is_console_only), NO_VALUE, "console only: write no log"},
    {LONG_LEGACY, "legacy", NULL, KIND_FLAG, FOR_MATRIX, PLACE(is_legacy), NO_VALUE,
     "print the five columns of interbench 0.30"},
    {LONG_PROTOCOL, "protocol", NULL, KIND_FLAG, FOR_ALL, PLACE(is_protocol), NO_VALUE,
     "print lines for UnixBench's Run on standard error"},

    {LONG_LIST, "list", NULL, KIND_MODE, 0, 0, MODE_LIST, 0, NULL, "list the tasks and loads"},
    {'h', "help", NULL, KIND_MODE, 0, 0, MODE_HELP, 0, NULL, "print this help"},
    {LONG_VERSION, "version", NULL, KIND_VERSION, 0, 0, NO_VALUE, "print the version"},
};

const int option_count = sizeof option_rows / sizeof option_rows[0];

_Static_assert(sizeof option_rows / sizeof option_rows[0] < OPTIONS_MAX, "OPTIONS_MAX is too small");

const char *option_word(const struct option_row *row, char buffer[OPTION_WORD_MAX])
{
    if (row->code < LONG_PIN)
        snprintf(buffer, OPTION_WORD_MAX, "-%c", row->code);
    else
        snprintf(buffer, OPTION_WORD_MAX, "--%s", row->name);
    return buffer;
}

const struct option_row *option_find(int code)
{
    for (int i = 0; i < option_count; i++)
        if (option_rows[i].code == code)
            return &option_rows[i];
    return NULL;
}

/* The colon in front makes getopt_long report a missing value and an unknown option differently. */
void options_for_getopt(char letters[2 * OPTIONS_MAX + 2], struct option *names)
{
    *letters++ = ':';
    for (int i = 0; i < option_count; i++) {
        const struct option_row *row = &option_rows[i];

        if (row->code < LONG_PIN) {
            *letters++ = (char)row->code;
            if (row->value)
                *letters++ = ':';
        }
        if (row->name)
            *names++ = (struct option){row->name, row->value ? required_argument : no_argument, NULL, row->code};
    }
    *letters = '\0';
    *names = (struct option){0};
}

#define DECIMALS 9

/* Reads digits; returns their number, or -1 if the value is too large. */
static int read_digits(const char *word, uint64_t *value)
{
    int count = 0;

    for (*value = 0; word[count] >= '0' && word[count] <= '9'; count++)
        if (__builtin_mul_overflow(*value, 10u, value)
            || __builtin_add_overflow(*value, (uint64_t)(word[count] - '0'), value))
            return -1;
    return count;
}

int read_unsigned(const char *word, uint64_t *value)
{
    const int count = read_digits(word, value);

    return count > 0 && word[count] == '\0';
}

int read_integer(const char *word, int64_t *value)
{
    const int is_negative = word[0] == '-';
    uint64_t size;

    if (!read_unsigned(word + is_negative, &size) || size > INT64_MAX)
        return 0;
    *value = is_negative ? -(int64_t)size : (int64_t)size;
    return 1;
}

/* Reads the decimals of a second, in nanoseconds. */
static int read_fraction(const char *word, uint64_t *value_ns)
{
    int count = read_digits(word, value_ns);

    if (count < 1 || count > DECIMALS || word[count] != '\0')
        return 0;
    for (; count < DECIMALS; count++)
        *value_ns *= 10;
    return 1;
}

int read_seconds(const char *word, int64_t *value_ns)
{
    uint64_t whole, fraction = 0;
    const int count = read_digits(word, &whole);

    if (count < 1 || (word[count] != '\0' && word[count] != '.'))
        return 0;
    if (word[count] == '.' && !read_fraction(word + count + 1, &fraction))
        return 0;
    return whole <= INT64_MAX && !__builtin_mul_overflow((int64_t)whole, NS_PER_S, value_ns)
           && !__builtin_add_overflow(*value_ns, (int64_t)fraction, value_ns);
}

/* Returns how often a suffix doubles the number, or -1. */
static int doublings(const char *suffix)
{
    static const char letters[] = "KMGT";

    if (suffix[0] == '\0')
        return 0;

    const char *place = strchr(letters, suffix[0] & ~('a' - 'A'));
    return place && *place && suffix[1] == '\0' ? 10 * (int)(place - letters + 1) : -1;
}

int read_size(const char *word, int64_t *value)
{
    uint64_t number;
    const int count = read_digits(word, &number);

    if (count < 1 || number > INT64_MAX)
        return 0;

    const int twice = doublings(word + count);

    return twice >= 0 && !__builtin_mul_overflow((int64_t)number, INT64_C(1) << twice, value);
}

#ifndef INTERBENCH_VERSION
#define INTERBENCH_VERSION "unknown"
#endif

#define COLUMN 29 /* of the descriptions */
#define WORDS_MAX 64

static const struct {
    int first; /* the option after it */
    const char *text;
} headings[] = {
    {'W', "Tasks and loads (each task under each load is a cell)"},
    {'t', "Duration and order"},
    {'n', "Streams, priorities and CPUs"},
    {'l', "Work of a frame"},
    {LONG_TMPDIR, "Limits of loads"},
    {'m', "Output"},
    {LONG_LIST, "Information"},
};

static void print_heading(int code)
{
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (headings[i].first == code)
            printf("\n%s:\n", headings[i].text);
}

static void print_row(const struct option_row *row)
{
    char words[WORDS_MAX], letter[] = "    ";

    if (row->code < LONG_PIN)
        snprintf(letter, sizeof letter, "-%c%s", row->code, row->name ? ", " : "");
    snprintf(words, sizeof words, "%s%s%s%s%s", letter, row->name ? "--" : "", row->name ? row->name : "",
             row->value ? (row->name ? "=" : " ") : "", row->value ? row->value : "");
    printf("  %-*s%s\n", COLUMN - 2, words, row->about);
}

static void check_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(STATUS_IMPOSSIBLE_HERE, "can't write to standard output");
}

void options_print_help(void)
{
    puts("Usage: interbench [options]\n"
         "Measures the scheduling latency of simulated interactive tasks under load.");
    for (int i = 0; i < option_count; i++) {
        print_heading(option_rows[i].code);
        print_row(&option_rows[i]);
    }
    puts("\nDefaults are in parentheses.  A SIZE is in bytes, or ends with K, M, G or T.\n"
         "-W, -X, -w and -x can be repeated.  If another option is repeated, the last\n"
         "one is used.");
    check_output();
}

void options_print_version(void)
{
    puts("interbench " INTERBENCH_VERSION);
    check_output();
}
