/*
 * What all measurements share: settings, how their steps end, memory for their processes.  Cheap checks of a run come
 * first, so that an error costs no time.
 */
#include "measure/measure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "events.h"
#include "message.h"
#include "report/report.h"

struct load_setting load_setting_of(const struct options *options)
{
    return (struct load_setting){
        .threads = options->load_threads > 0 ? options->load_threads : options->is_pinned ? 1 : cpus_count(),
        .max_disk_bytes = options->max_disk_bytes,
        .max_memory_bytes = options->max_memory_bytes,
        .is_swap_allowed = options->is_swap_allowed,
        .directory = options->directory,
        .read_file = -1,
        .command = options->load_command,
        .loops_per_ms = REFERENCE_LOOPS_PER_MS,
        .seed = (uint64_t)options->seed,
    };
}

/* Fails if that nice value is not permitted.  The current one and those above it always are. */
static void check_nice(int nice)
{
    if (nice != 0 && !privilege_nice(nice))
        fail(STATUS_IMPOSSIBLE_HERE, "nice %d is not permitted; run as root, or use %d to 19", nice,
             getpriority(PRIO_PROCESS, 0));
}

static void check_privileges(const struct options *options)
{
    if (options->is_real_time && !privilege_fifo())
        fail(STATUS_IMPOSSIBLE_HERE, "-r needs SCHED_FIFO, which is not permitted; run as root, or raise the limit of "
             "real-time priority (ulimit -r 99)");
    check_nice(options->task_nice);
    check_nice(options->load_nice);
}

static int pin_of(const struct options *options)
{
    const int cpu = !options->is_pinned ? UNKNOWN : options->pin_cpu == UNKNOWN ? cpus_at(0) : options->pin_cpu;

    if (cpu != UNKNOWN && !cpus_include(cpu))
        fail(STATUS_IMPOSSIBLE_HERE, "CPU %d is not available to this process; the first available CPU is %d", cpu,
             cpus_at(0));
    return cpu;
}

/* Leaves out the loads that cannot run here.  Fails instead if loads were named, or with --protocol. */
static void leave_out_impossible(struct options *options, const struct load_setting *setting, struct report *report)
{
    int kept = 0;

    for (int i = 0; i < options->load_count; i++) {
        const struct load *load = options->loads[i];
        struct left_out *left_out = &report->left_out[report->left_out_count];

        if (!load->is_impossible || !load->is_impossible(setting, left_out->why)) {
            options->loads[kept++] = load;
            continue;
        }
        if (options->named_loads.given || options->is_protocol)
            fail(STATUS_IMPOSSIBLE_HERE, "load %s can't run here: %s", load->name, left_out->why);
        left_out->load = load;
        report->left_out_count++;
    }
    options->load_count = kept;
    if (report->left_out_count > 0 && !has_cell(options))
        fail(STATUS_IMPOSSIBLE_HERE, "nothing is left to measure: load %s can't run here: %s",
             report->left_out[0].load->name, report->left_out[0].why);
}

/* Makes the file that Read reads.  A signal ends the program at once; the file has no name. */
static void prepare_files(struct bench *bench)
{
    const struct options *options = bench->options;
    int is_reading = 0;

    for (int i = 0; i < options->load_count; i++)
        is_reading |= options->loads[i]->is_reading;
    if (!is_reading)
        return;

    const int error = load_prepare_files(&bench->setting);

    if (error != 0)
        fail(STATUS_IMPOSSIBLE_HERE, "can't create the file of Read in %s: %s; use another --tmpdir, or a smaller "
             "--max-disk", options->directory, strerror(error));
    if (!load_reads_disk(&bench->setting))
        notice("the file system of %s keeps files in memory: Read does not read from the disk", options->directory);
}

/* Returns the loops per millisecond of the work of tasks. */
static int64_t find_speed(const struct options *options)
{
    if (options->is_fixed)
        return REFERENCE_LOOPS_PER_MS;
    if (options->loops_per_ms != 0)
        return options->loops_per_ms;

    const struct calibration calibration = calibrate_here();

    if (calibration.is_unsteady && calibration.spread >= 0)
        notice("the speed of this CPU varies by %.1f %%, and so does the work of frames; stop other programs",
               100 * calibration.spread);
    return calibration.loops_per_ms;
}

void bench_prepare(struct bench *bench, struct options *options, struct report *report)
{
    check_privileges(options);
    *bench = (struct bench){.options = options, .setting = load_setting_of(options), .cpu_count = cpus_count()};
    options->pin_cpu = bench->pin_cpu = pin_of(options);
    *report = (struct report){.options = options, .started_s = time(NULL), .cpu_count = bench->cpu_count};
    leave_out_impossible(options, &bench->setting, report);
    outputs_open(options->is_console_only);
    prepare_files(bench);
    report->loops_per_ms = bench->setting.loops_per_ms = bench->loops_per_ms = find_speed(options);
}

enum outcome bench_error(struct bench *bench, enum outcome outcome, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(bench->error, sizeof bench->error, format, arguments);
    va_end(arguments);
    return outcome;
}

int outcome_is_void(enum outcome outcome)
{
    const int was_stopped = events_was_stopped();

    return was_stopped && (outcome == OUTCOME_DONE || outcome == OUTCOME_TIMED_OUT);
}

void *shared_memory(struct bench *bench, size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory != MAP_FAILED)
        return memory;
    bench_error(bench, OUTCOME_NO_ROOM, "can't get %zu KiB of memory: %s; use a smaller -n", size / 1024,
                strerror(errno));
    return NULL;
}
