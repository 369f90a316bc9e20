/*
 * Background loads.  A load runs in a process of its own, the first of a process group.  SIGTERM and SIGKILL may end
 * the group at any moment, so a load has nothing to clean up: its files have no names.
 */
#ifndef INTERBENCH_LOAD_H
#define INTERBENCH_LOAD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define LOADS_MAX      16
#define LOAD_PARTS_MAX 4
#define LOAD_WHY_MAX   200

/* The settings of loads; the same for a whole invocation. */
struct load_setting {
    int threads;             /* -L: threads of Burn; Ring: 2 for each; Hack: a group for 4 */
    int64_t max_disk_bytes, max_memory_bytes; /* --max-disk, --max-mem; of memory 0: no limit */
    int is_swap_allowed;     /* --swap */
    const char *directory;   /* of files */
    int read_file;           /* descriptor of the file that Read reads, -1 before load_prepare_files */
    const char *command;     /* --load-cmd, or NULL */
    int64_t loops_per_ms;
    uint64_t seed;
};

/*
 * Memory that a load shares with the main process.  The progress is in words of the CPU, because 32-bit CPUs have no
 * atomic addition of more that several processes could share.  It may overflow; a difference is right then, too.
 */
struct load_shared {
    volatile unsigned long done[LOAD_PARTS_MAX]; /* progress of each part, in its own unit */
    volatile int is_steady;                      /* set by the load once it works at its usual rate */
    char why[LOAD_WHY_MAX];                      /* why it failed, set by load_fail */
};

struct load {
    const char *name;
    const char *about;                 /* for --list */
    int parts;                         /* that it counts, each in its own unit */
    int is_mixed, is_reading;          /* it is part of the desktop mix; it needs the file to read */
    int steady_ms;                     /* it is steady that long after its start; 0: once it sets is_steady */

    /* Returns whether it cannot run here, and writes why (one phrase, with a remedy).  NULL: it always can. */
    int (*is_impossible)(const struct load_setting *setting, char why[LOAD_WHY_MAX]);
    /* Allocates and opens, in the load's process before the start.  NULL: nothing to do. */
    void (*set_up)(const struct load_setting *setting, struct load_shared *shared);
    /* Starts threads and processes, which count in shared->done[part], done[part + 1], ...  NULL: it has no process. */
    void (*start)(const struct load_setting *setting, struct load_shared *shared, int part);
};

/* The loads, in the order of the reports. */
int loads_count(void);
const struct load *loads_at(int index);

/* Returns the load of that name, in upper or lower case, or NULL. */
const struct load *loads_find(const char *name);

extern const struct load load_video, load_x, load_burn, load_write, load_read, load_ring, load_compile, load_memory,
    load_hack, load_command, load_custom;

/*
 * Makes the file that Read reads, without a name, in the setting's directory, and leaves its descriptor in the setting.
 * Takes long.  Returns 0, or an errno.
 */
int load_prepare_files(struct load_setting *setting);

/* Returns whether Read reads that file from the disk: some file systems keep each file in memory. */
int load_reads_disk(const struct load_setting *setting);

/* The rest is for the files of the loads. */

#define KIB              1024
#define MIB              ((int64_t)1 << 20)
#define LOAD_SIZE_LEAST  (16 * MIB) /* of files and memory: less would hardly be a load */
#define LOAD_BLOCK_BYTES ((size_t)MIB)
#define LOAD_STEADY_MS   500

/* Ends the load's process: writes why to shared, and exits with status 3. */
__attribute__((noreturn, format(printf, 2, 3)))
void load_fail(struct load_shared *shared, const char *format, ...);

/*
 * Ends the load because one of its processes has ended: takes what ended, and the wait status.  After a signal it first
 * waits for a second, because the whole group may have been killed and this process may be next.
 */
__attribute__((noreturn))
void load_fail_as(struct load_shared *shared, const char *what, int status);

/* Starts a thread that runs to the end of the process, or fails. */
void load_thread(struct load_shared *shared, void *(*run)(void *), void *argument);

/* Returns zeroed memory, aligned for O_DIRECT, or fails. */
void *load_allocate(struct load_shared *shared, size_t bytes);

/* In a process that the load has forked: makes it end with the thread that forked it. */
void load_follow(pid_t parent);

/* Returns the number of threads in the setting, at least one. */
int load_threads(const struct load_setting *setting);

/* Adds to the progress of a part: at most some millions a second, so that it overflows only after many minutes. */
static inline void load_count(struct load_shared *shared, int part, unsigned long amount)
{
    __atomic_fetch_add(&shared->done[part], amount, __ATOMIC_RELAXED);
}

/* Fills a block with random bytes, so that it cannot be compressed. */
void load_fill_block(unsigned char *block, uint64_t seed);

/* Makes each page of a block differ from those of blocks with other numbers. */
void load_vary_block(unsigned char *block, uint64_t number);

/* Returns the size of files: the least of half the memory, a tenth of the free space, and the limit; whole MiB. */
int64_t load_file_size(int64_t memory_bytes, int64_t free_bytes, int64_t most_bytes);

/* Bytes of memory; negative: no limit, or unknown. */
struct memory_room {
    int64_t total, available, swap;
    int64_t group, addresses; /* left by the limits of control groups, and by RLIMIT_AS */
};

/* Returns the memory of the machine below root, "" for this one. */
struct memory_room memory_room(const char *root);

/* Returns how much memory Memload takes, at most the limit (0: no limit); whole MiB. */
int64_t load_memory_size(const struct memory_room *room, int64_t most_bytes, int is_swap_allowed);

#endif
