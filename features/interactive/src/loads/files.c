/* The loads Write and Read, and their files.  The files have no names, so that they vanish with the processes. */
#include "loads/load.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "random.h"
#include "stats.h"

#define PAGE_BYTES 4096

/* Makes a new file that has a name only for a moment, for file systems without nameless files. */
static int open_and_unlink(const char *directory)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/interbench-XXXXXX", directory) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }

    const int file = mkostemp(path, O_CLOEXEC);

    if (file >= 0)
        unlink(path);
    return file;
}

/* Opens a new file without a name; returns -1 with errno if it cannot. */
static int open_nameless(const char *directory)
{
    int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        file = open_and_unlink(directory);
    return file;
}

/* Returns the limit, or RLIMIT_FSIZE if that is less: writing beyond it would end the process. */
static int64_t limit_bytes(int64_t most_bytes)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return most_bytes;
    return limit.rlim_cur < (uint64_t)most_bytes ? (int64_t)limit.rlim_cur : most_bytes;
}

static int64_t product(uint64_t count, uint64_t size)
{
    return size > 0 && count > INT64_MAX / size ? INT64_MAX : (int64_t)(count * size);
}

int64_t load_file_size(int64_t memory_bytes, int64_t free_bytes, int64_t most_bytes)
{
    const int64_t bytes = least(least(memory_bytes / 2, free_bytes / 10), most_bytes);

    return bytes > 0 ? bytes / MIB * MIB : 0;
}

/* Returns the size of files in the directory of the setting, or -1 with errno. */
static int64_t file_size_here(const struct load_setting *setting)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    struct statvfs place;

    if (statvfs(setting->directory, &place) != 0)
        return -1;
    return load_file_size(product((uint64_t)pages, (uint64_t)page_bytes), product(place.f_bavail, place.f_frsize),
                          limit_bytes(setting->max_disk_bytes));
}

static int is_forbidden(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    const int file = open_nameless(setting->directory);

    if (file < 0) {
        snprintf(why, LOAD_WHY_MAX, "can't create a file in %.90s: %s; use another --tmpdir", setting->directory,
                 strerror(errno));
        return 1;
    }
    close(file);
    if (limit_bytes(setting->max_disk_bytes) >= LOAD_SIZE_LEAST)
        return 0;
    snprintf(why, LOAD_WHY_MAX, "its file needs 16 MiB; raise --max-disk, or the limit of file sizes (ulimit -f)");
    return 1;
}

static int files_are_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    if (is_forbidden(setting, why))
        return 1;

    const int64_t bytes = file_size_here(setting);

    if (bytes >= LOAD_SIZE_LEAST)
        return 0;
    snprintf(why, LOAD_WHY_MAX, "its file needs 16 MiB, and a tenth of the free space in %.90s is %lld MiB; use "
             "another --tmpdir", setting->directory, (long long)(bytes > 0 ? bytes / MIB : 0));
    return 1;
}

void load_fill_block(unsigned char *block, uint64_t seed)
{
    for (size_t i = 0; i < LOAD_BLOCK_BYTES / sizeof(uint64_t); i++) {
        const uint64_t number = random_at(seed, i);

        memcpy(block + i * sizeof number, &number, sizeof number);
    }
}

void load_vary_block(unsigned char *block, uint64_t number)
{
    for (size_t at = 0; at < LOAD_BLOCK_BYTES; at += PAGE_BYTES)
        memcpy(block + at, &number, sizeof number);
}

/* Writes the whole block at the offset; returns 0, or -1 with errno. */
static int write_block(int file, const unsigned char *block, int64_t offset)
{
    size_t written = 0;

    while (written < LOAD_BLOCK_BYTES) {
        const ssize_t count = pwrite(file, block + written, LOAD_BLOCK_BYTES - written, offset + (off_t)written);

        if (count < 0 && errno != EINTR)
            return -1;
        if (count > 0)
            written += (size_t)count;
    }
    return 0;
}

#define SYNC_BYTES (64 * MIB) /* written between two syncs */

struct writer {
    struct load_shared *shared;
    int part, file;
    int64_t size;
    unsigned char *block;
    const char *directory;
};

static struct writer the_writer;

__attribute__((noreturn))
static void fail_write(const struct writer *writer)
{
    load_fail(writer->shared, "can't write a file in %.90s: %s; use another --tmpdir, or a smaller --max-disk",
              writer->directory, strerror(errno));
}

/* Writes the file from start to end, again and again.  Block numbers keep rising, so that no block is repeated. */
static void *write_file(void *argument)
{
    const struct writer *writer = argument;
    const int64_t sync_bytes = writer->size < SYNC_BYTES ? writer->size : SYNC_BYTES;

    for (int64_t written = 0;;) {
        load_vary_block(writer->block, (uint64_t)(written / MIB));
        if (write_block(writer->file, writer->block, written % writer->size) != 0)
            fail_write(writer);
        load_count(writer->shared, writer->part, LOAD_BLOCK_BYTES / KIB);
        written += MIB;
        if (written % sync_bytes == 0) {
            writer->shared->is_steady = 1;
            if (fdatasync(writer->file) != 0)
                fail_write(writer);
        }
    }
    return NULL;
}

/* There may be less space than when it was checked; a single MiB is enough. */
static void set_up_write(const struct load_setting *setting, struct load_shared *shared)
{
    the_writer.shared = shared;
    the_writer.directory = setting->directory;
    the_writer.block = load_allocate(shared, LOAD_BLOCK_BYTES);
    the_writer.size = file_size_here(setting);
    if (the_writer.size == 0)
        errno = ENOSPC;
    if (the_writer.size > 0)
        the_writer.file = open_nameless(setting->directory);
    if (the_writer.size <= 0 || the_writer.file < 0)
        fail_write(&the_writer);
    load_fill_block(the_writer.block, setting->seed);
}

static void start_write(const struct load_setting *setting, struct load_shared *shared, int part)
{
    (void)setting;
    the_writer.part = part;
    load_thread(shared, write_file, &the_writer);
}

const struct load load_write = {
    .name = "Write", .about = "writes a large file to the disk", .parts = 1,
    .is_impossible = files_are_impossible, .set_up = set_up_write, .start = start_write
};

enum kind { DIRECT, DROPPED, CACHED };

struct reader {
    struct load_shared *shared;
    int part, file;
    enum kind kind;
    int64_t size;
    unsigned char *block;
};

static struct reader the_reader;

/* Fills the file and writes it to the disk; returns 0, or an errno. */
static int fill_file(int file, int64_t size, uint64_t seed)
{
    unsigned char *block = malloc(LOAD_BLOCK_BYTES);
    int error = block ? 0 : ENOMEM;

    if (block)
        load_fill_block(block, seed);
    for (int64_t at = 0; at < size && !error; at += MIB) {
        load_vary_block(block, (uint64_t)(at / MIB));
        if (write_block(file, block, at) != 0)
            error = errno;
    }
    if (!error && fsync(file) != 0)
        error = errno;
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    free(block);
    return error;
}

int load_prepare_files(struct load_setting *setting)
{
    const int64_t size = file_size_here(setting);

    if (size < 0)
        return errno;
    if (size < LOAD_SIZE_LEAST)
        return ENOSPC;

    const int file = open_nameless(setting->directory);

    if (file < 0)
        return errno;

    const int error = fill_file(file, size, ~setting->seed);

    if (error)
        close(file);
    else
        setting->read_file = file;
    return error;
}

/* Opens the file once more, with its own flags; returns -1 if it cannot. */
static int open_again(int file, int flags)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return open(path, O_RDONLY | O_CLOEXEC | flags);
}

/* Returns whether the first page of the file can be dropped from the cache. */
static int is_droppable(int file)
{
    unsigned char byte, is_there = 1;

    if (pread(file, &byte, 1, 0) != 1 || posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) != 0)
        return 0;

    void *page = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);

    if (page == MAP_FAILED)
        return 0;
    if (mincore(page, 1, &is_there) != 0)
        is_there = 1;
    munmap(page, 1);
    return !(is_there & 1);
}

/*
 * Returns how the file can be read.  Some file systems accept O_DIRECT and refuse to read with it; others keep the file
 * in memory in spite of the request to drop it.
 */
static enum kind kind_of(int file, int direct, unsigned char *block)
{
    if (!is_droppable(file))
        return CACHED;
    return direct >= 0 && pread(direct, block, LOAD_BLOCK_BYTES, 0) == (ssize_t)LOAD_BLOCK_BYTES ? DIRECT : DROPPED;
}

static void open_reader(struct reader *reader, int file)
{
    const int direct = open_again(file, O_DIRECT);

    reader->kind = kind_of(file, direct, reader->block);
    reader->file = reader->kind == DIRECT ? direct : open_again(file, 0);
    if (reader->file < 0)
        reader->file = dup(file);
    if (direct >= 0 && reader->file != direct)
        close(direct);
}

int load_reads_disk(const struct load_setting *setting)
{
    struct reader reader = {.file = -1, .kind = CACHED};
    void *block;

    if (posix_memalign(&block, 4096, LOAD_BLOCK_BYTES) == 0) {
        reader.block = block;
        open_reader(&reader, setting->read_file);
        free(block);
    }
    if (reader.file >= 0)
        close(reader.file);
    return reader.kind != CACHED;
}

static void drop(const struct reader *reader, int64_t at, int64_t bytes)
{
    if (reader->kind == DROPPED)
        posix_fadvise(reader->file, at, bytes, POSIX_FADV_DONTNEED);
}

static void read_block(const struct reader *reader, int64_t at)
{
    const ssize_t count = pread(reader->file, reader->block, LOAD_BLOCK_BYTES, at);

    if (count <= 0)
        load_fail(reader->shared, "can't read its file: %s", count == 0 ? "it became shorter" : strerror(errno));
    load_count(reader->shared, reader->part, (unsigned long)count / KIB);
}

static void *read_file(void *argument)
{
    const struct reader *reader = argument;

    for (;;) {
        drop(reader, 0, 0);
        for (int64_t at = 0; at < reader->size; at += MIB) {
            read_block(reader, at);
            drop(reader, at, MIB);
        }
    }
    return NULL;
}

static void set_up_read(const struct load_setting *setting, struct load_shared *shared)
{
    struct stat file;

    if (fstat(setting->read_file, &file) != 0)
        load_fail(shared, "its file is missing: %s", strerror(errno));
    the_reader.shared = shared;
    the_reader.block = load_allocate(shared, LOAD_BLOCK_BYTES);
    the_reader.size = file.st_size;
    open_reader(&the_reader, setting->read_file);
    if (the_reader.file < 0)
        load_fail(shared, "can't open its file: %s", strerror(errno));
}

static void start_read(const struct load_setting *setting, struct load_shared *shared, int part)
{
    (void)setting;
    the_reader.part = part;
    load_thread(shared, read_file, &the_reader);
}

const struct load load_read = {
    .name = "Read", .about = "reads a large file from the disk", .parts = 1, .is_reading = 1,
    .steady_ms = LOAD_STEADY_MS, .is_impossible = files_are_impossible, .set_up = set_up_read, .start = start_read
};
