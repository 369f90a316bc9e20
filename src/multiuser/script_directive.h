/* What comments of a script say. */
#ifndef MULTIUSER_SCRIPT_DIRECTIVE_H
#define MULTIUSER_SCRIPT_DIRECTIVE_H

#include "script.h"

enum script_directive {
    DIRECTIVE_NONE, /* a comment for people */
    DIRECTIVE_CLASS,
    DIRECTIVE_EXTRACT,
    DIRECTIVE_WHOLE,
    DIRECTIVE_WRONG /* why says what is */
};

/* Takes a line that is a comment, and cuts it up; class_name is set for DIRECTIVE_CLASS. */
enum script_directive script_directive(char *line, const char **class_name, char why[SCRIPT_WHY_MAX]);

/*
 * Takes a command line, cuts off its comment about the status, and returns that: 0 without one, -1 and why when it is
 * wrong.
 */
int script_status(char *line, char why[SCRIPT_WHY_MAX]);

#endif
