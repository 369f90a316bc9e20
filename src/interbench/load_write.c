/* Write: a file is written from start to end, again and again, and brought to the disk each 64 MiB. */
#include "load_parts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define SYNC_BYTES (64 * MIB)

struct writer {
    struct load_board *board;
    int part, file;
    int64_t size;
    unsigned char *block;
    const char *directory;
};

static struct writer the_writer;

__attribute__((noreturn))
static void fail(const struct writer *writer)
{
    load_fail(writer->board, "a file in %.90s can't be written: %s; use --tmpdir or a smaller --max-disk",
              writer->directory, strerror(errno));
}

/* Blocks are counted from the first, so that none is ever the same. */
static void *write_on(void *argument)
{
    const struct writer *writer = argument;
    const int64_t sync_bytes = writer->size < SYNC_BYTES ? writer->size : SYNC_BYTES;

    for (int64_t written = 0;;) {
        load_vary_block(writer->block, (uint64_t)(written / MIB));
        if (load_write_block(writer->file, writer->block, written % writer->size) != 0)
            fail(writer);
        load_count(writer->board, writer->part, LOAD_BLOCK_BYTES);
        written += MIB;
        if (written % sync_bytes == 0) {
            atomic_store(&writer->board->is_steady, 1);
            if (fdatasync(writer->file) != 0)
                fail(writer);
        }
    }
    return NULL;
}

/* There may be less room than there was when it was found to be possible; a little is enough. */
void load_set_up_write(const struct load_setting *setting, struct load_board *board)
{
    the_writer.board = board;
    the_writer.directory = setting->directory;
    the_writer.block = load_allocate(board, LOAD_BLOCK_BYTES);
    the_writer.size = load_file_size_here(setting);
    if (the_writer.size == 0)
        errno = ENOSPC;
    if (the_writer.size > 0)
        the_writer.file = load_open_nameless(setting->directory);
    if (the_writer.size <= 0 || the_writer.file < 0)
        fail(&the_writer);
    load_fill_block(the_writer.block, setting->seed);
}

void load_start_write(const struct load_setting *setting, struct load_board *board, int part)
{
    (void)setting;
    the_writer.part = part;
    load_thread(board, write_on, &the_writer);
}
