/* Lines of a script, and the classes that they are of. */
#include "script_lines.h"

#include <stdlib.h>
#include <string.h>

int script_class(struct script *script, const char *name)
{
    for (int i = 0; i < script->class_count; i++)
        if (strcmp(script->classes[i], name) == 0)
            return i;
    if (script->class_count == SCRIPT_CLASSES_MAX)
        return -1;
    script->classes[script->class_count] = name;
    return script->class_count++;
}

/* Makes room for one more. */
static int has_room(struct script *script)
{
    const int room = script->room ? 2 * script->room : 256;
    struct script_line *lines;

    if (script->count < script->room)
        return 1;
    lines = realloc(script->lines, (size_t)room * sizeof *lines);
    if (!lines)
        return 0;
    script->lines = lines;
    script->room = room;
    return 1;
}

int script_add(struct script *script, struct script_line line)
{
    if (!has_room(script))
        return -1;
    script->lines[script->count++] = line;
    return 0;
}

void script_extract(struct script *script)
{
    const int count = script->count;
    const char *classes[SCRIPT_CLASSES_MAX];

    memcpy(classes, script->classes, sizeof classes);
    script->count = script->class_count = 0;
    for (int i = 0; i < count; i++) {
        struct script_line line = script->lines[i];

        if (!line.is_extract)
            continue;
        line.class_index = script_class(script, classes[line.class_index]);
        script->lines[script->count++] = line;
    }
}

void script_end(struct script *script)
{
    free(script->lines);
    *script = (struct script){.lines = NULL};
}
