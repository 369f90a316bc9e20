/* Read: a file is read from start to end, again and again, from the disk where the file system allows that. */
#include "load_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { DIRECT, DROPPED, CACHED };

struct reader {
    struct load_board *board;
    int part, file;
    enum kind kind;
    int64_t size;
    unsigned char *block;
};

static struct reader the_reader;

static int write_file(int file, int64_t size, uint64_t seed)
{
    unsigned char *block = malloc(LOAD_BLOCK_BYTES);
    int error = block ? 0 : ENOMEM;

    if (block)
        load_fill_block(block, seed);
    for (int64_t at = 0; at < size && !error; at += MIB) {
        load_vary_block(block, (uint64_t)(at / MIB));
        if (load_write_block(file, block, at) != 0)
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
    const int64_t size = load_file_size_here(setting);
    int file, error;

    if (size < 0)
        return errno;
    if (size < LOAD_SIZE_LEAST)
        return ENOSPC;
    file = load_open_nameless(setting->directory);
    if (file < 0)
        return errno;
    error = write_file(file, size, ~setting->seed);
    if (error)
        close(file);
    else
        setting->read_file = file;
    return error;
}

/* An open file of its own, or -1. */
static int open_again(int file, int flags)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return open(path, O_RDONLY | O_CLOEXEC | flags);
}

/* Whether the first page of the file leaves memory when it is told to. */
static int is_droppable(int file)
{
    unsigned char byte, is_there = 1;
    void *page;

    if (pread(file, &byte, 1, 0) != 1 || posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) != 0)
        return 0;
    page = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED)
        return 0;
    if (mincore(page, 1, &is_there) != 0)
        is_there = 1;
    munmap(page, 1);
    return !(is_there & 1);
}

/* Some file systems open a file with O_DIRECT and refuse to read it so; some keep it in memory all the same. */
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

const char *load_read_kind(const struct load_setting *setting)
{
    static const char *const names[] = {"direct", "dropped from the cache", "cached"};
    struct reader reader = {.file = -1, .kind = CACHED};
    void *block;

    if (posix_memalign(&block, 4096, LOAD_BLOCK_BYTES) == 0) {
        reader.block = block;
        open_reader(&reader, setting->read_file);
        free(block);
    }
    if (reader.file >= 0)
        close(reader.file);
    return names[reader.kind];
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
        load_fail(reader->board, "its file can't be read: %s", count == 0 ? "it got shorter" : strerror(errno));
    load_count(reader->board, reader->part, (uint64_t)count);
}

static void *read_on(void *argument)
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

void load_set_up_read(const struct load_setting *setting, struct load_board *board)
{
    struct stat file;

    if (fstat(setting->read_file, &file) != 0)
        load_fail(board, "there is no file to read: %s", strerror(errno));
    the_reader.board = board;
    the_reader.block = load_allocate(board, LOAD_BLOCK_BYTES);
    the_reader.size = file.st_size;
    open_reader(&the_reader, setting->read_file);
    if (the_reader.file < 0)
        load_fail(board, "its file can't be opened: %s", strerror(errno));
}

void load_start_read(const struct load_setting *setting, struct load_board *board, int part)
{
    (void)setting;
    the_reader.part = part;
    load_thread(board, read_on, &the_reader);
}
