/* Writes the reports to standard output and the log. */
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static FILE *the_log; /* or NULL */

static int is_own_file(int file)
{
    struct stat found;

    return fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_nlink == 1 && found.st_uid == geteuid();
}

/*
 * Opens the log for appending, and announces its name, which is that of the kernel's release.  Returns NULL if the log
 * cannot be written here.  Other users know the name, and may have write access to the directory.  With a link or a
 * second name they could have another file of this user changed.  With a pipe they could make this program wait.  So
 * the program ends if the log is not a regular file.
 */
static FILE *open_log(void)
{
    struct utsname machine;
    char path[sizeof machine.release + 8];

    uname(&machine);
    snprintf(path, sizeof path, "%s.log", machine.release);

    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);

    if (file < 0 && errno != ELOOP && errno != ENXIO) {
        notice("can't write the log %s: %s; the run continues without a log, as with -c", path, strerror(errno));
        return NULL;
    }
    if (file < 0 || !is_own_file(file))
        fail(STATUS_IMPOSSIBLE_HERE, "%s is not a regular file of this user with a single name; remove it, or use -c to"
             " write no log", path);

    FILE *log = fdopen(file, "a");

    if (!log)
        fail(STATUS_IMPOSSIBLE_HERE, "can't write %s: %s", path, strerror(errno));
    notice("the report is appended to %s; -c writes no log", path);
    return log;
}

void outputs_open(int is_console_only)
{
    the_log = is_console_only ? NULL : open_log();
}

static void print_text(const struct report *report, FILE *out)
{
    if (report->capacity) {
        report_print_capacity(report, out);
    } else if (report->options->is_legacy) {
        report_print_legacy(report, out);
    } else {
        report_print_head(report, out);
        report_print_table(report, out);
    }
}

void outputs_write(const struct report *report)
{
    print_text(report, stdout);
    if (the_log)
        print_text(report, the_log);
    if (report->options->is_protocol)
        report_print_protocol(report, stderr);
}

enum status outputs_close(void)
{
    const int is_out_lost = fflush(stdout) != 0 || ferror(stdout);
    const int is_log_lost = the_log && ferror(the_log);
    const int is_log_open = the_log && fclose(the_log) != 0;

    if (!is_out_lost && !is_log_lost && !is_log_open)
        return STATUS_DONE;
    complain("not all results could be written: %s", strerror(errno));
    return STATUS_IMPOSSIBLE_HERE;
}
