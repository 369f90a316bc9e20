/* Where the files of a control group are. */
#ifndef MULTIUSER_METERS_PLACE_H
#define MULTIUSER_METERS_PLACE_H

#include <limits.h>

/*
 * Takes root, what its /proc/self/cgroup says and a controller; writes the directory below root/sys/fs/cgroup of the
 * group that this controller counts for, in version 1 or, where the controller is not mounted there, in version 2.
 * Returns whether there is one.
 */
int meters_place(const char *root, const char *groups, const char *controller, char directory[PATH_MAX]);

#endif
