/* Calibrates the work: finds how many loops this CPU does in a millisecond, and keeps that number for later runs. */
#include "work.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "machine.h"
#include "proc.h"
#include "stats.h"

/*
 * Disturbances make a batch slower, never faster, so the fast batches show the CPU's speed.  Every loop has a largest
 * count, so that calibration ends even if the clock stands still.
 */
#define WARM_UP_NS      (300 * NS_PER_MS)
#define WARM_UP_BATCHES 2000
#define WARM_UP_LOOPS   UINT64_C(20000000000)
#define BATCH_NS        (10 * NS_PER_MS)
#define BATCH_FIRST     UINT64_C(100)
#define BATCH_MOST      UINT64_C(1000000000)
#define BATCHES         21
#define FAST_DECILE     2 /* of sorted times, from 0 */
#define MEDIAN          10
#define ATTEMPTS        5
#define STEADY          0.05
#define LOOPS_MOST      1000000000

/* Returns the CPU time of that many loops in nanoseconds; 0 if the clock stands still, or goes back. */
static int64_t time_batch(struct stopwatch watch, uint64_t loops)
{
    const int64_t before_ns = watch.cpu_ns(watch.self);

    watch.burn(watch.self, loops);
    return greatest(watch.cpu_ns(watch.self) - before_ns, 0);
}

/* Returns how many loops take about as long as a batch should, given a number of loops and its time. */
static uint64_t resize(uint64_t loops, int64_t elapsed_ns)
{
    const double wanted = elapsed_ns < NS_PER_MS ? 2.0 * (double)loops
                                                 : (double)loops * (double)BATCH_NS / (double)elapsed_ns;

    if (wanted < 1)
        return 1;
    return wanted > (double)BATCH_MOST ? BATCH_MOST : (uint64_t)wanted;
}

/* Warms the CPU up; returns the number of loops for a batch, or 0 if the clock stands still. */
static uint64_t warm_up(struct stopwatch watch)
{
    uint64_t loops = BATCH_FIRST, all = 0;
    int64_t passed_ns = 0;

    for (int i = 0; i < WARM_UP_BATCHES && passed_ns < WARM_UP_NS && all < WARM_UP_LOOPS; i++) {
        const int64_t elapsed_ns = time_batch(watch, loops);

        if (elapsed_ns == 0 && loops == BATCH_MOST)
            return 0;
        passed_ns += elapsed_ns;
        all += loops;
        loops = resize(loops, elapsed_ns);
    }
    return passed_ns > 0 ? loops : 0;
}

static int compare(const void *a, const void *b)
{
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

    return (one > other) - (one < other);
}

/* Returns loops per millisecond. */
static int64_t rate_of(uint64_t loops, int64_t elapsed_ns)
{
    const uint64_t rate = (loops * (uint64_t)NS_PER_MS + (uint64_t)elapsed_ns / 2) / (uint64_t)elapsed_ns;

    return least(greatest((int64_t)rate, 1), LOOPS_MOST);
}

/* Times all batches and computes the result; returns their median in nanoseconds, or 0 if the clock stood still. */
static int64_t attempt(struct stopwatch watch, uint64_t loops, struct calibration *result)
{
    int64_t times[BATCHES];

    for (int i = 0; i < BATCHES; i++) {
        times[i] = time_batch(watch, loops);
        if (times[i] == 0)
            return 0;
    }
    qsort(times, BATCHES, sizeof times[0], compare);
    result->loops_per_ms = rate_of(loops, times[FAST_DECILE]);
    result->spread = (double)(times[MEDIAN] - times[FAST_DECILE]) / (double)times[FAST_DECILE];
    result->is_unsteady = result->spread > STEADY;
    return times[MEDIAN];
}

/* Replaces best by the current attempt if that is steady, or faster than the unsteady ones before. */
static void take_better(struct calibration *best, const struct calibration *current)
{
    if (best->spread >= 0 && current->is_unsteady && current->loops_per_ms <= best->loops_per_ms)
        return;
    best->loops_per_ms = current->loops_per_ms;
    best->spread = current->spread;
    best->is_unsteady = current->is_unsteady;
}

struct calibration calibrate(struct stopwatch stopwatch)
{
    struct calibration best = {.loops_per_ms = REFERENCE_LOOPS_PER_MS, .spread = UNKNOWN, .is_unsteady = 1};
    uint64_t loops = warm_up(stopwatch);

    while (loops && best.is_unsteady && best.attempts < ATTEMPTS) {
        struct calibration current;
        const int64_t median_ns = attempt(stopwatch, loops, &current);

        best.attempts++;
        if (median_ns == 0)
            continue;
        take_better(&best, &current);
        loops = resize(loops, median_ns);
    }
    return best;
}

static int64_t real_cpu_ns(void *self)
{
    (void)self;
    return thread_cpu_ns();
}

static void real_burn(void *self, uint64_t loops)
{
    (void)self;
    burn_loops(loops);
}

static const struct stopwatch real = {real_cpu_ns, real_burn, NULL};

/* The body of the thread that calibrates: its binding to a CPU ends with it. */
static void *calibrate_bound(void *result)
{
    const int cpu = cpus_at(0);

    if (cpu != UNKNOWN)
        cpus_bind(cpu);
    *(struct calibration *)result = calibrate(real);
    return NULL;
}

struct calibration calibrate_here(void)
{
    struct calibration result;
    pthread_t thread;

    if (pthread_create(&thread, NULL, calibrate_bound, &result) == 0)
        pthread_join(thread, NULL);
    else
        result = calibrate(real);
    return result;
}

#define LEAST_SANE  100
#define MOST_SANE   1000000000
#define DIGITS_MOST 18
#define MODEL_MAX   80

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME  UINT64_C(0x100000001b3)

/* Computes the FNV-1a hash of this program's file; returns whether the file can be read. */
static int hash_program(uint64_t *hash)
{
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
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

/* Returns the value of a line of /proc/cpuinfo that names the model, or NULL. */
static const char *model_in(const char *line)
{
    static const char *const names[] = {"model name", "cpu model", "cpu", "Processor", "uarch", "CPU part"};
    const char *colon = strchr(line, ':');

    if (!colon)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);

        if (strncmp(line, names[i], length) == 0 && line[length + strspn(line + length, " \t")] == ':')
            return colon + 1 + strspn(colon + 1, " \t");
    }
    return NULL;
}

/* Copies the name of the model, fit for a file name: a hyphen stands for characters that are not letters or digits. */
static void copy_model(char model[MODEL_MAX], const char *from)
{
    size_t length = 0;

    for (; *from && length < MODEL_MAX - 1; from++) {
        if (isalnum((unsigned char)*from))
            model[length++] = *from;
        else if (length > 0 && model[length - 1] != '-')
            model[length++] = '-';
    }
    model[length] = '\0';
}

static void find_model(char model[MODEL_MAX])
{
    struct proc_reader reader = {.root = ""};
    char *text = proc_read(&reader, "/proc/cpuinfo"), *line;
    const char *found = NULL;

    while (!found && (line = strsep(&text, "\n")) != NULL)
        found = model_in(line);
    copy_model(model, found ? found : "unknown");
    proc_close(&reader);
}

static int is_absolute(const char *path)
{
    return path && path[0] == '/';
}

/*
 * Finds the directory of the cache; returns whether there is one.  Relative paths are ignored, because they would lie
 * in the current directory.
 */
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

    if (!find_directory(directory) || !hash_program(&hash))
        return 0;
    find_model(model);

    const int length = snprintf(path, PATH_MAX, "%s/loops_per_ms-%s-%016llx", directory, model,
                                (unsigned long long)hash);

    return length > 0 && length < PATH_MAX;
}

/* Returns the number that is the only line of the file, or 0. */
static int64_t parse(const char *text, size_t length)
{
    const size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > DIGITS_MOST || digits + 1 != length || text[digits] != '\n')
        return 0;

    const int64_t number = strtoll(text, NULL, 10);

    return number >= LEAST_SANE && number <= MOST_SANE ? number : 0;
}

int64_t calibration_kept(void)
{
    char path[PATH_MAX], text[32] = "";

    if (!find_file(path))
        return 0;

    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (file < 0)
        return 0;

    const ssize_t count = read(file, text, sizeof text - 1);

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
    const int is_written = dprintf(file, "%lld\n", (long long)number) > 0;

    return close(file) == 0 && is_written;
}

/* The file is replaced as a whole, so that readers never see half a number. */
void calibration_keep(int64_t loops_per_ms)
{
    char path[PATH_MAX], fresh[PATH_MAX + 8];

    if (!find_file(path))
        return;
    make_directories(path);
    snprintf(fresh, sizeof fresh, "%s.XXXXXX", path);

    const int file = mkostemp(fresh, O_CLOEXEC);

    if (file < 0)
        return;
    if (!write_number(file, loops_per_ms) || rename(fresh, path) != 0)
        unlink(fresh);
}
