/* What the loads share. */
#ifndef INTERBENCH_LOAD_PARTS_H
#define INTERBENCH_LOAD_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "load.h"

#define MIB              ((int64_t)1 << 20)
#define LOAD_SIZE_LEAST  (16 * MIB) /* of files and memory: with less a load would not be what it is called */
#define LOAD_BLOCK_BYTES ((size_t)MIB)

/* Starts a thread that runs to the end of the process.  What can't be had ends the load. */
void load_thread(struct load_board *board, void *(*run)(void *), void *argument);

/* Zeroed memory, aligned for O_DIRECT.  What can't be had ends the load. */
void *load_allocate(struct load_board *board, size_t bytes);

/* Called in a process that the load has forked: it is going to end with the thread that forked it. */
void load_follow(pid_t parent);

/* Closes all descriptors but these and the first three. */
void load_keep_only(const int *kept, int count);

/*
 * Ends the load as that process, which was not to end so, has: with what is said of it before, and how.  When all of a
 * group are ended together, others may be first: so, of a signal, this process has a second to be ended, too.
 */
__attribute__((noreturn))
void load_fail_as(struct load_board *board, const char *what, int status);

/* At least one. */
int load_threads(const struct load_setting *setting);

static inline void load_count(struct load_board *board, int part, uint64_t amount)
{
    atomic_fetch_add_explicit(&board->done[part], amount, memory_order_relaxed);
}

/* How large files are: half of the memory, a tenth of what is free, at most so much; whole MiB. */
int64_t load_file_size(int64_t memory_bytes, int64_t free_bytes, int64_t most_bytes);

/* What memory there is; negative: without a limit, or not known. */
struct load_room {
    int64_t total, available, swap;
    int64_t group, addresses; /* what the limits of control groups, and RLIMIT_AS, leave */
};

/* As it is below root, "" the real one. */
struct load_room load_room(const char *root);

/* How much memory Memload takes, at most so much, or 0 for what may be had; whole MiB. */
int64_t load_memory_size(const struct load_room *room, int64_t most_bytes, int is_swap_allowed);

/* Opens a new file without a name, or returns -1 with errno. */
int load_open_nameless(const char *directory);

/* The size that files have here, or -1 with errno. */
int64_t load_file_size_here(const struct load_setting *setting);

/* As load's is_impossible, of a load that needs files. */
int load_has_no_room_for_files(const struct load_setting *setting, char why[LOAD_WHY_MAX]);

/* A block that can't be compressed, and one that differs from all others in each of its pages. */
void load_fill_block(unsigned char *block, uint64_t seed);
void load_vary_block(unsigned char *block, uint64_t number);

/* Writes the whole block there.  Returns 0, or -1 with errno. */
int load_write_block(int file, const unsigned char *block, int64_t offset);

/* The loads, as members of the table, and of Compile. */
int load_memory_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX]);
int load_custom_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX]);
int load_net_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX]);
int load_command_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX]);

void load_set_up_write(const struct load_setting *setting, struct load_board *board);
void load_set_up_read(const struct load_setting *setting, struct load_board *board);
void load_set_up_compile(const struct load_setting *setting, struct load_board *board);
void load_set_up_memory(const struct load_setting *setting, struct load_board *board);
void load_set_up_hack(const struct load_setting *setting, struct load_board *board);
void load_set_up_net(const struct load_setting *setting, struct load_board *board);
void load_set_up_command(const struct load_setting *setting, struct load_board *board);

void load_start_video(const struct load_setting *setting, struct load_board *board, int part);
void load_start_x(const struct load_setting *setting, struct load_board *board, int part);
void load_start_custom(const struct load_setting *setting, struct load_board *board, int part);
void load_start_burn(const struct load_setting *setting, struct load_board *board, int part);
void load_start_write(const struct load_setting *setting, struct load_board *board, int part);
void load_start_read(const struct load_setting *setting, struct load_board *board, int part);
void load_start_ring(const struct load_setting *setting, struct load_board *board, int part);
void load_start_spawn(const struct load_setting *setting, struct load_board *board, int part);
void load_start_compile(const struct load_setting *setting, struct load_board *board, int part);
void load_start_memory(const struct load_setting *setting, struct load_board *board, int part);
void load_start_hack(const struct load_setting *setting, struct load_board *board, int part);
void load_start_net(const struct load_setting *setting, struct load_board *board, int part);
void load_start_command(const struct load_setting *setting, struct load_board *board, int part);

#endif
