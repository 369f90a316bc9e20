/* The gate and the lines are those of the other measured programs. */
#include "../ub.h"

#include "clock.h"
#include "protocol.h"

#define TEXT_MAX 200 /* of a line of the script that is quoted */

void misused(const char *format, ...)
{
    char message[WHY_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ub_error(2, "%s", message);
}

void failed(const char *format, ...)
{
    char message[2 * WHY_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ub_error(1, "%s", message);
}

void protocol_wait(void)
{
    ub_gate();
}

/* Microseconds are the last digits that tell something; counts have none behind the point. */
static void say_number(const char *scope, const char *name, double value)
{
    if (value >= 0)
        ub_say("meter.%s%s|%.*f\n", scope, name, value == floor(value) ? 0 : 6, value);
}

static void say_usage(const char *scope, const struct usage *usage)
{
    say_number(scope, "cpu_user_s", usage->cpu_user_s);
    say_number(scope, "cpu_system_s", usage->cpu_system_s);
    say_number(scope, "faults_minor", usage->faults_minor);
    say_number(scope, "faults_major", usage->faults_major);
    say_number(scope, "switches_voluntary", usage->switches_voluntary);
    say_number(scope, "switches_forced", usage->switches_forced);
}

static void say_meters(const struct load *load, const struct script *script)
{
    for (int i = 0; i < meters_count(); i++)
        say_number("", meters_name(i), meters_value(i, &load->before, &load->after, &load->most));
    say_usage("users.", &load->usage);
    say_number("users.", "rss_most_kb", load->rss_most_kb);
    if (load->finished > 0) {
        say_usage("finished.", &load->usage_of_finished);
        say_number("finished.", "lines", (double)load->finished * script->count);
    }
    say_number("driver.", "cpu_s", load->driver_cpu_s);
}

static void say_responses(const struct load *load, int class_index, const char *name)
{
    const struct response_summary of = responses_of(&load->responses, class_index);

    if (of.count > 0)
        ub_say("response.%s.|%zu|%.6f|%.6f|%.6f|%.6f|%.6f|%.6f\n", name, of.count, of.mean_s, of.p50_s, of.p90_s,
               of.p95_s, of.p99_s, of.max_s);
}

/* What would end a field or a line, or is no plain text, as %XX. */
static void escape(char *escaped, size_t room, const char *text)
{
    size_t length = 0;

    for (const char *c = text; *c && c - text < TEXT_MAX && length + 4 < room; c++)
        if (*c < ' ' || *c > '~' || *c == '%' || *c == '|')
            length += (size_t)snprintf(escaped + length, room - length, "%%%02X", (unsigned char)*c);
        else
            escaped[length++] = *c;
    escaped[length] = '\0';
}

static void say_incident(int number, const struct incident *incident)
{
    const int users = incident->users;
    char text[400], load[40] = "";

    escape(text, sizeof text, incident->line ? incident->line->text : "");
    if (users > 0)
        snprintf(load, sizeof load, "with %d user%s: ", users, users == 1 ? "" : "s");
    ub_say("incident.%d.|%d|%d|%s%s|%s\n", number, incident->user, incident->line ? incident->line->number : 0, load,
           incident->what, text);
}

void protocol_before(int users, int finished)
{
    ub_say("load.users_before|%d\nload.finished_before|%d\n", users, finished);
}

void protocol_load(const struct load *load, const struct incidents *incidents, const struct script *script)
{
    ub_say("load.users|%d\nload.finished|%d\n", load->users, load->finished);
    ub_say("load.lines|%ld\nload.incidents|%d\n", load->lines, incidents->count);
    for (int i = 0; i < incidents->count && i < INCIDENTS_KEPT; i++)
        say_incident(i + 1, &incidents->kept[i]);
    say_meters(load, script);
    say_responses(load, RESPONSES_ALL, "all");
    for (int i = 0; i < script->class_count; i++)
        say_responses(load, i, script->classes[i]);
}

void protocol_trial(const struct load *load)
{
    const struct response_summary all = responses_of(&load->responses, RESPONSES_ALL);

    ub_say("trial.%d.|%ld|%.6f|%.6f|%.6f|%.6f\n", load->users, load->lines, (double)load->elapsed_ns / NS_PER_S,
           all.mean_s, all.p50_s, all.p95_s);
}

void protocol_capacity(int users, double alone_p95_s, double limit, int is_least)
{
    ub_say("capacity.users|%d\ncapacity.alone_p95_s|%.6f\n", users, alone_p95_s);
    ub_say("capacity.limit|%g\ncapacity.is_least|%d\n", limit, is_least);
}

/* A score, no count: as many lines in each pass would leave nothing to choose the worst third by. */
void protocol_score(double score, const char *unit, int64_t elapsed_ns)
{
    ub_say("COUNT|%.3f|0|%s\n", score, unit);
    ub_time((double)elapsed_ns / NS_PER_S);
}
