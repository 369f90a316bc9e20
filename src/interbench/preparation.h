/* What has to be known, made and permitted before anything is measured. */
#ifndef INTERBENCH_PREPARATION_H
#define INTERBENCH_PREPARATION_H

#include "bench.h"
#include "outputs.h"
#include "privileges.h"
#include "report.h"

/* What it finds, as long as the report lives. */
struct findings {
    struct fact facts[FACTS_MAX];
    char missing_privileges[PRIVILEGES_TEXT_MAX];
};

/* What loads are told. */
struct load_setting setting_of(const struct options *options);

/*
 * Fills in bench and report, opens the outputs, makes the file to read and finds the speed of the CPU.  What was
 * asked for and can't be had here ends the program with one line and status 2; loads that nobody named are left out.
 */
void prepare(struct options *options, struct bench *bench, struct report *report, struct outputs *outputs,
             struct findings *findings);

#endif
