/* The log is named after the kernel and grows, as it always has. */
#include "outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "figures.h"
#include "message.h"
#include "report.h"

static FILE *open_file(const char *path)
{
    FILE *file = path ? fopen(path, "we") : NULL;

    if (path && !file)
        fail(STATUS_WRONG_PLACE, "cannot write %s: %s", path, strerror(errno));
    return file;
}

static int is_own_file(int file)
{
    struct stat found;

    return fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_nlink == 1 && found.st_uid == geteuid();
}

/*
 * The name of the log is known beforehand.  In a directory where others may write, it could be a link or a second name,
 * so that a file of this user would be changed, or a pipe that keeps this program waiting.
 */
static FILE *open_log(void)
{
    struct utsname machine;
    char path[sizeof machine.release + 8];
    FILE *log;
    int file;

    uname(&machine);
    snprintf(path, sizeof path, "%s.log", machine.release);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (file < 0 && errno != ELOOP && errno != ENXIO) {
        notice("cannot write %s here: %s; it goes on without a log (-c)", path, strerror(errno));
        return NULL;
    }
    if (file < 0 || !is_own_file(file))
        fail(STATUS_WRONG_PLACE, "%s is not a plain file of this user with one name; remove it, or use -c for no log",
             path);
    log = fdopen(file, "a");
    if (!log)
        fail(STATUS_WRONG_PLACE, "cannot write %s: %s", path, strerror(errno));
    return log;
}

void outputs_open(struct outputs *outputs, const struct options *options)
{
    *outputs = (struct outputs){.options = options};
    outputs->json = open_file(options->json_path);
    outputs->csv = open_file(options->csv_path);
    if (options->raw_path)
        raw_file_begin(&outputs->raw, open_file(options->raw_path));
    if (!options->is_console_only)
        outputs->log = open_log();
}

static void print_text(const struct outputs *outputs, const struct report *report, FILE *out)
{
    if (outputs->options->is_legacy) {
        report_print_legacy(report, out);
    } else {
        report_print_head(report, out);
        report_print_table(report, out);
    }
    if (outputs->options->is_histogram)
        report_print_histograms(report, out);
}

void outputs_write(struct outputs *outputs, const struct report *report)
{
    print_text(outputs, report, stdout);
    if (outputs->log)
        print_text(outputs, report, outputs->log);
    if (outputs->json)
        report_print_json(report, outputs->json);
    if (outputs->csv)
        report_print_csv(report, outputs->csv);
    if (outputs->options->is_protocol)
        report_print_protocol(report, stderr);
}

static void print_capacity(const struct report *report, const struct capacity *capacity, FILE *out)
{
    report_print_head(report, out);
    fprintf(out, "Streams of 60 frames a second, 2 ms of the reference machine each, under Burn\n\n");
    fprintf(out, "%9s  %9s\n", "streams", "on time %");
    for (int i = 0; i < capacity->trial_count; i++)
        fprintf(out, "%9d  %9s\n", capacity->trials[i].streams,
                figure_exact(capacity->trials[i].on_time, 2, "-").text);
    if (capacity->fps >= 0)
        fprintf(out, "\nInteractive capacity: %s%.1f fps\n", capacity->is_limited ? "at least " : "", capacity->fps);
}

void outputs_write_capacity(struct outputs *outputs, const struct report *report, const struct capacity *capacity)
{
    print_capacity(report, capacity, stdout);
    if (outputs->log)
        print_capacity(report, capacity, outputs->log);
    if (outputs->json)
        report_print_capacity_json(report, capacity, outputs->json);
    if (outputs->options->is_protocol)
        report_print_protocol(report, stderr);
}

static int close_file(FILE *file)
{
    if (!file)
        return 0;
    const int has_failed = ferror(file);

    return (fclose(file) != 0) | has_failed;
}

enum status outputs_close(struct outputs *outputs)
{
    const int is_out_lost = fflush(stdout) != 0 || ferror(stdout);
    const int is_lost = close_file(outputs->json) | close_file(outputs->csv) | close_file(outputs->raw.out)
                        | close_file(outputs->log) | is_out_lost;

    if (!is_lost)
        return STATUS_DONE;
    complain("not all results could be written: %s", strerror(errno));
    return STATUS_WRONG_PLACE;
}
