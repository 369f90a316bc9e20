/*
 * interbench [options]: scheduling latency of simulated interactive tasks, alone and under loads.  It prints a table of
 * each task under each load, or, with --capacity, how many streams of frames can be on time at once.
 */
#include "../ub.h"

#include "clock.h"
#include "descriptors.h"
#include "events.h"
#include "guardian.h"
#include "measure/measure.h"
#include "message.h"
#include "options.h"
#include "report/report.h"

/* Notes the reason, which every report shows, if not everything was measured. */
static void note_trouble(struct bench *bench, struct report *report, enum outcome outcome)
{
    if (outcome == OUTCOME_INTERRUPTED)
        bench_trouble(bench, outcome, "interrupted by signal %d (%s)", events_signal(), strsignal(events_signal()));
    report->trouble = outcome == OUTCOME_DONE ? NULL : bench->trouble;
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
        return STATUS_WRONG_PLACE;
    default:
        return STATUS_CHILD_FAILED;
    }
}

/*
 * Ends the program, because there is no score, and says why.  A frame has a staleness only after it, or a later frame,
 * has been executed.  So the last frames of a busy machine have none.
 */
__attribute__((noreturn))
static void fail_without_score(const struct report *report)
{
    const struct row *row = report_least_response(report);

    if (!row)
        fail(STATUS_WRONG_PLACE, "the score is that of Probe under a load; give a load besides None (-w)");

    const struct tally *tally = &row->record->tally;

    if (tally->frames < DISTRIBUTION_P99_LEAST)
        fail(STATUS_WRONG_PLACE, "the 99th percentile of Probe needs %d frames under each load, not %lld; use -t 1.5",
             DISTRIBUTION_P99_LEAST, (long long)tally->frames);
    fail(STATUS_WRONG_PLACE,
         "only %lld of %lld frames of Probe under %s have a value, not %d: the machine was so busy that the last ones "
         "were not executed in time; use a longer -t, or stop other programs",
         (long long)tally->staleness.moments.count, (long long)tally->frames, row->load->name, DISTRIBUTION_P99_LEAST);
}

/* Prints the score in its unit, and the elapsed time, for Run; see WRITING_TESTS. */
static void print_score(double score, const char *unit, int64_t start_ns)
{
    if (!(score > 0))
        fail(STATUS_WRONG_PLACE, "nothing was on time");
    ub_say("COUNT|%.3f|0|%s\n", score, unit);
    ub_time((double)(monotonic_ns() - start_ns) / NS_PER_S);
}

/* Prints the lines "trial.STREAMS|percent on time" for Run. */
static void print_trials(const struct capacity *capacity)
{
    for (int i = 0; i < capacity->trial_count; i++)
        if (capacity->trials[i].on_time >= 0)
            ub_say("trial.%d|%.2f\n", capacity->trials[i].streams, capacity->trials[i].on_time);
}

static enum outcome run_cells(struct bench *bench, struct report *report, struct outputs *outputs)
{
    const int64_t start_ns = monotonic_ns();
    const enum outcome outcome = measure_cells(bench, report, outputs->raw.out ? &outputs->raw : NULL);
    const double score = report_responsiveness(report);

    events_finish();
    note_trouble(bench, report, outcome);
    outputs_write(outputs, report);
    if (outcome != OUTCOME_DONE || !bench->options->is_protocol)
        return outcome;
    if (score < 0)
        fail_without_score(report);
    print_score(score, "wps", start_ns);
    return outcome;
}

static enum outcome run_capacity(struct bench *bench, struct report *report, struct outputs *outputs)
{
    const int64_t start_ns = monotonic_ns();
    struct capacity capacity = {.fps = UNKNOWN};
    const enum outcome outcome = measure_capacity(bench, &capacity);

    events_finish();
    note_trouble(bench, report, outcome);
    outputs_write_capacity(outputs, report, &capacity);
    if (outcome == OUTCOME_DONE && bench->options->is_protocol) {
        print_trials(&capacity);
        print_score(capacity.fps, "fps", start_ns);
    }
    return outcome;
}

static void start_guardian(void)
{
    const int error = guardian_start();

    if (error)
        fail(STATUS_WRONG_PLACE, "cannot start the process that cleans up: %s", strerror(error));
}

/* Measures what the options ask for and writes the results, however the run ends; returns the exit status. */
static int run(struct options *options)
{
    struct bench bench;
    struct report report;
    struct outputs outputs;

    bench_prepare(&bench, options, &report, &outputs);
    if (options->is_protocol)
        ub_gate();
    start_guardian();
    events_begin();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans of a load are waited for, and their CPU time is known */

    const enum outcome outcome = options->mode == MODE_CAPACITY ? run_capacity(&bench, &report, &outputs)
                                                                : run_cells(&bench, &report, &outputs);

    if (report.trouble)
        complain("%s", report.trouble);

    const enum status written = outputs_close(&outputs);

    guardian_stop();
    for (int i = 0; i < report.row_count; i++)
        free(report.rows[i].record);
    free(report.rows);
    return outcome != OUTCOME_DONE ? status_of(outcome) : (int)written;
}

/* Prints all tasks and loads, and why a load cannot run here. */
static void list(const struct options *options)
{
    const struct load_setting setting = load_setting_of(options);
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

int main(int argc, char **argv)
{
    struct options options;

    descriptors_open_standard();
    options_read(&options, argc, argv);
    switch (options.mode) {
    case MODE_HELP:
        options_print_help();
        return STATUS_DONE;
    case MODE_LIST:
        list(&options);
        return STATUS_DONE;
    default:
        return run(&options);
    }
}
