/* Children are found in /proc; where that is not, strays have become children of init. */
#include "strays.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

void strays_adopt(void)
{
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

/* Its parent stands behind the name, which is in brackets and may hold anything, and the state. */
static pid_t parent_of(const char *pid)
{
    char path[300], line[512], *name_end;
    FILE *file;
    size_t length;
    int parent;

    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    file = fopen(path, "re");
    if (!file)
        return 0;
    length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    name_end = strrchr(line, ')');
    return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Kills the children of this program and waits for them; returns how many there were. */
static int end_children(pid_t spared)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    int count = 0;

    if (!processes)
        return 0;
    while ((entry = readdir(processes))) {
        const pid_t pid = (pid_t)atoi(entry->d_name);

        if (pid <= 0 || pid == spared || parent_of(entry->d_name) != getpid())
            continue;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        count++;
    }
    closedir(processes);
    return count;
}

/* The children of one that is killed become ours in their turn. */
void strays_end(pid_t spared)
{
    while (end_children(spared) > 0)
        continue;
}
