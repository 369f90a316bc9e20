/* Children are found in /proc; where that is not, strays have become children of init. */
#include "strays.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "proc.h"

void strays_adopt(void)
{
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

static int is_child(pid_t pid)
{
    char state;
    pid_t parent;

    return proc_process(pid, &state, &parent) == 0 && parent == getpid();
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

        if (pid <= 0 || pid == spared || !is_child(pid))
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
