/*
 * script FILE [extract]: prints NUMBER|STATUS|CLASS|IS_EXTRACT|TEXT of each line, and the classes, or else the error.
 */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the text of a file.  It has room for only one more byte, so that sanitizers notice if more is read. */
static char *text_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long length;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0)
        exit(2);
    rewind(file);
    text = malloc((size_t)length + 1);
    if (!text || fread(text, 1, (size_t)length, file) != (size_t)length)
        exit(2);
    fclose(file);
    *size = (size_t)length;
    return text;
}

static void print(const struct script *script)
{
    for (int i = 0; i < script->count; i++) {
        const struct script_line *line = &script->lines[i];

        printf("%d|%d|%s|%d|%s\n", line->number, line->status, script->classes[line->class_index], line->is_extract,
               line->text);
    }
    printf("classes:");
    for (int i = 0; i < script->class_count; i++)
        printf(" %s", script->classes[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct script script;
    char why[SCRIPT_WHY_MAX], *text;
    size_t size;

    if (argc < 2)
        return 1;
    text = text_of(argv[1], &size);
    if (script_parse(&script, text, size, why) != 0)
        printf("wrong: %s\n", why);
    else {
        if (argc > 2)
            script_extract(&script);
        print(&script);
        script_end(&script);
    }
    free(text);
    return 0;
}
