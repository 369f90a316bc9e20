/* Lines of a script may make what they like in their homes, also directories that may not be read. */
#include "homes.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_DIRS 16
#define ATTEMPTS  100 /* each opens one level more of directories that are closed */

void home_of(char path[HOME_MAX], const char *home, int number)
{
    snprintf(path, HOME_MAX, "%s/user%04d", home, number);
}

void output_of(char path[HOME_MAX], const char *home, int number)
{
    snprintf(path, HOME_MAX, "%s/user%04d.out", home, number);
}

const char *homes_make(void)
{
    static char path[HOME_MAX];
    const char *place = getenv("TMPDIR");

    snprintf(path, sizeof path, "%s/multiuser.XXXXXX", place && *place ? place : "/tmp");
    return mkdtemp(path);
}

static int has_opened; /* a directory, whose files can be removed the next time */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    if (remove(path) != 0 && (kind == FTW_DNR || kind == FTW_DP) && (status->st_mode & S_IRWXU) != S_IRWXU)
        has_opened |= chmod(path, S_IRWXU) == 0;
    return 0;
}

void homes_remove_tree(const char *path)
{
    has_opened = 1;
    for (int attempt = 0; attempt < ATTEMPTS && has_opened; attempt++) {
        has_opened = 0;
        nftw(path, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
    }
}

void homes_remove(const char *home, int users)
{
    char path[HOME_MAX];

    for (int number = 1; number <= users; number++) {
        home_of(path, home, number);
        homes_remove_tree(path);
        output_of(path, home, number);
        remove(path);
    }
}
