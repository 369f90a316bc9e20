/* The machine's meters. */
#ifndef MULTIUSER_METERS_MACHINE_H
#define MULTIUSER_METERS_MACHINE_H

#include "meters.h"

/* Opens the files below root. */
void meters_machine_open(struct meters_sources *sources, const char *root);

/* Fills in what look says of the machine. */
void meters_machine_read(struct meters_sources *sources, struct meters_look *look);

/* Memory in use now that is not there for the taking; -1: unknown. */
int64_t meters_machine_memory_kb(struct meters_sources *sources);

#endif
