/* The files of loads: they have no names, so that they are gone with the processes that hold them. */
#include "load_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "random.h"

#define PAGE_BYTES 4096

/* For file systems that know no files without a name: it has one for a moment. */
static int open_and_unlink(const char *directory)
{
    char path[PATH_MAX];
    int file;

    if (snprintf(path, sizeof path, "%s/interbench-XXXXXX", directory) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

int load_open_nameless(const char *directory)
{
    int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        file = open_and_unlink(directory);
    return file;
}

/* What goes beyond RLIMIT_FSIZE would end the process. */
static int64_t limit_bytes(int64_t most_bytes)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return most_bytes;
    return limit.rlim_cur < (uint64_t)most_bytes ? (int64_t)limit.rlim_cur : most_bytes;
}

static int64_t product(uint64_t count, uint64_t size)
{
    int64_t bytes;

    return __builtin_mul_overflow(count, size, &bytes) ? INT64_MAX : bytes;
}

int64_t load_file_size_here(const struct load_setting *setting)
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
    const int file = load_open_nameless(setting->directory);

    if (file < 0) {
        snprintf(why, LOAD_WHY_MAX, "no file can be made in %.90s: %s; use --tmpdir", setting->directory,
                 strerror(errno));
        return 1;
    }
    close(file);
    if (limit_bytes(setting->max_disk_bytes) >= LOAD_SIZE_LEAST)
        return 0;
    snprintf(why, LOAD_WHY_MAX, "its file needs 16 MiB; raise --max-disk, or the limit of files' sizes (ulimit -f)");
    return 1;
}

int load_has_no_room_for_files(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    int64_t bytes;

    if (is_forbidden(setting, why))
        return 1;
    bytes = load_file_size_here(setting);
    if (bytes >= LOAD_SIZE_LEAST)
        return 0;
    snprintf(why, LOAD_WHY_MAX, "its file needs 16 MiB, and a tenth of what is free in %.90s is %lld MiB; use --tmpdir",
             setting->directory, (long long)(bytes > 0 ? bytes / MIB : 0));
    return 1;
}

void load_fill_block(unsigned char *block, uint64_t seed)
{
    for (size_t i = 0; i < LOAD_BLOCK_BYTES / sizeof(uint64_t); i++) {
        const uint64_t number = random_at(seed, i);

        memcpy(block + i * sizeof number, &number, sizeof number);
    }
}

/* Random as well, so that no two blocks of one number are alike in a page at another place. */
void load_vary_block(unsigned char *block, uint64_t number)
{
    for (size_t at = 0; at < LOAD_BLOCK_BYTES; at += PAGE_BYTES)
        memcpy(block + at, &number, sizeof number);
}

int load_write_block(int file, const unsigned char *block, int64_t offset)
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
