/* The options of the command line. */
#ifndef INTERBENCH_OPTIONS_H
#define INTERBENCH_OPTIONS_H

#include <stdint.h>

#include "frames.h"
#include "loads/load.h"
#include "tasks.h"

enum mode { MODE_MATRIX, MODE_MIX, MODE_CAPACITY, MODE_LIST, MODE_HELP, MODE_VERSION };

/* Names that were given: the bits of their indexes. */
struct names {
    unsigned given, excluded;
};

struct options {
    enum mode mode;
    int64_t duration_ns;        /* -t, 30 s; of the mix 10 s, of a trial of --capacity 3 s */
    int64_t warmup_ns;          /* --warmup, 1 s */
    int64_t loops_per_ms;       /* -l, or 0 */
    int load_threads;           /* -L, or 0 */
    int task_nice, load_nice;   /* -B, -N */
    int is_console_only;        /* -c */
    int is_real_time;           /* -r */
    int custom_percent;         /* -C */
    int64_t custom_period_us;   /* -I */
    const char *comment;        /* -m, or NULL */
    int copies;                 /* -n, 1 */
    int is_pinned;              /* -u or --pin */
    int pin_cpu;                /* --pin; of -u UNKNOWN: the first that is allowed */
    int is_calibrated;          /* -b: in spite of -l */
    int is_fixed;               /* --fixed, always with the capacity */
    enum policy policy;         /* --policy */
    int64_t seed;               /* --seed, 1 */
    int repeats;                /* --repeat, 1 */
    const char *directory;      /* --tmpdir, or TMPDIR, or /var/tmp */
    int64_t max_disk_bytes;     /* --max-disk, 4 GiB */
    int64_t max_memory_bytes;   /* --max-mem, or 0 */
    int is_swap_allowed;        /* --swap */
    const char *load_command;   /* --load-cmd, or NULL */
    int is_legacy;              /* --legacy */
    int is_protocol;            /* --protocol */
    struct names named_tasks, named_loads; /* -W and -X, -w and -x */
    int task_count, load_count; /* of the selection */
    const struct task *tasks[TASKS_MAX];
    const struct load *loads[LOADS_MAX];
};

/* Reads the command line; an error in it ends the program with one line and status 1. */
void options_read(struct options *options, int argc, char **argv);

/* Prints the usage. */
void options_print_help(void);

/* Returns the bit of the task of that name, for -W and -X, or of the load, for -w and -x. */
unsigned selection_bit(int letter, const char *word);

/* Returns whether the tasks and loads of the options make a cell: a task is not measured under itself. */
int has_cell(const struct options *options);

/* Fills in the tasks and loads of the options: those that -W, -X, -w and -x leave.  At least one cell must be left. */
void select_cells(struct options *options);

#endif
