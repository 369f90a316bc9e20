/* Prints the results as one JSON object. */
#include "report/report.h"

#include <string.h>
#include <time.h>

#include "clock.h"

/* Returns the length of the UTF-8 character that begins there, or 0 if there is none (RFC 3629, section 4). */
static int character_length(const unsigned char *text)
{
    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xc2 || text[0] > 0xf4)
        return 0;

    const int length = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;

    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

static void print_ascii(int character, FILE *out)
{
    if (character == '"' || character == '\\')
        fprintf(out, "\\%c", character);
    else if (character < 0x20 || character == 0x7f)
        fprintf(out, "\\u%04x", character);
    else
        putc(character, out);
}

/* Prints a string in its quotes, or null for NULL.  Bytes that are not UTF-8 become the text "\xff". */
static void print_text(const char *text, FILE *out)
{

    if (!text) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const int length = character_length(at);

        if (length == 0)
            fprintf(out, "\\\\x%02x", *at);
        else if (length == 1)
            print_ascii(*at, out);
        else
            fwrite(at, 1, (size_t)length, out);
        at += length ? length : 1;
    }
    putc('"', out);
}

#define SCHEMA 1

static void print_key(const char *key, FILE *out)
{
    print_text(key, out);
    fputs(": ", out);
}

static void print_string(const char *indent, const char *key, const char *text, FILE *out)
{
    fputs(indent, out);
    print_key(key, out);
    print_text(text, out);
    fputs(",\n", out);
}

static void print_number(const char *indent, const char *key, double value, int decimals, FILE *out)
{
    fputs(indent, out);
    print_key(key, out);
    fprintf(out, "%s,\n", figure_exact(value, decimals, "null").text);
}

static void print_truth(const char *indent, const char *key, int is_true, FILE *out)
{
    fputs(indent, out);
    print_key(key, out);
    fputs(is_true ? "true,\n" : "false,\n", out);
}

static void print_started(const struct report *report, FILE *out)
{
    const time_t started = (time_t)report->started_s;
    struct tm date;
    char text[64] = "";

    if (gmtime_r(&started, &date))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date);
    print_string("  ", "started", *text ? text : NULL, out);
}

static void print_facts(const struct report *report, FILE *out)
{
    fputs("  \"machine\": {", out);
    for (int i = 0; i < report->fact_count; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", out);
        print_key(report->facts[i].name, out);
        print_text(report->facts[i].value, out);
    }
    fputs("\n  },\n", out);
}

static const char *mode_name(const struct options *options)
{
    if (options->mode == MODE_CAPACITY)
        return "capacity";
    return options->mode == MODE_MIX ? "mix" : "matrix";
}

static void print_limits(const struct options *options, FILE *out)
{
    print_number("    ", "load_threads", options->load_threads > 0 ? options->load_threads : UNKNOWN, 0, out);
    print_number("    ", "max_disk_bytes", (double)options->max_disk_bytes, 0, out);
    print_number("    ", "max_memory_bytes",
                 options->max_memory_bytes > 0 ? (double)options->max_memory_bytes : UNKNOWN, 0, out);
    print_truth("    ", "swap", options->is_swap_allowed, out);
    print_string("    ", "load_command", options->load_command, out);
}

static void print_placing(const struct options *options, FILE *out)
{
    print_truth("    ", "pinned", options->is_pinned, out);
    print_number("    ", "pin_cpu", options->is_pinned ? options->pin_cpu : UNKNOWN, 0, out);
    print_truth("    ", "spread", options->is_spread, out);
    print_truth("    ", "waker", options->has_waker, out);
    print_truth("    ", "awake", options->is_awake, out);
    print_truth("    ", "separate_sessions", options->is_separate, out);
}

static void print_options(const struct options *options, FILE *out)
{
    fputs("  \"options\": {\n", out);
    print_string("    ", "mode", mode_name(options), out);
    print_number("    ", "duration_s", (double)options->duration_ns / NS_PER_S, 3, out);
    print_number("    ", "warmup_s", (double)options->warmup_ns / NS_PER_S, 3, out);
    print_string("    ", "policy", options->policy == POLICY_SKIP ? "skip" : "catchup", out);
    print_number("    ", "repeats", options->repeats, 0, out);
    print_number("    ", "copies", options->copies, 0, out);
    print_truth("    ", "fixed", options->is_fixed, out);
    print_string("    ", "burn", options->is_cpu_time ? "cputime" : "work", out);
    print_truth("    ", "real_time", options->is_real_time, out);
    fprintf(out, "    \"task_nice\": %d,\n    \"load_nice\": %d,\n", options->task_nice, options->load_nice);
    print_placing(options, out);
    print_limits(options, out);
    print_string("    ", "comment", options->comment, out);
    fprintf(out, "    \"seed\": %llu\n  },\n", (unsigned long long)options->seed);
}

static void print_left_out(const struct report *report, FILE *out)
{
    fputs("  \"left_out\": [", out);
    for (int i = 0; i < report->left_out_count; i++) {
        fputs(i > 0 ? ",\n    {\"load\": " : "\n    {\"load\": ", out);
        print_text(report->left_out[i].load->name, out);
        fputs(", \"why\": ", out);
        print_text(report->left_out[i].why, out);
        putc('}', out);
    }
    fputs("],\n", out);
}

static int is_of_group(const struct value *value, const char *group)
{
    return value->group && group && strcmp(value->group, group) == 0;
}

static void print_value_key(const char *name, const char *unit, FILE *out)
{
    fprintf(out, ",\n      \"%s%s%s\": ", name, unit ? "_" : "", unit ? unit : "");
}

/* Prints the values of one group as an object; returns the value after them. */
static const struct value *print_group(const struct report *report, const struct row *row, const struct value *value,
                                       FILE *out)
{
    const char *group = value->group, *separator = "{";

    print_value_key(group, value->unit, out);
    for (; is_of_group(value, group); value++) {
        fprintf(out, "%s\"%s\": %s", separator, value->name,
                figure_exact(value->of(report->options, row), value->decimals, "null").text);
        separator = ", ";
    }
    putc('}', out);
    return value;
}

static const struct value *print_single(const struct report *report, const struct row *row, const struct value *value,
                                        FILE *out)
{
    print_value_key(value->name, value->unit, out);
    fputs(figure_exact(value->of(report->options, row), value->decimals, "null").text, out);
    return value + 1;
}

static void print_row(const struct report *report, const struct row *row, FILE *out)
{
    const struct value *value = row_values;

    fputs("    {\n      \"task\": ", out);
    print_text(row->task->name, out);
    fputs(",\n      \"load\": ", out);
    print_text(row->load->name, out);
    while (value->name)
        value = value->group ? print_group(report, row, value, out) : print_single(report, row, value, out);
    fprintf(out, ",\n      \"noisy\": %s\n    }", row_is_noisy(row) ? "true" : "false");
}

static void print_rows(const struct report *report, FILE *out)
{
    fputs("  \"rows\": [", out);
    for (int i = 0; i < report->row_count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        print_row(report, &report->rows[i], out);
    }
    fputs("\n  ]\n", out);
}

/* Prints the run: all but the results. */
static void print_run(const struct report *report, FILE *out)
{
    fprintf(out, "{\n  \"program\": \"interbench\",\n  \"schema\": %d,\n", SCHEMA);
    print_started(report, out);
    print_facts(report, out);
    print_options(report->options, out);
    print_number("  ", "loops_per_ms", (double)report->loops_per_ms, 0, out);
    print_number("  ", "calibration_spread", report->calibration_spread, 5, out);
    print_number("  ", "cpus", report->cpu_count, 0, out);
    print_string("  ", "missing_privileges", report->missing_privileges ? report->missing_privileges : "", out);
    print_left_out(report, out);
    print_string("  ", "trouble", report->error, out);
}

void report_print_json(const struct report *report, FILE *out)
{
    const int is_mix = report->options->mode == MODE_MIX;

    print_run(report, out);
    print_number("  ", "responsiveness_wps", is_mix ? report_responsiveness(report) : UNKNOWN, 3, out);
    print_rows(report, out);
    fputs("}\n", out);
}

void report_print_capacity_json(const struct report *report, const struct capacity *capacity, FILE *out)
{
    print_run(report, out);
    print_number("  ", "capacity_fps", capacity->fps, 3, out);
    print_truth("  ", "is_limited", capacity->is_limited, out);
    fputs("  \"trials\": [", out);
    for (int i = 0; i < capacity->trial_count; i++) {
        const struct trial *trial = &capacity->trials[i];

        fprintf(out, "%s\n    {\"streams\": %d, \"on_time_percent\": %s}", i > 0 ? "," : "", trial->streams,
                figure_exact(trial->on_time, 4, "null").text);
    }
    fputs("\n  ]\n}\n", out);
}
