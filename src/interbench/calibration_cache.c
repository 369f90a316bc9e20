/* What can't be read or written is as if it had never been kept. */
#include "calibration.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options_values.h"

#define LEAST_SANE 100
#define MOST_SANE  1000000000
#define MODEL_MAX  80

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME  UINT64_C(0x100000001b3)

/* FNV-1a of this program's file. */
static int hash_program(uint64_t *hash)
{
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    unsigned char buffer[4096];
    ssize_t count = -1;

    *hash = FNV_OFFSET;
    if (file < 0)
        return 0;
    while ((count = read(file, buffer, sizeof buffer)) > 0)
        for (ssize_t i = 0; i < count; i++)
            *hash = (*hash ^ buffer[i]) * FNV_PRIME;
    close(file);
    return count == 0;
}

/* The value of a line of /proc/cpuinfo that names the model, or null. */
static const char *model_in(char *line)
{
    static const char *const names[] = {"model name", "cpu model", "cpu", "Processor", "uarch", "CPU part"};
    char *colon = strchr(line, ':');

    if (!colon)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);

        if (strncmp(line, names[i], length) == 0 && line[length + strspn(line + length, " \t")] == ':')
            return colon + 1 + strspn(colon + 1, " \t");
    }
    return NULL;
}

/* Fit for the name of a file. */
static void copy_model(char model[MODEL_MAX], const char *from)
{
    size_t length = 0;

    for (; *from && *from != '\n' && length < MODEL_MAX - 1; from++) {
        if (isalnum((unsigned char)*from))
            model[length++] = *from;
        else if (length > 0 && model[length - 1] != '-')
            model[length++] = '-';
    }
    model[length] = '\0';
}

static void find_model(char model[MODEL_MAX])
{
    FILE *list = fopen("/proc/cpuinfo", "re");
    char line[512];

    copy_model(model, "unknown");
    if (!list)
        return;
    while (fgets(line, sizeof line, list)) {
        const char *found = model_in(line);

        if (found) {
            copy_model(model, found);
            break;
        }
    }
    fclose(list);
}

static int is_absolute(const char *path)
{
    return path && path[0] == '/';
}

/* A relative directory would lie in the current one. */
static int find_directory(char path[PATH_MAX])
{
    const char *scratch = getenv("UB_SCRATCH"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;

    if (is_absolute(scratch))
        length = snprintf(path, PATH_MAX, "%s", scratch);
    else if (is_absolute(cache))
        length = snprintf(path, PATH_MAX, "%s/interbench", cache);
    else if (is_absolute(home))
        length = snprintf(path, PATH_MAX, "%s/.cache/interbench", home);
    return length > 0 && length < PATH_MAX;
}

static int find_file(char path[PATH_MAX])
{
    char directory[PATH_MAX], model[MODEL_MAX];
    uint64_t hash;
    int length;

    if (!find_directory(directory) || !hash_program(&hash))
        return 0;
    find_model(model);
    length = snprintf(path, PATH_MAX, "%s/loops_per_ms-%s-%016llx", directory, model, (unsigned long long)hash);
    return length > 0 && length < PATH_MAX;
}

/* The whole file is one line with a number, or nothing. */
static int64_t parse(char *text, size_t length)
{
    int64_t number;

    if (length == 0 || text[length - 1] != '\n' || strlen(text) != length)
        return 0;
    text[length - 1] = '\0';
    return read_integer(text, &number) && number >= LEAST_SANE && number <= MOST_SANE ? number : 0;
}

int64_t calibration_kept(void)
{
    char path[PATH_MAX], text[32] = "";
    ssize_t count;
    int file;

    if (!find_file(path))
        return 0;
    file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return 0;
    count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? parse(text, (size_t)count) : 0;
}

/* Makes the directories above a file. */
static void make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

static int write_number(int file, int64_t number)
{
    int is_written = dprintf(file, "%lld\n", (long long)number) > 0;

    return close(file) == 0 && is_written;
}

/* Readers see the old number or the new one, never half of it. */
void calibration_keep(int64_t loops_per_ms)
{
    char path[PATH_MAX], fresh[PATH_MAX + 8];
    int file;

    if (!find_file(path))
        return;
    make_directories(path);
    snprintf(fresh, sizeof fresh, "%s.XXXXXX", path);
    file = mkostemp(fresh, O_CLOEXEC);
    if (file < 0)
        return;
    if (!write_number(file, loops_per_ms) || rename(fresh, path) != 0)
        unlink(fresh);
}
