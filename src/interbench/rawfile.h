/* The file of --raw: a line for each frame of each cell. */
#ifndef INTERBENCH_RAWFILE_H
#define INTERBENCH_RAWFILE_H

#include <stdio.h>

#include "load.h"
#include "streams.h"

struct raw_file {
    FILE *out;
    int repeat; /* of the cells to come, from 1 */
};

/* Writes the heading. */
void raw_file_begin(struct raw_file *raw, FILE *out);

/* Writes the frames of all streams, with moments in nanoseconds from frame 0 on. */
void raw_file_add(struct raw_file *raw, const struct load *load, const struct play *play);

#endif
