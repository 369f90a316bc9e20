/* Where the results go: standard output, the log, and the files that were asked for. */
#ifndef INTERBENCH_OUTPUTS_H
#define INTERBENCH_OUTPUTS_H

#include "capacity.h"
#include "rawfile.h"
#include "report.h"

struct outputs {
    const struct options *options;
    FILE *log, *json, *csv;
    struct raw_file raw; /* out is null unless asked for */
};

/* Opens all, before anything is measured: what can't be written ends the program with status 2; a log, only a line. */
void outputs_open(struct outputs *outputs, const struct options *options);

/* Writes the tables of the matrix or the mix everywhere. */
void outputs_write(struct outputs *outputs, const struct report *report);

/* Writes the trials of the capacity and what they come to. */
void outputs_write_capacity(struct outputs *outputs, const struct report *report, const struct capacity *capacity);

/* Closes all; returns STATUS_DONE, or STATUS_WRONG_PLACE when something could not be written. */
enum status outputs_close(struct outputs *outputs);

#endif
