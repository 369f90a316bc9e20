/* Short text files of the kernel, below a root. */
#ifndef INTERBENCH_MACHINE_FILES_H
#define INTERBENCH_MACHINE_FILES_H

#include <stddef.h>

#define FILE_TEXT_MAX 16384

struct place {
    const char *root; /* "" is the real one */
    char text[FILE_TEXT_MAX]; /* what was read last */
};

/* Reads the beginning of the file of that path into the place's text, without blanks at its end; 0 when it can't. */
__attribute__((format(printf, 2, 3)))
int place_read(struct place *place, const char *format, ...);

/* The first line of it only; 0 too when that is empty. */
__attribute__((format(printf, 2, 3)))
int place_read_line(struct place *place, const char *format, ...);

/*
 * Leaves of a file, however long, the rest of the first line that begins with key, behind the blanks, '=' and ':' that
 * follow; 0 without such a line.
 */
int place_find(struct place *place, const char *path, const char *key);

/* Cuts "a [b] c" down to "b", with whatever brackets; 0 where there are none. */
int keep_between(char *text, char open, char close);

#endif
