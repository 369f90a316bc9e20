/* Memload: takes most of the memory that is free, page by page, and then changes it, here and there, for ever. */
#include "load_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "random.h"

#define PAGES 16 /* counted at once */

struct memory {
    struct load_board *board;
    int part;
    uint64_t page_bytes, pages, seed;
    unsigned char *start, *pattern;
};

static struct memory the_memory;

static int64_t size_here(const struct load_setting *setting)
{
    const struct load_room room = load_room("");

    return load_memory_size(&room, setting->max_memory_bytes, setting->is_swap_allowed);
}

int load_memory_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    const int64_t bytes = size_here(setting);

    if (bytes >= LOAD_SIZE_LEAST)
        return 0;
    if (setting->max_memory_bytes > 0 && setting->max_memory_bytes < LOAD_SIZE_LEAST)
        snprintf(why, LOAD_WHY_MAX, "it needs 16 MiB of memory; raise --max-mem");
    else
        snprintf(why, LOAD_WHY_MAX, "it needs 16 MiB of memory, and may have %lld; end other programs, or raise the "
                 "limit (ulimit -v, or the control group's)", (long long)(bytes / MIB));
    return 1;
}

/* Huge pages would come 512 at a time. */
static unsigned char *map(struct load_board *board, size_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (start == MAP_FAILED)
        load_fail(board, "%zu MiB of memory can't be had: %s; use a smaller --max-mem", bytes / (size_t)MIB,
                  strerror(errno));
    madvise(start, bytes, MADV_NOHUGEPAGE);
    return start;
}

void load_set_up_memory(const struct load_setting *setting, struct load_board *board)
{
    const int64_t bytes = size_here(setting);
    char why[LOAD_WHY_MAX];

    if (bytes == 0)
        load_fail(board, "%s", load_memory_is_impossible(setting, why) ? why : "it may have no memory");
    the_memory.board = board;
    the_memory.seed = setting->seed;
    the_memory.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    the_memory.pages = (uint64_t)bytes / the_memory.page_bytes;
    the_memory.start = map(board, (size_t)bytes);
    the_memory.pattern = load_allocate(board, LOAD_BLOCK_BYTES);
    load_fill_block(the_memory.pattern, setting->seed);
}

/* The number below 2^bits that follows from another one: each step can be undone, so no two get the same. */
static uint64_t shuffled(uint64_t number, int bits, uint64_t seed)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;

    number = (number + seed) & mask;
    for (int i = 0; i < 3; i++) {
        number ^= number >> (bits / 2 + 1);
        number = number * 0x9E3779B97F4A7C15ULL & mask;
    }
    return number ^ number >> (bits / 2 + 1);
}

static void enter(const struct memory *memory, uint64_t count)
{
    if (count % PAGES == 0)
        load_count(memory->board, memory->part, PAGES);
}

/* What is in them can't be compressed, or swapping to compressed memory would make room for all of it. */
static void take_all(const struct memory *memory)
{
    uint64_t count = 0;
    int bits = 1;

    while ((uint64_t)1 << bits < memory->pages)
        bits++;
    for (uint64_t i = 0; i < (uint64_t)1 << bits; i++) {
        const uint64_t page = shuffled(i, bits, memory->seed);

        if (page >= memory->pages)
            continue;
        memcpy(memory->start + page * memory->page_bytes, memory->pattern, memory->page_bytes);
        enter(memory, ++count);
    }
}

static void change(const struct memory *memory, uint64_t page)
{
    volatile unsigned char *byte = memory->start + page * memory->page_bytes;

    *byte = (unsigned char)(*byte + 1);
}

static void *work_on(void *argument)
{
    const struct memory *memory = argument;

    take_all(memory);
    atomic_store(&memory->board->is_steady, 1);
    for (uint64_t count = 1;; count++) {
        change(memory, random_below(memory->pages, memory->seed, count));
        enter(memory, count);
    }
    return NULL;
}

void load_start_memory(const struct load_setting *setting, struct load_board *board, int part)
{
    (void)setting;
    the_memory.part = part;
    load_thread(board, work_on, &the_memory);
}
