/* Prints results.  Outputs are equal if their sizes and 64-bit hashes are (Fowler, Noll and Vo, FNV-1a). */
#include "ub.h"

#include "clock.h"
#include "report.h"

#define QUOTED    200 /* bytes of a line of the script */
#define FNV_BASIS 0xCBF29CE484222325ULL
#define FNV_PRIME 0x100000001B3ULL

/* Prints a meter; nothing if its value is unknown.  Six decimals are enough; counts have none. */
static void report_meter(const char *scope, const char *name, double value)
{
    if (value >= 0)
        ub_report_line("meter.%s%s|%.*f\n", scope, name, value == floor(value) ? 0 : 6, value);
}

static void report_usage(const char *scope, const struct usage *usage)
{
    for (int i = 0; i < USAGES; i++)
        report_meter(scope, usage_names[i], usage->of[i]);
}

static void report_meters(const struct run *run, const struct script *script)
{
    for (int i = 0; i < meters_count(); i++)
        report_meter("", meters_name(i), meters_value(i, &run->before, &run->after, &run->peak));
    report_usage("users.", &run->usage);
    report_meter("users.", "rss_most_kb", run->rss_most_kb);
    if (run->finished > 0) {
        report_usage("finished.", &run->usage_of_finished);
        report_meter("finished.", "lines", (double)run->finished * script->count);
    }
    report_meter("driver.", "cpu_s", run->driver_cpu_s);
}

static void report_responses(const struct run *run, int class_index, const char *name)
{
    const struct response_summary of = responses_summary(&run->responses, class_index);

    if (of.count > 0)
        ub_report_line("response.%s.|%zu|%.6f|%.6f|%.6f|%.6f|%.6f|%.6f\n", name, of.count, of.mean_s, of.p50_s,
                       of.p90_s, of.p95_s, of.p99_s, of.max_s);
}

/* Copies text to escaped.  Characters that would end a field or a line, and those that are not ASCII, become %XX. */
static void escape(char *escaped, size_t room, const char *text)
{
    size_t length = 0;

    for (const char *c = text; *c && c - text < QUOTED && length + 4 < room; c++)
        if (*c < ' ' || *c > '~' || *c == '%' || *c == '|')
            length += (size_t)snprintf(escaped + length, room - length, "%%%02X", (unsigned char)*c);
        else
            escaped[length++] = *c;
    escaped[length] = '\0';
}

static void report_error(int number, const struct user_error *error)
{
    const int users = error->run_users;
    char text[2 * QUOTED], run[40] = "";

    escape(text, sizeof text, error->line ? error->line->text : "");
    if (users > 0)
        snprintf(run, sizeof run, "with %d user%s: ", users, users == 1 ? "" : "s");
    ub_report_line("incident.%d.|%d|%d|%s%s|%s\n", number, error->user, error->line ? error->line->number : 0, run,
                   error->what, text);
}

void report_earlier(int users, int finished)
{
    ub_report_line("load.users_before|%d\nload.finished_before|%d\n", users, finished);
}

void report_run(const struct run *run, const struct user_errors *errors, const struct script *script)
{
    ub_report_line("load.users|%d\nload.finished|%d\n", run->users, run->finished);
    ub_report_line("load.lines|%ld\nload.incidents|%d\n", run->lines, errors->count);
    ub_report_line("load.late_s|%.6f\n", (double)run->late_ns / NS_PER_S);
    for (int i = 0; i < errors->count && i < ERRORS_KEPT; i++)
        report_error(i + 1, &errors->kept[i]);
    report_meters(run, script);
    report_responses(run, RESPONSES_ALL, "all");
    for (int i = 0; i < script->class_count; i++)
        report_responses(run, i, script->classes[i]);
}

void report_summary(const struct run *run)
{
    const struct response_summary all = responses_summary(&run->responses, RESPONSES_ALL);

    ub_report_line("trial.%d.|%ld|%.6f|%.6f|%.6f|%.6f\n", run->users, run->lines, (double)run->elapsed_ns / NS_PER_S,
                   all.mean_s, all.p50_s, all.p95_s);
}

void report_capacity(const struct search *search, double alone_p95_s, double limit)
{
    ub_report_line("capacity.users|%d\ncapacity.alone_p95_s|%.6f\n", search_users(search), alone_p95_s);
    ub_report_line("capacity.limit|%g\ncapacity.is_least|%d\n", limit, search_is_least(search));
}

/* Reports a score instead of a count: every pass has the same number of lines, so a count could not rank the passes. */
void report_score(double score, const char *unit, int64_t elapsed_ns)
{
    ub_report_line("COUNT|%.3f|0|%s\n", score, unit);
    ub_time((double)elapsed_ns / NS_PER_S);
}

/* The output of a user. */
struct output {
    uint64_t hash;
    long size, lines;
    int is_printed;
};

static FILE *open_output(const char *home, int number)
{
    char path[HOME_MAX];

    output_path(path, home, number);
    return fopen(path, "re");
}

static struct output read_output(const char *home, int number)
{
    struct output output = {.hash = FNV_BASIS};
    FILE *file = open_output(home, number);
    int last = '\n';

    if (!file)
        return output;
    for (int c; (c = getc(file)) != EOF; last = c) {
        output.hash = (output.hash ^ (uint64_t)c) * FNV_PRIME;
        output.size++;
        output.lines += c == '\n';
    }
    output.lines += last != '\n';
    fclose(file);
    return output;
}

static int is_equal(const struct output *one, const struct output *other)
{
    return one->hash == other->hash && one->size == other->size;
}

static int count_equal(const struct output *outputs, int first, int users)
{
    int count = 0;

    for (int i = first; i < users; i++)
        count += is_equal(&outputs[first], &outputs[i]);
    return count;
}

/* Prints the users, such as "1-3, 5", whose output equals the first one, and marks these as printed. */
static void print_users(struct output *outputs, int first, int users)
{
    const struct output output = outputs[first];

    for (int from = first, to; from < users; from = to + 1) {
        to = from;
        if (!is_equal(&output, &outputs[from]))
            continue;
        while (to + 1 < users && is_equal(&output, &outputs[to + 1]))
            to++;
        printf(to > from ? "%s%d-%d" : "%s%d", from == first ? "" : ", ", from + 1, to + 1);
        for (int i = from; i <= to; i++)
            outputs[i].is_printed = 1;
    }
}

static void print_output(const char *home, int number)
{
    FILE *file = open_output(home, number);
    int last = '\n';

    if (!file)
        return;
    for (int c; (c = getc(file)) != EOF && putchar(c) != EOF; last = c)
        continue;
    fclose(file);
    if (last != '\n')
        putchar('\n');
}

/*
 * If standard output is not read, printing waits until a signal interrupts it.  Then nothing more is printed, because
 * that would wait again.
 */
void report_outputs(const char *home, int users)
{
    struct output *outputs = calloc((size_t)users, sizeof *outputs);

    if (!outputs)
        return;
    for (int i = 0; i < users; i++)
        outputs[i] = read_output(home, i + 1);
    for (int i = 0; i < users && !ferror(stdout); i++) {
        if (outputs[i].is_printed)
            continue;
        printf(count_equal(outputs, i, users) > 1 ? "== users " : "== user ");
        print_users(outputs, i, users);
        printf(", %ld line%s ==\n", outputs[i].lines, outputs[i].lines == 1 ? "" : "s");
        print_output(home, i + 1);
    }
    if (!ferror(stdout))
        fflush(stdout);
    free(outputs);
}
