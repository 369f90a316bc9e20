/* Words of the heads: kernel, date, durations. */
#include "report_words.h"

#include <string.h>
#include <time.h>

#include "clock.h"

const char *kernel_of(const struct report *report)
{
    int i;

    for (i = 0; i < report->fact_count; i++)
        if (strcmp(report->facts[i].name, "kernel") == 0)
            return report->facts[i].value;
    return "unknown";
}

void print_date(const struct report *report, const char *format, FILE *out)
{
    time_t started = (time_t)report->started_s;
    struct tm date;
    char text[64];

    if (localtime_r(&started, &date) && strftime(text, sizeof text, format, &date))
        fputs(text, out);
}

struct figure seconds_figure(int64_t ns)
{
    return figure_exact((double)ns / NS_PER_S, 3, NOT_KNOWN);
}
