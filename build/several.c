/*
 * Several programs in one file, each under a name of its own (a hard link).  The file calls the function main of the
 * program by whose name it was started.  A static release has one copy of the C library in that way, not twenty.
 * several.h, which build/static.sh writes, has a line PROGRAM("NAME", FUNCTION) for each program.  The exit status is
 * that of the program, or 2 if there is none of that name.
 */
#include <stdio.h>
#include <string.h>

#define PROGRAM(name, function) int function(int argc, char **argv);
#include "several.h"
#undef PROGRAM

#define PROGRAM(name, function) {name, function},
static const struct {
    const char *name;
    int (*function)(int argc, char **argv);
} programs[] = {
#include "several.h"
};

int main(int argc, char **argv)
{
    const char *path = argc > 0 ? argv[0] : "", *slash = strrchr(path, '/');

    for (size_t number = 0; number < sizeof programs / sizeof *programs; number++)
        if (strcmp(slash ? slash + 1 : path, programs[number].name) == 0)
            return programs[number].function(argc, argv);
    fprintf(stderr, "ERROR|%.300s: this file contains several programs; give it the name of one, for example %s\n",
            path, programs[0].name);
    return 2;
}
