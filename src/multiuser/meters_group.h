/* The meters of the control group that this process is in, in both versions of Linux' control groups. */
#ifndef MULTIUSER_METERS_GROUP_H
#define MULTIUSER_METERS_GROUP_H

#include "meters.h"

/* Finds the group below root, and opens its files. */
void meters_group_open(struct meters_sources *sources, const char *root);

/* Fills in what look says of the group. */
void meters_group_read(struct meters_sources *sources, struct meters_look *look);

/* Memory in use now, files that are cached included; -1: unknown. */
int64_t meters_group_memory_kb(struct meters_sources *sources);

#endif
