/*
 * fstime -c|-r|-w: how fast a file is copied, read or written, in KB a second ("KBps").  LOOPS is the number of blocks.
 * Blocks of -b bytes go through a file of up to -m times 1024 bytes again and again.  The files in the directory are
 * unlinked as soon as they are open.  So no file is left over, not even if the disk is full.
 *
 * Before -r and -c, the file is written for -p seconds, which fills it.  Before -c it is also read for -p seconds,
 * which primes the cache.  Before each of these steps, and before the measured work, the disk gets time to settle, -s
 * times the usual time.  With -n BLOCKS the defaults of -p and -s are 0: the file is filled once, without a pause.
 *
 * -f FILE names the file that is written, read or copied from.  The file that -w makes or replaces stays.  -r and -c
 * expect it as -w has filled it.  They never write it, and prime the cache by reading it.
 */
#include "ub.h"
#include <limits.h>
#include <sys/stat.h>

#define BLOCK_MAX 8192
#define UNIT 256
#define ENDLESS ULONG_MAX

static const char usage[] = "fstime [-c|-r|-w] [-t SECONDS | -n BLOCKS] [-b 256..8192] [-m 1..1048576]"
                            " [-d DIRECTORY] [-f FILE] [-p SECONDS] [-s SCALE]";

struct options {
    int part;
    double seconds, priming_s, settling_scale;
    unsigned long blocks, block_size, size_kb;
    const char *directory, *file;
};

static char buffer[BLOCK_MAX];
static size_t block_size;
static unsigned long blocks_per_file;
static int from, to;

/* The current part of the work: it ends when the time is up, or when the wanted number of blocks has been moved. */
static volatile sig_atomic_t is_over;
static unsigned long wanted, blocks;
static uint64_t units; /* of UNIT bytes: on 32 bits, an unsigned long would overflow after a terabyte */

static void finish(UB_UNUSED int signal)
{
    is_over = 1;
}

static void start_part(double seconds, unsigned long blocks_wanted)
{
    blocks = units = 0;
    wanted = blocks_wanted;
    is_over = blocks_wanted == ENDLESS && seconds == 0;
    if (seconds > 0)
        ub_alarm(seconds, finish);
}

static inline int is_done(void)
{
    return is_over || blocks == wanted;
}

static inline size_t moved(ssize_t bytes, const char *what)
{
    if (bytes < 0 && errno != EINTR)
        ub_failed(what);
    return bytes > 0 ? (size_t)bytes : 0;
}

static inline void add(size_t bytes)
{
    blocks++;
    units += (bytes + UNIT / 2) / UNIT;
}

static void to_start(int file)
{
    if (lseek(file, 0, SEEK_SET) != 0)
        ub_failed("fstime: seek");
}

/*
 * Writes the file, at least once.  It checks the time only after a whole file, because the next part needs a whole one.
 */
static void write_part(void)
{
    do {
        to_start(from);
        for (unsigned long i = 0; i < blocks_per_file && blocks != wanted; i++)
            add(moved(write(from, buffer, block_size), "fstime: write"));
    } while (!is_done());
}

static void read_part(void)
{
    to_start(from);
    while (!is_done()) {
        size_t bytes = moved(read(from, buffer, block_size), "fstime: read");

        if (bytes > 0)
            add(bytes);
        else
            to_start(from);
    }
}

static void copy_part(void)
{
    to_start(from);
    to_start(to);
    while (!is_done()) {
        size_t bytes = moved(read(from, buffer, block_size), "fstime: read");

        if (bytes > 0) {
            add(moved(write(to, buffer, bytes), "fstime: write"));
        } else {
            to_start(from);
            to_start(to);
        }
    }
}

static void pause_s(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static void settle(double first_s, double second_s)
{
    if (first_s + second_s == 0)
        return;
    sync();
    pause_s(first_s);
    sync();
    pause_s(second_s);
}

static char pattern(size_t i)
{
    return (char)(i ^ i >> 8);
}

static void check_buffer(void)
{
    for (size_t i = 0; i < block_size; i++)
        if (buffer[i] != pattern(i))
            ub_error(1, "fstime: byte %zu of a block is not what was written", i);
}

static void check_file(int file, unsigned long blocks_expected)
{
    struct stat facts;

    if (fstat(file, &facts) != 0)
        ub_failed("fstime: stat");
    if ((unsigned long)facts.st_size != blocks_expected * block_size)
        ub_error(1, "fstime: the file has %lu bytes instead of %lu", (unsigned long)facts.st_size,
                 blocks_expected * block_size);
    to_start(file);
    while (moved(read(file, buffer, block_size), "fstime: read") > 0)
        check_buffer();
}

static void check(int part)
{
    unsigned long blocks_moved = wanted < blocks_per_file ? wanted : blocks_per_file;

    check_buffer();
    check_file(from, part == 'w' ? blocks_moved : blocks_per_file);
    if (part == 'c')
        check_file(to, blocks_moved);
}

static void prepare(const struct options *options)
{
    const double scale = options->settling_scale;
    const int is_filled = options->file != NULL;

    if (options->part != 'w' && !is_filled) {
        settle(2 * scale, 2 * scale);
        start_part(options->priming_s, ENDLESS);
        write_part();
    }
    if ((options->part == 'c' || (options->part == 'r' && is_filled)) && options->priming_s > 0) {
        settle(2 * scale, 2 * scale);
        start_part(options->priming_s, ENDLESS);
        read_part();
    }
    settle(2 * scale, (options->part == 'c' ? 1 : 2) * scale);
}

static double measure(const struct options *options)
{
    uint64_t start_ns;

    ub_use_begins();
    start_ns = ub_now_ns();
    start_part(options->seconds, options->blocks);
    if (options->part == 'w')
        write_part();
    else if (options->part == 'r')
        read_part();
    else
        copy_part();
    return ub_elapsed_s(start_ns);
}

/* Makes a file without a name in the directory; returns its descriptor.  mkstemp never opens an existing file. */
static int open_scratch(const char *directory)
{
    char path[PATH_MAX];
    int file = -1;

    errno = ENAMETOOLONG;
    if ((size_t)snprintf(path, sizeof path, "%s/fstime-XXXXXX", directory) < sizeof path)
        file = mkstemp(path);
    if (file < 0)
        ub_error(1, "fstime: %.300s: %s", directory, strerror(errno));
    if (unlink(path) != 0)
        ub_failed("fstime: unlink");
    return file;
}

/*
 * Opens FILE; returns its descriptor, or a negative number with errno.  A link may lead to FILE, but FILE must be a
 * regular file: opening others may block, and they must not be removed.
 */
static int open_named(const char *path, int flags)
{
    struct stat facts;
    int file;

    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        ub_error(1, "fstime: %.300s is not a regular file", path);
    file = open(path, flags | O_NONBLOCK, 0600);
    if (file >= 0 && (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)))
        ub_error(1, "fstime: %.300s is not a regular file", path);
    return file;
}

/*
 * The path of the file that -w is filling; if -w fails, the file is removed.  If -w is killed, the file stays, and -r
 * and -c find that its size is wrong.
 */
static char half_filled[PATH_MAX];

static void remove_half_filled(void)
{
    if (half_filled[0])
        unlink(half_filled);
}

static int make_named(const char *path)
{
    int file = open_named(path, O_RDWR | O_CREAT | O_TRUNC);

    if (file < 0)
        ub_error(1, "fstime: %.300s: %s", path, strerror(errno));
    if (!realpath(path, half_filled) || atexit(remove_half_filled) != 0)
        ub_failed("fstime: -f");
    return file;
}

static int open_filled(const struct options *options)
{
    const unsigned long expected = blocks_per_file * block_size;
    int file = open_named(options->file, O_RDONLY);
    struct stat facts;
    char why[96];

    if (file < 0)
        snprintf(why, sizeof why, "%s", strerror(errno));
    else if (fstat(file, &facts) != 0)
        ub_failed("fstime: stat");
    else if ((unsigned long)facts.st_size == expected)
        return file;
    else
        snprintf(why, sizeof why, "%lu bytes instead of %lu", (unsigned long)facts.st_size, expected);
    ub_error(1, "fstime: %.200s: %s; to fill it: fstime -w -n %lu -b %lu -m %lu -f FILE", options->file, why,
             blocks_per_file, options->block_size, options->size_kb);
}

static int open_first(const struct options *options)
{
    if (!options->file)
        return open_scratch(options->directory);
    return options->part == 'w' ? make_named(options->file) : open_filled(options);
}

static double number(const char *name, const char *text, double high)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || text[strspn(text, "0123456789.")] || !(value >= 0 && value <= high))
        ub_error(2, "%s must be from 0 to %.0f, not \"%.40s\"; usage: %s", name, high, text, usage);
    return value;
}

static struct options take_options(int argc, char **argv)
{
    struct options options = {'c', 10, -1, -1, ENDLESS, 1024, 2000, ".", NULL};
    int option;

    while ((option = getopt(argc, argv, ":crwt:n:b:m:d:f:p:s:")) != -1) {
        switch (option) {
        case 'c':
        case 'r':
        case 'w': options.part = option; break;
        case 't': options.seconds = ub_seconds(optarg, usage); break;
        case 'n': options.blocks = ub_whole("-n", optarg, 1, UB_LOOPS_MAX, usage); break;
        case 'b': options.block_size = ub_whole("-b", optarg, UNIT, BLOCK_MAX, usage); break;
        case 'm': options.size_kb = ub_whole("-m", optarg, 1, 1048576, usage); break;
        case 'd': options.directory = optarg; break;
        case 'f': options.file = optarg; break;
        case 'p': options.priming_s = number("-p", optarg, UB_SECONDS_MAX); break;
        case 's': options.settling_scale = number("-s", optarg, 100); break;
        default: ub_error(2, "-%c is unknown or needs a value; usage: %s", optopt, usage);
        }
    }
    if (optind < argc)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[optind], usage);
    if (options.blocks != ENDLESS)
        options.seconds = 0;
    if (options.priming_s < 0)
        options.priming_s = options.blocks == ENDLESS ? 2 : 0;
    if (options.settling_scale < 0)
        options.settling_scale = options.blocks == ENDLESS ? 1 : 0;
    return options;
}

int main(int argc, char **argv)
{
    struct options options = take_options(argc, argv);
    double elapsed_s;

    block_size = options.block_size;
    blocks_per_file = options.size_kb * 1024 / block_size;
    if (blocks_per_file == 0)
        blocks_per_file = 1;
    for (size_t i = 0; i < block_size; i++)
        buffer[i] = pattern(i);
    signal(SIGXFSZ, SIG_IGN);
    from = open_first(&options);
    if (!options.file || options.part == 'c')
        to = open_scratch(options.directory);
    ub_gate();

    prepare(&options);
    elapsed_s = measure(&options);
    ub_use_ends();
    ub_report_line("LOOPS|%lu\n", blocks);
    if (options.blocks != ENDLESS)
        check(options.part);
    half_filled[0] = '\0';
    ub_count((uint64_t)((double)units * UNIT / 1024 / elapsed_s), 0, "KBps");
    ub_time(elapsed_s);
    return 0;
}
