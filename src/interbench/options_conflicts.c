/* What can't be measured at once, and what would have no effect, as tables. */
#include "options_conflicts.h"

#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "message.h"

struct pair {
    int one, other;
    const char *why;
};

static const struct pair conflicts[] = {
    {'u', LONG_PIN, "each names the CPU"},
    {'u', LONG_SPREAD, "one CPU is not all"},
    {LONG_PIN, LONG_SPREAD, "one CPU is not all"},
    {LONG_LIST, LONG_MIX, "it shows and measures nothing"},
    {LONG_LIST, LONG_CAPACITY, "it shows and measures nothing"},
    {LONG_MIX, LONG_CAPACITY, "each is a measurement of its own"},
    {'b', 'l', "a number that is given is not measured"},
    {LONG_FIXED, 'l', "the reference machine's number is used"},
    {LONG_FIXED, 'b', "nothing is calibrated"},
    {'r', 'B', "nice values mean nothing in real time"}
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
            fail(STATUS_WRONG_USAGE, "%s and %s do not go together: %s; leave out one of them",
                 option_word(option_find(conflicts[i].one), one), option_word(option_find(conflicts[i].other), other),
                 conflicts[i].why);
    if (is_given(given, 'C') != is_given(given, 'I'))
        fail(STATUS_WRONG_USAGE, "-C and -I need each other: the share and the period of Custom; give both");
}

/* The option that chose the mode, or null. */
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
            fail(STATUS_WRONG_USAGE, "%s does nothing with %s; leave out one of them",
                 option_word(&option_rows[i], word), mode_word(mode, chosen));
}

static void check_paths(const char *const *paths, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (paths[i] && paths[j] && strcmp(paths[i], paths[j]) == 0)
                fail(STATUS_WRONG_USAGE, "two of --json, --csv and --raw write the same file; give each its own");
}

void check_conflicts(const struct options *options, const int given[OPTIONS_MAX])
{
    const char *paths[] = {options->json_path, options->csv_path, options->raw_path};

    check_pairs(given);
    check_modes(options->mode, given);
    check_paths(paths, 3);
    if (options->mode == MODE_CAPACITY && options->duration_ns > 0 && options->duration_ns <= NS_PER_S / 60)
        fail(STATUS_WRONG_USAGE, "--capacity needs a -t of at least 0.017: streams have a frame each 60th of a second");
    if (options->is_fixed && options->is_cpu_time)
        fail(STATUS_WRONG_USAGE, "--fixed and --burn=cputime do not go together: work has a size or a time; "
             "leave out one of them");
}
