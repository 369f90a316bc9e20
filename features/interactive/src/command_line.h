/* The parts of the command line's parser: the table of options, their values, and the selection of tasks and loads. */
#ifndef INTERBENCH_COMMAND_LINE_H
#define INTERBENCH_COMMAND_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "options.h"

enum kind {
    KIND_FLAG,    /* no value: an int that becomes 1 */
    KIND_MODE,    /* no value: the mode is in least */
    KIND_VERSION, /* no value */
    KIND_INT,
    KIND_INT64,
    KIND_SEED,    /* uint64_t */
    KIND_SECONDS, /* least and most in nanoseconds */
    KIND_SIZE,
    KIND_TEXT,    /* printable */
    KIND_PATH,    /* not empty */
    KIND_POLICY,
    KIND_NAME     /* of a task or load: kept for the selection; repeatable */
};

/* The modes in which an option has an effect. */
#define FOR_MATRIX        1
#define FOR_MIX           2
#define FOR_CAPACITY      4
#define FOR_MATRIX_OR_MIX (FOR_MATRIX | FOR_MIX)
#define FOR_ALL           (FOR_MATRIX_OR_MIX | FOR_CAPACITY)

/* Codes of long options without a letter, beyond all characters.  The code of any other option is its letter. */
enum long_option {
    LONG_PIN = 0x110000, LONG_POLICY, LONG_SEED,
    LONG_REPEAT, LONG_WARMUP, LONG_TMPDIR, LONG_MAX_DISK, LONG_MAX_MEM, LONG_SWAP, LONG_FIXED, LONG_LOAD_CMD,
    LONG_LEGACY, LONG_LIST, LONG_MIX, LONG_CAPACITY, LONG_PROTOCOL, LONG_VERSION
};

struct option_row {
    int code;             /* the letter, or a long_option */
    const char *name;     /* the long one, or NULL */
    const char *value;    /* its name in the usage, or NULL for none */
    enum kind kind;
    int modes;
    size_t place;         /* in struct options */
    int64_t least, most;
    const char *accepted; /* values, for messages: "needs ..." */
    const char *about;    /* for the usage */
};

extern const struct option_row option_rows[];
extern const int option_count;

/* Returns the row of that code, or NULL. */
const struct option_row *option_find(int code);

/* Writes the option as the user does, "-t" or "--pin", to buffer and returns that. */
#define OPTION_WORD_MAX 32
const char *option_word(const struct option_row *row, char buffer[OPTION_WORD_MAX]);

/* Fills in the arguments of getopt_long: the letters, and the long options, which end with one without a name. */
#define OPTIONS_MAX 64
struct option;
void options_for_getopt(char letters[2 * OPTIONS_MAX + 2], struct option *names);

/* Prints the version. */
void options_print_version(void);

/*
 * Read a value strictly: the whole word, nothing before or after it, nothing out of range.  Return whether the word is
 * such a value.
 */
int read_integer(const char *word, int64_t *value);  /* decimal digits, after a minus if it is negative */
int read_unsigned(const char *word, uint64_t *value); /* decimal digits: 0 .. 2^64 - 1 */
int read_seconds(const char *word, int64_t *value_ns); /* up to nine decimals; no rounding */
int read_size(const char *word, int64_t *value);       /* bytes; K, M, G, T multiply by 2^10, 2^20, 2^30, 2^40 */

/* Copies the word to buffer, printable and cut if it is long; returns buffer. */
#define QUOTED_MAX 48
const char *quoted(const char *word, char buffer[QUOTED_MAX]);

struct names {
    int count;
    const char *(*at)(int index);
};

/* Returns the name that differs from the word in at most two letters, or NULL. */
const char *nearest(const char *word, struct names names);

struct words {
    int count;
    const char **words;
};

struct choice {
    struct words tasks, excluded_tasks, loads, excluded_loads; /* -W, -X, -w, -x */
};

/*
 * Fills in the tasks and loads of the options: those that -W, -X, -w and -x leave.  The other options must be complete.
 * Ends the program if a name is unknown or nothing is left to measure.
 */
void select_cells(struct options *options, const struct choice *choice);

#endif
