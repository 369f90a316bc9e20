/* Each option: its names, what value it takes, where that goes, and what it is for. */
#ifndef INTERBENCH_OPTIONS_TABLE_H
#define INTERBENCH_OPTIONS_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum kind {
    KIND_FLAG,    /* no value: an int that becomes 1 */
    KIND_MODE,    /* no value: least is the mode */
    KIND_VERSION, /* no value */
    KIND_INT,
    KIND_INT64,
    KIND_SEED,    /* uint64_t */
    KIND_SECONDS, /* least and most in nanoseconds */
    KIND_SIZE,
    KIND_TEXT,    /* printable */
    KIND_PATH,    /* anything but nothing */
    KIND_POLICY,
    KIND_BURN,
    KIND_NAME     /* of a task or load: kept for the selection; repeatable */
};

/* What an option can go with. */
#define FOR_MATRIX   1
#define FOR_MIX      2
#define FOR_CAPACITY 4
#define FOR_TABLES   (FOR_MATRIX | FOR_MIX)
#define FOR_ALL      (FOR_TABLES | FOR_CAPACITY)

/* Numbers of long options without a letter, beyond all characters; those of others are their letters. */
enum long_option {
    LONG_PIN = 0x110000, LONG_SPREAD, LONG_WAKER, LONG_AWAKE, LONG_SEPARATE_SESSIONS, LONG_POLICY, LONG_SEED,
    LONG_REPEAT, LONG_WARMUP, LONG_TMPDIR, LONG_MAX_DISK, LONG_MAX_MEM, LONG_SWAP, LONG_FIXED, LONG_BURN, LONG_LOAD_CMD,
    LONG_JSON, LONG_CSV, LONG_RAW, LONG_HIST, LONG_LEGACY, LONG_LIST, LONG_MIX, LONG_CAPACITY, LONG_PROTOCOL,
    LONG_VERSION
};

struct option_row {
    int code;             /* the letter, or a long_option */
    const char *name;     /* the long one, or null */
    const char *value;    /* what the usage calls it, or null for none */
    enum kind kind;
    int modes;
    size_t place;         /* in struct options */
    int64_t least, most;
    const char *accepted; /* values, for messages: "needs ..." */
    const char *about;    /* for the usage */
};

extern const struct option_row option_rows[];
extern const int option_count;

/* As it is written: "-t", "--pin". */
#define OPTION_WORD_MAX 32
const char *option_word(const struct option_row *row, char buffer[OPTION_WORD_MAX]);

/* The row of that code, or null. */
const struct option_row *option_find(int code);

/* What getopt_long wants to know: letters, and long options up to one without a name. */
#define OPTIONS_MAX 64
struct option;
void options_for_getopt(char letters[2 * OPTIONS_MAX + 2], struct option *names);

#endif
