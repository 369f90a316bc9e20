/* The load Memload: takes most of the memory that is free, page by page, and then changes it in random places. */
#include "loads/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "machine.h"
#include "proc.h"
#include "random.h"
#include "stats.h"

#define RESERVE (16 * MIB) /* of addresses, for the stacks of threads */
#define PAGES   16         /* counted at once */

static int64_t kb(int64_t number)
{
    return number < 0 ? UNKNOWN : number * 1024;
}

/* Returns the limit of addresses, or UNKNOWN.  If pointers have 32 bits, it is at most 2 GiB. */
static int64_t address_limit(void)
{
    const int64_t most = SIZE_MAX < INT64_MAX ? (int64_t)1 << 31 : UNKNOWN;
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX)
        return most;
    return most < 0 ? (int64_t)limit.rlim_cur : least(most, (int64_t)limit.rlim_cur);
}

/* Returns the addresses left to this process, or to one that it is going to fork. */
static int64_t address_bytes(void)
{
    const int64_t limit = address_limit();
    struct proc_reader reader = {.root = ""};
    const char *status = limit < 0 ? NULL : proc_read(&reader, "/proc/self/status");
    const int64_t used = status ? kb(proc_number(status, "VmSize:", 0)) : 0;

    proc_close(&reader);
    return limit < 0 ? UNKNOWN : greatest(limit - greatest(used, 0) - RESERVE, 0);
}

struct memory_room memory_room(const char *root)
{
    struct proc_reader reader = {.root = root};
    struct memory_room room = {.group = limits_memory_bytes(&reader), .addresses = address_bytes()};
    const char *text = proc_read(&reader, "/proc/meminfo");

    room.total = text ? kb(proc_number(text, "MemTotal:", 0)) : UNKNOWN;
    room.available = text ? kb(proc_number(text, "MemAvailable:", 0)) : UNKNOWN;
    room.swap = text ? kb(proc_number(text, "SwapTotal:", 0)) : UNKNOWN;
    if (text && room.available < 0)
        room.available = kb(proc_number(text, "MemFree:", 0));
    proc_close(&reader);
    return room;
}

static int64_t whole(int64_t bytes)
{
    return bytes > 0 ? bytes / MIB * MIB : 0;
}

/* Returns nine tenths, without overflow. */
static int64_t most_of(int64_t bytes)
{
    return bytes - bytes / 10;
}

/* A tenth of the memory is left to other programs, unless --swap asks for them to be swapped out. */
int64_t load_memory_size(const struct memory_room *room, int64_t most_bytes, int is_swap_allowed)
{
    int64_t bytes = most_of(room->available);

    if (is_swap_allowed && room->swap > 0)
        bytes = least(room->total + room->total / 10, room->total + room->swap - 64 * MIB);
    if (most_bytes > 0)
        bytes = least(bytes, most_bytes);
    if (room->group >= 0)
        bytes = least(bytes, most_of(room->group));
    if (room->addresses >= 0)
        bytes = least(bytes, room->addresses);
    return whole(bytes);
}

struct memory {
    struct load_shared *shared;
    int part;
    uint64_t page_bytes, pages, seed;
    unsigned char *start, *pattern;
};

static struct memory the_memory;

static int64_t size_here(const struct load_setting *setting)
{
    const struct memory_room room = memory_room("");

    return load_memory_size(&room, setting->max_memory_bytes, setting->is_swap_allowed);
}

static int memory_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    const int64_t bytes = size_here(setting);

    if (bytes >= LOAD_SIZE_LEAST)
        return 0;
    if (setting->max_memory_bytes > 0 && setting->max_memory_bytes < LOAD_SIZE_LEAST)
        snprintf(why, LOAD_WHY_MAX, "it needs 16 MiB of memory; raise --max-mem");
    else
        snprintf(why, LOAD_WHY_MAX, "it needs 16 MiB of memory, and %lld MiB are available; stop other programs, or "
                 "raise the limit (ulimit -v, or that of the control group)", (long long)(bytes / MIB));
    return 1;
}

/* Maps memory without huge pages, which would come 512 pages at a time. */
static unsigned char *map(struct load_shared *shared, size_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (start == MAP_FAILED)
        load_fail(shared, "can't get %zu MiB of memory: %s; use a smaller --max-mem", bytes / (size_t)MIB,
                  strerror(errno));
    madvise(start, bytes, MADV_NOHUGEPAGE);
    return start;
}

static void set_up_memory(const struct load_setting *setting, struct load_shared *shared)
{
    const int64_t bytes = size_here(setting);
    char why[LOAD_WHY_MAX];

    if (bytes == 0)
        load_fail(shared, "%s", memory_is_impossible(setting, why) ? why : "no memory is available");
    the_memory.shared = shared;
    the_memory.seed = setting->seed;
    the_memory.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    the_memory.pages = (uint64_t)bytes / the_memory.page_bytes;
    the_memory.start = map(shared, (size_t)bytes);
    the_memory.pattern = load_allocate(shared, LOAD_BLOCK_BYTES);
    load_fill_block(the_memory.pattern, setting->seed);
}

/* Permutes the numbers below 2^bits.  Each step can be undone, so no two numbers have the same result. */
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

static void count_page(const struct memory *memory, uint64_t count)
{
    if (count % PAGES == 0)
        load_count(memory->shared, memory->part, PAGES);
}

/* Writes all pages, in random order.  The pattern cannot be compressed, so that compressed swap does not help. */
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
        count_page(memory, ++count);
    }
}

static void change(const struct memory *memory, uint64_t page)
{
    volatile unsigned char *byte = memory->start + page * memory->page_bytes;

    *byte = (unsigned char)(*byte + 1);
}

static void *use_memory(void *argument)
{
    const struct memory *memory = argument;

    take_all(memory);
    memory->shared->is_steady = 1;
    for (uint64_t count = 1;; count++) {
        change(memory, random_below(memory->pages, memory->seed, count));
        count_page(memory, count);
    }
    return NULL;
}

static void start_memory(const struct load_setting *setting, struct load_shared *shared, int part)
{
    (void)setting;
    the_memory.part = part;
    load_thread(shared, use_memory, &the_memory);
}

const struct load load_memory = {
    .name = "Memload", .about = "fills most of the free memory, then changes random pages", .parts = 1,
    .is_impossible = memory_is_impossible, .set_up = set_up_memory, .start = start_memory
};
