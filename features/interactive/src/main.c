/*
 * interbench [options]: scheduling latency of simulated interactive tasks, alone and under loads.  It prints a table of
 * each task under each load, or, with --capacity, how many streams of frames can be on time at once.
 */
#include "ub.h"

#include "clock.h"
#include "descriptors.h"
#include "events.h"
#include "guardian.h"
#include "measure/measure.h"
#include "message.h"
#include "options.h"
#include "report/report.h"

#ifndef INTERBENCH_VERSION
#define INTERBENCH_VERSION "unknown" /* the Makefile knows it */
#endif

/* If not everything was measured, stores the reason, which every report shows. */
static void note_error(struct bench *bench, struct report *report, enum outcome outcome)
{
    if (outcome == OUTCOME_INTERRUPTED)
        bench_error(bench, outcome, "interrupted by signal %d (%s)", events_signal(), strsignal(events_signal()));
    report->error = outcome == OUTCOME_DONE ? NULL : bench->error;
}

static int status_of(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_DONE:
        return STATUS_DONE;
    case OUTCOME_INTERRUPTED:
        return 128 + events_signal();
    case OUTCOME_TIMED_OUT:
        return STATUS_TIMED_OUT;
    case OUTCOME_NO_ROOM:
        return STATUS_IMPOSSIBLE_HERE;
    default:
        return STATUS_CHILD_FAILED;
    }
}

/* Prints the score in its unit, and the elapsed time, for Run; see WRITING_TESTS. */
static void print_score(const struct report *report, int64_t start_ns)
{
    const double score = report->capacity ? report->capacity->fps : report_responsiveness(report);
    char why[REPORT_WHY_MAX];

    report_explain_no_responsiveness(report, why);
    if (!report->capacity && score < 0)
        fail(STATUS_IMPOSSIBLE_HERE, "%s", why);
    if (!(score > 0))
        fail(STATUS_IMPOSSIBLE_HERE, "no frame was on time, even with a single stream; stop other programs");
    ub_report_line("COUNT|%.3f|0|%s\n", score, report->capacity ? "fps" : "wps");
    ub_time((double)(monotonic_ns() - start_ns) / NS_PER_S);
}

/* Prints the lines "trial.STREAMS|percent on time" for Run. */
static void print_trials(const struct capacity *capacity)
{
    for (int i = 0; i < capacity->trial_count; i++)
        if (capacity->trials[i].on_time >= 0)
            ub_report_line("trial.%d|%.2f\n", capacity->trials[i].streams, capacity->trials[i].on_time);
}

/* Measures what the options ask for, and reports that, however the measurement ends. */
static enum outcome measure(struct bench *bench, struct report *report)
{
    const int64_t start_ns = monotonic_ns();
    const int is_capacity = bench->options->mode == MODE_CAPACITY;
    static struct capacity capacity = {.fps = UNKNOWN};
    const enum outcome outcome = is_capacity ? measure_capacity(bench, &capacity) : measure_cells(bench, report);

    report->capacity = is_capacity ? &capacity : NULL;
    events_finish();
    note_error(bench, report, outcome);
    outputs_write(report);
    if (outcome == OUTCOME_DONE && bench->options->is_protocol) {
        if (is_capacity)
            print_trials(&capacity);
        print_score(report, start_ns);
    }
    return outcome;
}

static void start_guardian(void)
{
    const int error = guardian_start();

    if (error)
        fail(STATUS_IMPOSSIBLE_HERE, "can't start the guardian, the process that ends the loads: %s", strerror(error));
}

/* Runs all that the options ask for; returns the exit status. */
static int run(struct options *options)
{
    struct bench bench;
    struct report report;

    bench_prepare(&bench, options, &report);
    if (options->is_protocol)
        ub_gate();
    start_guardian();
    events_begin();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans of a load are waited for, and their CPU time is known */

    const enum outcome outcome = measure(&bench, &report);

    if (report.error)
        complain("%s", report.error);

    const enum status written = outputs_close();

    guardian_stop();
    for (int i = 0; i < report.row_count; i++)
        free(report.rows[i].record);
    free(report.rows);
    return outcome != OUTCOME_DONE ? status_of(outcome) : (int)written;
}

static void list(const struct options *options)
{
    const struct load_setting setting = load_setting_of(options);
    char why[LOAD_WHY_MAX];

    puts("Tasks:");
    for (int i = 0; i < tasks_count(); i++)
        printf("  %-9s %s%s\n", tasks_at(i)->name, tasks_at(i)->about,
               tasks_at(i)->is_default ? "" : " (only with -W)");
    puts("Loads:");
    for (int i = 0; i < loads_count(); i++) {
        const struct load *load = loads_at(i);

        printf("  %-9s %s\n", load->name, load->about);
        if (load->is_impossible && load->is_impossible(&setting, why))
            printf("  %-9s impossible here: %s\n", "", why);
    }
}

int main(int argc, char **argv)
{
    struct options options;

    descriptors_open_standard();
    options_read(&options, argc, argv);
    switch (options.mode) {
    case MODE_HELP:
        options_print_help();
        break;
    case MODE_LIST:
        list(&options);
        break;
    case MODE_VERSION:
        puts("interbench " INTERBENCH_VERSION);
        break;
    default:
        return run(&options);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(STATUS_IMPOSSIBLE_HERE, "can't write to standard output");
    return STATUS_DONE;
}
