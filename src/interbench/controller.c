/* What can't be had here is found before anything is measured; what was measured is written, however the run ended. */
#include "controller.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "bench.h"
#include "calibration.h"
#include "clock.h"
#include "cpus.h"
#include "machine.h"
#include "matrix.h"
#include "message.h"
#include "outputs.h"
#include "privileges.h"
#include "protocol.h"
#include "trials.h"
#include "ward.h"
#include "watch.h"

static struct load_setting setting_of(const struct options *options)
{
    return (struct load_setting){
        .threads = options->load_threads > 0 ? options->load_threads : cpus_count(),
        .is_size_given = options->load_threads > 0,
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

static void check_privileges(const struct options *options)
{
    const int nice = options->task_nice < options->load_nice ? options->task_nice : options->load_nice;
    int error;

    if (options->is_real_time && !privilege_fifo())
        fail(STATUS_WRONG_PLACE, "-r needs SCHED_FIFO, which is not permitted here; be root, or raise the limit of "
             "real-time priority (ulimit -r 99)");
    if (nice < 0 && !privilege_nice(nice))
        fail(STATUS_WRONG_PLACE, "nice %d is not permitted here; be root, or take 0 to 19", nice);
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
        if (options->is_load_named)
            fail(STATUS_WRONG_PLACE, "load %s can't run here: %s", load->name, left_out->why);
        left_out->load = load;
        report->left_out_count++;
    }
    options->load_count = kept;
    if (kept == 0 && report->left_out_count > 0)
        fail(STATUS_WRONG_PLACE, "no load can run here: %s: %s", report->left_out[0].load->name,
             report->left_out[0].why);
}

/* Signals end the program at once meanwhile: the file has no name. */
static void prepare_files(const struct options *options, struct load_setting *setting)
{
    int is_reading = 0, error;

    for (int i = 0; i < options->load_count; i++)
        is_reading |= options->loads[i]->is_reading;
    if (!is_reading)
        return;
    error = load_prepare_files(setting);
    if (error != 0)
        fail(STATUS_WRONG_PLACE, "cannot make the file to read in %s: %s; use --tmpdir or --max-disk",
             setting->directory, strerror(error));
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

/* What went wrong is told behind the tables. */
static int status_of(const struct bench *bench, enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_DONE:
        return STATUS_DONE;
    case OUTCOME_INTERRUPTED:
        complain("interrupted by signal %d (%s)", watch_signal(), strsignal(watch_signal()));
        return 128 + watch_signal();
    case OUTCOME_TIMED_OUT:
        complain("%s", bench->trouble);
        return STATUS_TIMED_OUT;
    default:
        complain("%s", bench->trouble);
        return STATUS_CHILD_FAILED;
    }
}

static int measure_matrix(struct bench *bench, struct report *report, struct outputs *outputs)
{
    const int64_t start_ns = monotonic_ns();
    const enum outcome outcome = matrix_run(bench, report, outputs->raw.out ? &outputs->raw : NULL);
    const double score = report_responsiveness(report);

    outputs_write(outputs, report);
    if (outcome != OUTCOME_DONE || !bench->options->is_protocol)
        return status_of(bench, outcome);
    if (score < 0)
        fail(STATUS_WRONG_PLACE, "the 99th percentile of Probe needs 1000 frames; -t must be at least 1");
    protocol_score(score, "wps", monotonic_ns() - start_ns);
    return STATUS_DONE;
}

static int measure_capacity(struct bench *bench, struct report *report, struct outputs *outputs)
{
    const int64_t start_ns = monotonic_ns();
    struct capacity capacity = {.fps = UNKNOWN};
    const enum outcome outcome = trials_run(bench, &capacity);

    outputs_write_capacity(outputs, report, &capacity);
    if (outcome == OUTCOME_DONE && bench->options->is_protocol) {
        protocol_trials(&capacity);
        protocol_score(capacity.fps, "fps", monotonic_ns() - start_ns);
    }
    return status_of(bench, outcome);
}

int controller_run(struct options *options)
{
    struct bench bench = {.options = options, .setting = setting_of(options), .cpu_count = cpus_count()};
    char missing[PRIVILEGES_TEXT_MAX];
    struct report report = {.options = options, .cpu_count = bench.cpu_count, .missing_privileges = missing,
                            .started_s = time(NULL)};
    struct fact facts[FACTS_MAX];
    struct outputs outputs;
    enum status written;
    int status;

    check_privileges(options);
    privileges_missing(missing);
    bench.pin_cpu = pin_of(options);
    leave_out_impossible(options, &bench.setting, &report);
    report.facts = facts;
    report.fact_count = machine_facts("", options->directory, facts);
    outputs_open(&outputs, options);
    prepare_files(options, &bench.setting);
    report.calibration_spread = find_speed(options, &bench.loops_per_ms);
    report.loops_per_ms = bench.setting.loops_per_ms = bench.loops_per_ms;
    if (options->is_protocol)
        protocol_wait();

    ward_begin();
    watch_begin();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what a load leaves behind is waited for, and its CPU time is known */
    status = options->mode == MODE_CAPACITY ? measure_capacity(&bench, &report, &outputs)
                                            : measure_matrix(&bench, &report, &outputs);
    written = outputs_close(&outputs);
    ward_finish();
    for (int i = 0; i < report.row_count; i++)
        free(report.rows[i].record);
    free(report.rows);
    return status != STATUS_DONE ? status : (int)written;
}

void controller_list(const struct options *options)
{
    const struct load_setting setting = setting_of(options);
    char why[LOAD_WHY_MAX];

    puts("Tasks:");
    for (int i = 0; i < tasks_count(); i++)
        printf("  %-9s %s%s\n", tasks_at(i)->name, tasks_at(i)->about, tasks_at(i)->is_default ? "" : " (by -W only)");
    puts("Loads:");
    for (int i = 0; i < loads_count(); i++) {
        const struct load *load = loads_at(i);

        printf("  %-9s %s%s\n", load->name, load->about, load->is_default ? "" : " (by -w only)");
        if (load->is_impossible && load->is_impossible(&setting, why))
            printf("  %-9s not here: %s\n", "", why);
    }
}
