/* In this order: what costs nothing to find out comes first, so that nothing is lost by it. */
#include "preparation.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "calibration.h"
#include "cpus.h"
#include "matrix.h"
#include "message.h"

struct load_setting setting_of(const struct options *options)
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
        .seed = options->seed,
    };
}

static void check_nice(int nice)
{
    if (nice != 0 && !privilege_nice(nice))
        fail(STATUS_WRONG_PLACE, "nice %d is not permitted here; be root, or take %d to 19", nice,
             nice < 0 ? 0 : nice + 1);
}

static void check_privileges(const struct options *options)
{
    int error;

    if (options->is_real_time && !privilege_fifo())
        fail(STATUS_WRONG_PLACE, "-r needs SCHED_FIFO, which is not permitted here; be root, or raise the limit of "
             "real-time priority (ulimit -r 99)");
    check_nice(options->task_nice);
    check_nice(options->load_nice);
    if (options->is_awake && (error = privilege_stay_awake()) != 0)
        fail(STATUS_WRONG_PLACE, "--awake: /dev/cpu_dma_latency: %s; be root", strerror(error));
}

static int pin_of(const struct options *options)
{
    const int cpu = !options->is_pinned ? UNKNOWN : options->pin_cpu == UNKNOWN ? cpus_at(0) : options->pin_cpu;

    if (cpu != UNKNOWN && !cpus_include(cpu))
        fail(STATUS_WRONG_PLACE, "CPU %d can't be used here; the first that can is %d", cpu, cpus_at(0));
    return cpu;
}

/* A load that was named has to be there; of the others those that can't run are left out. */
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
        if (options->is_load_named || options->is_protocol)
            fail(STATUS_WRONG_PLACE, "load %s can't run here: %s", load->name, left_out->why);
        left_out->load = load;
        report->left_out_count++;
    }
    options->load_count = kept;
    if (report->left_out_count > 0 && matrix_cells(options) == 0)
        fail(STATUS_WRONG_PLACE, "nothing is left to measure: load %s can't run here: %s",
             report->left_out[0].load->name, report->left_out[0].why);
}

/* How the file is read is told with the machine's facts. */
static void add_read_fact(struct report *report, struct findings *findings, const struct load_setting *setting)
{
    struct fact *fact = &findings->facts[report->fact_count];

    if (report->fact_count == FACTS_MAX)
        return;
    fact->name = "reading";
    snprintf(fact->value, sizeof fact->value, "%s", load_read_kind(setting));
    report->fact_count++;
}

/* Signals end the program at once meanwhile: the file has no name. */
static void prepare_files(struct report *report, struct findings *findings, struct load_setting *setting)
{
    const struct options *options = report->options;
    int is_reading = 0, error;

    for (int i = 0; i < options->load_count; i++)
        is_reading |= options->loads[i]->is_reading;
    if (!is_reading)
        return;
    error = load_prepare_files(setting);
    if (error != 0)
        fail(STATUS_WRONG_PLACE, "cannot make the file to read in %s: %s; use --tmpdir or --max-disk",
             setting->directory, strerror(error));
    add_read_fact(report, findings, setting);
}

/* Returns what the fast batches of a calibration differ by, UNKNOWN without one. */
static double find_speed(const struct options *options, int64_t *loops_per_ms)
{
    struct calibration calibration;

    *loops_per_ms = REFERENCE_LOOPS_PER_MS;
    if (options->is_fixed)
        return UNKNOWN;
    *loops_per_ms = options->loops_per_ms;
    if (*loops_per_ms == 0 && !options->is_calibrating_anew)
        *loops_per_ms = calibration_kept();
    if (*loops_per_ms != 0)
        return UNKNOWN;
    calibration = calibrate_here();
    if (calibration.is_unsteady && calibration.spread >= 0)
        notice("the speed of this CPU varies by %.1f %%; work on time may differ as much", 100 * calibration.spread);
    if (!calibration.is_unsteady)
        calibration_keep(calibration.loops_per_ms);
    *loops_per_ms = calibration.loops_per_ms;
    return calibration.spread;
}

void prepare(struct options *options, struct bench *bench, struct report *report, struct outputs *outputs,
             struct findings *findings)
{
    check_privileges(options);
    privileges_missing(findings->missing_privileges);
    *bench = (struct bench){.options = options, .setting = setting_of(options), .cpu_count = cpus_count()};
    options->pin_cpu = bench->pin_cpu = pin_of(options);
    *report = (struct report){.options = options, .started_s = time(NULL), .cpu_count = bench->cpu_count,
                              .facts = findings->facts, .missing_privileges = findings->missing_privileges};
    leave_out_impossible(options, &bench->setting, report);
    report->fact_count = machine_facts("", options->directory, findings->facts);
    outputs_open(outputs, options);
    prepare_files(report, findings, &bench->setting);
    report->calibration_spread = find_speed(options, &bench->loops_per_ms);
    report->loops_per_ms = bench->setting.loops_per_ms = bench->loops_per_ms;
}
