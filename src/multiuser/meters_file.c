/* Files of /proc and of control groups that are kept open. */
#include "meters_file.h"

void meters_file_open(struct meters_sources *sources, enum meters_files file, const char *path)
{
    sources->fds[file] = proc_open(&sources->reader, "%s", path);
}

const char *meters_file_text(struct meters_sources *sources, enum meters_files file)
{
    return proc_text(&sources->reader, sources->fds[file]);
}
