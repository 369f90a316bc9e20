/* Processes that left their user's group.  On Linux they become children of this program when their parent ends. */
#ifndef MULTIUSER_STRAYS_H
#define MULTIUSER_STRAYS_H

#include <sys/types.h>

/* From now on this program inherits them. */
void strays_adopt(void);

/* When all users have gone: kills those that are left, but not that one, and waits for them. */
void strays_end(pid_t spared);

#endif
