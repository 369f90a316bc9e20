/*
 * The script that every user runs, and the time that a user thinks before each line.  The script has command lines of
 * the shell, and comments that describe the lines:
 *
 *   #= class NAME    the class of the lines that follow, "other" by default
 *   #= extract       the lines that follow belong to the extract
 *   #= whole         the lines that follow do not
 *   LINE #= status N the line ends with exit status N, not 0
 */
#ifndef MULTIUSER_SCRIPT_H
#define MULTIUSER_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#define SCRIPT_LINE_MAX    4000 /* bytes */
#define SCRIPT_LINES_MAX   100000
#define SCRIPT_CLASSES_MAX 32
#define SCRIPT_EXTRACT     40 /* lines of the extract if no line is marked */
#define SCRIPT_WHY_MAX     200

struct script_line {
    int number;       /* in the file, from 1 */
    const char *text; /* without the comment about the status */
    int status;       /* the exit status that the line is to have */
    int class_index;
    int is_extract;
};

struct script {
    struct script_line *lines;
    int count;
    const char *classes[SCRIPT_CLASSES_MAX]; /* in the order of their first lines */
    int class_count;
};

/*
 * Takes the text of the file, with room for one more byte after it, and its size.  The text is changed, and must live
 * as long as the script.  Returns 0, or -1 with nothing to free, and in why an error such as "line 12 is longer than
 * 4000 bytes".
 */
int script_parse(struct script *script, char *text, size_t size, char why[SCRIPT_WHY_MAX]);

/* Removes all lines and classes except those of the extract.  These are the marked lines, or else the first forty. */
void script_extract(struct script *script);

/* Frees the lines. */
void script_end(struct script *script);

/* Users think for times that are drawn uniformly from a range. */
struct think_time {
    double min_s, max_s;
    uint64_t seed;
};

/* Returns how long a user thinks before the line at that place, in nanoseconds.  User and place count from 0. */
int64_t think_time_ns(const struct think_time *think, int user, int place);

#endif
