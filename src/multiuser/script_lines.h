/* How a script grows. */
#ifndef MULTIUSER_SCRIPT_LINES_H
#define MULTIUSER_SCRIPT_LINES_H

#include "script.h"

/* The number of the class, which is added when it is a new one; -1 when there are too many. */
int script_class(struct script *script, const char *name);

/* Adds a line; returns 0, or -1 when there is no memory. */
int script_add(struct script *script, struct script_line line);

#endif
