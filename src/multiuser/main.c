/*
 * multiuser [options]: users with shells of their own who think, write a line of the script, and wait for the answer.
 * It says how many lines a minute all got done, what that cost the machine, and how long the answers took; or, with
 * --find-capacity, how many users there can be.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "events.h"
#include "far.h"
#include "guardian.h"
#include "homes.h"
#include "leave.h"
#include "options.h"
#include "protocol.h"
#include "script.h"
#include "strays.h"
#include "trials.h"

#define DESCRIPTORS     (USERS_MAX + 100) /* each user takes one */
#define SCRIPT_SIZE_MAX (64L * 1024 * 1024)

/* The script's text, with room for one byte more. */
static char *text_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "re");
    struct stat status;
    char *text;

    if (!file || fstat(fileno(file), &status) != 0)
        failed("can't read %.100s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode) || status.st_size > SCRIPT_SIZE_MAX)
        failed("%.100s is no script: a file of at most 64 MB is one", path);
    text = malloc((size_t)status.st_size + 1);
    if (!text)
        failed("no memory for %.100s", path);
    *size = fread(text, 1, (size_t)status.st_size, file);
    if (ferror(file))
        failed("can't read %.100s: %s", path, strerror(errno));
    fclose(file);
    return text;
}

static void begin(struct options *options)
{
    static char home[PATH_MAX];
    char why[WHY_MAX];
    int error;

    if (access(options->shell, X_OK) != 0)
        failed("can't run %.100s: %s", options->shell, strerror(errno));
    if (options->home && !(options->home = realpath(options->home, home)))
        failed("can't use the directory for the users: %s", strerror(errno));
    if (options->home && strlen(home) > HOME_MAX - 100)
        failed("the name of the directory for the users is too long");
    protocol_wait();
    if (!options->home) {
        options->home = homes_make();
        if (!options->home)
            failed("can't make a directory for the users: %s", strerror(errno));
        leave_no_trace(options->home);
    }
    far_claim(DESCRIPTORS);
    error = guardian_start();
    if (error) {
        snprintf(why, sizeof why, "can't start the process that cleans up: %s", strerror(error));
        leave(why);
    }
    events_begin();
    strays_adopt();
}

int main(int argc, char **argv)
{
    struct options options;
    struct script script;
    struct meters_sources sources;
    struct stage stage = {.options = &options, .script = &script, .sources = &sources};
    char why[SCRIPT_WHY_MAX];
    size_t size;
    char *text;

    descriptors_open_standard();
    options_read(&options, argc, argv);
    text = text_of(options.script, &size);
    if (script_parse(&script, text, size, why) != 0)
        failed("%.100s: %s", options.script, why);
    if (options.is_extract)
        script_extract(&script);
    begin(&options);
    meters_open(&sources, "");
    stage.home = options.home;
    if (options.is_capacity)
        trials_search(&stage);
    else
        trials_play(&stage);
    meters_close(&sources);
    clean_up();
    script_end(&script);
    free(text);
    return 0;
}
