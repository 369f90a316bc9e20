/* What was measured is written, however the run ended. */
#include "controller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "clock.h"
#include "events.h"
#include "guardian.h"
#include "matrix.h"
#include "message.h"
#include "outputs.h"
#include "preparation.h"
#include "protocol.h"
#include "trials.h"

/* Why not all was measured stands in every report. */
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

/* A frame has a value once it, or a later one, has been executed: the last frames of a busy machine have none. */
__attribute__((noreturn))
static void fail_without_score(const struct report *report)
{
    const struct row *row = report_least_response(report);
    const struct tally *tally;

    if (!row)
        fail(STATUS_WRONG_PLACE, "the score is that of Probe under a load; give a load besides None (-w)");
    tally = &row->record->tally;
    if (tally->frames < DISTRIBUTION_P99_LEAST)
        fail(STATUS_WRONG_PLACE, "the 99th percentile of Probe needs %d frames under each load, not %lld; use -t 1.5",
             DISTRIBUTION_P99_LEAST, (long long)tally->frames);
    fail(STATUS_WRONG_PLACE,
         "only %lld of %lld frames of Probe under %s have a value, not %d: the machine was so busy that the last ones "
         "were not executed in time; use a longer -t, or stop other programs",
         (long long)tally->staleness.moments.count, (long long)tally->frames, row->load->name, DISTRIBUTION_P99_LEAST);
}

static enum outcome measure_matrix(struct bench *bench, struct report *report, struct outputs *outputs)
{
    const int64_t start_ns = monotonic_ns();
    const enum outcome outcome = matrix_run(bench, report, outputs->raw.out ? &outputs->raw : NULL);
    const double score = report_responsiveness(report);

    events_finish();
    note_trouble(bench, report, outcome);
    outputs_write(outputs, report);
    if (outcome != OUTCOME_DONE || !bench->options->is_protocol)
        return outcome;
    if (score < 0)
        fail_without_score(report);
    protocol_score(score, "wps", monotonic_ns() - start_ns);
    return outcome;
}

static enum outcome measure_capacity(struct bench *bench, struct report *report, struct outputs *outputs)
{
    const int64_t start_ns = monotonic_ns();
    struct capacity capacity = {.fps = UNKNOWN};
    const enum outcome outcome = trials_run(bench, &capacity);

    events_finish();
    note_trouble(bench, report, outcome);
    outputs_write_capacity(outputs, report, &capacity);
    if (outcome == OUTCOME_DONE && bench->options->is_protocol) {
        protocol_trials(&capacity);
        protocol_score(capacity.fps, "fps", monotonic_ns() - start_ns);
    }
    return outcome;
}

static void start_guardian(void)
{
    const int error = guardian_start();

    if (error)
        fail(STATUS_WRONG_PLACE, "cannot start the process that cleans up: %s", strerror(error));
}

int controller_run(struct options *options)
{
    struct bench bench;
    struct report report;
    struct outputs outputs;
    struct findings findings;
    enum outcome outcome;
    enum status written;

    prepare(options, &bench, &report, &outputs, &findings);
    if (options->is_protocol)
        protocol_wait();
    start_guardian();
    events_begin();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what a load leaves behind is waited for, and its CPU time is known */
    outcome = options->mode == MODE_CAPACITY ? measure_capacity(&bench, &report, &outputs)
                                             : measure_matrix(&bench, &report, &outputs);
    if (report.trouble)
        complain("%s", report.trouble);
    written = outputs_close(&outputs);
    guardian_stop();
    for (int i = 0; i < report.row_count; i++)
        free(report.rows[i].record);
    free(report.rows);
    return outcome != OUTCOME_DONE ? status_of(outcome) : (int)written;
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
