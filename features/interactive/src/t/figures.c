/* figures KIND SIZE VALUE...: prints each value as text; KIND is digits, us, ms, percent, exact or legacy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static struct figure figure_of(const char *kind, int size, double value)
{
    if (strcmp(kind, "us") == 0)
        return figure_us(value);
    if (strcmp(kind, "ms") == 0)
        return figure_ms(value);
    if (strcmp(kind, "percent") == 0)
        return figure_percent(value);
    if (strcmp(kind, "exact") == 0)
        return figure_exact(value, size, "unknown");
    if (strcmp(kind, "legacy") == 0)
        return figure_legacy(value, size);
    return figure_digits(value);
}

/* Returns a number, or the quotient of two, as in "188/300". */
static double number(const char *text)
{
    char *end;
    double value = strtod(text, &end);

    return *end == '/' ? part_of(value, strtod(end + 1, NULL)) : value;
}

int main(int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        puts(figure_of(argv[1], atoi(argv[2]), number(argv[i])).text);
    return 0;
}
