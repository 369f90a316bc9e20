/*
 * A background load.  It lives in a process of its own, first of a process group of its own, that is ended by SIGTERM
 * and SIGKILL to the group at whatever moment: it has nothing to clean up, as its files have no names.
 */
#ifndef INTERBENCH_LOAD_H
#define INTERBENCH_LOAD_H

#include <stdatomic.h>
#include <stdint.h>

#include "schedule.h"

#define LOADS_MAX      16
#define LOAD_PARTS_MAX 4
#define LOAD_WHY_MAX   200

/* What loads are told; the same for all of an invocation. */
struct load_setting {
    int threads;             /* -L: of Burn; twice as many of Ring; Hack's groups are a quarter */
    int64_t max_disk_bytes, max_memory_bytes; /* --max-disk, --max-mem; of memory 0: no limit */
    int is_swap_allowed;     /* --swap */
    const char *directory;   /* where files are made */
    int read_file;           /* descriptor of the file that Read reads, -1 before load_prepare_files */
    const char *command;     /* --load-cmd, or null */
    int64_t loops_per_ms;
    uint64_t seed;
};

/* Shared with the controller. */
struct load_board {
    _Atomic uint64_t done[LOAD_PARTS_MAX]; /* what each part has got done, in its own unit */
    _Atomic int is_steady;                 /* set by the load when it works as it will go on working */
    char why[LOAD_WHY_MAX];                /* why it could not go on, set by load_fail */
};

struct load {
    const char *name;
    const char *about;                 /* for --list */
    const char *units[LOAD_PARTS_MAX]; /* of each part; null behind the last */
    int is_default, is_mixed, is_reading; /* is_reading: it needs the file that is read */
    int steady_ms;                     /* counts as steady that long after its start; 0: when it says so itself */

    /* Why it can't run here, written to why (one phrase, with what to do), or 0.  Null: it always can. */
    int (*is_impossible)(const struct load_setting *setting, char why[LOAD_WHY_MAX]);
    /* In the load's process, before the start: allocates, opens. Null: nothing to do. */
    void (*set_up)(const struct load_setting *setting, struct load_board *board);
    /* Starts its threads and processes, each counting in board->done[part + 0 .. ]. Null: it has no process. */
    void (*start)(const struct load_setting *setting, struct load_board *board, int part);
};

int loads_count(void);
const struct load *loads_at(int index);

/* The load of that name, in whatever case, or null. */
const struct load *loads_find(const char *name);

/* How many parts it counts. */
int load_parts(const struct load *load);

/* Ends the load's process: notes why on the board, and exits with status 3. */
__attribute__((noreturn, format(printf, 2, 3)))
void load_fail(struct load_board *board, const char *format, ...);

/*
 * Makes the file that Read reads, without a name, in the setting's directory, and leaves its descriptor in the setting.
 * Long: in a process that can be ended.  Returns 0, or an errno.
 */
int load_prepare_files(struct load_setting *setting);

/* How Read reads that file: "direct", "dropped from the cache" or "cached". */
const char *load_read_kind(const struct load_setting *setting);

#endif
