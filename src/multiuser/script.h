/*
 * The script that all users play: command lines of the shell, with comments that say more about them.
 *
 *   #= class NAME    the class of the lines from here on, "other" without one
 *   #= extract       lines from here on belong to the extract, too
 *   #= whole         lines from here on do not
 *   LINE #= status N the line ends with that exit status, not 0
 */
#ifndef MULTIUSER_SCRIPT_H
#define MULTIUSER_SCRIPT_H

#include <stddef.h>

#define SCRIPT_LINE_MAX    4000   /* bytes */
#define SCRIPT_LINES_MAX   100000
#define SCRIPT_CLASSES_MAX 32
#define SCRIPT_EXTRACT     40     /* lines of the extract where none is marked */
#define SCRIPT_WHY_MAX     200

struct script_line {
    int number;       /* in the file, from 1 */
    const char *text; /* without the comment that gives the status */
    int status;       /* that the line is to end with */
    int class_index;
    int is_extract;
};

struct script {
    struct script_line *lines;
    int count, room;
    const char *classes[SCRIPT_CLASSES_MAX]; /* in the order of their first lines */
    int class_count;
};

/*
 * Takes the file's text of that many bytes, behind which there is room for one more; the text is changed, and has to
 * live as long as the script.  Returns 0, or -1 with nothing to free, and in why a line such as "line 12 is longer
 * than 4000 bytes".
 */
int script_parse(struct script *script, char *text, size_t size, char why[SCRIPT_WHY_MAX]);

/* Leaves only the lines of the extract: those that are marked, or the first forty; and their classes. */
void script_extract(struct script *script);

/* Frees the lines. */
void script_end(struct script *script);

#endif
