/* Numbers as text. */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define LEAST_SHOWN 0.001
#define MOST_SHOWN  1e18

static int is_known(double value)
{
    return isfinite(value) && value >= 0;
}

static struct figure figure_text(const char *text)
{
    struct figure figure;

    snprintf(figure.text, sizeof figure.text, "%s", text);
    return figure;
}

struct figure figure_digits(double value)
{
    struct figure figure;
    int exponent, decimals;

    if (!is_known(value) || value >= MOST_SHOWN)
        return figure_text(NOT_KNOWN);
    if (value == 0)
        return figure_text("0");
    if (value < LEAST_SHOWN)
        return figure_text("<0.001");
    snprintf(figure.text, sizeof figure.text, "%.2e", value);
    value = strtod(figure.text, NULL);
    exponent = atoi(strchr(figure.text, 'e') + 1);
    decimals = exponent < 2 ? 2 - exponent : 0;
    snprintf(figure.text, sizeof figure.text, "%.*f", decimals, value);
    return figure;
}

struct figure figure_us(double ns)
{
    return figure_digits(ns / NS_PER_US);
}

struct figure figure_ms(double ns)
{
    return figure_digits(ns / NS_PER_MS);
}

struct figure figure_s(double ns)
{
    return figure_digits(ns / NS_PER_S);
}

struct figure figure_percent(double part)
{
    if (part == 1)
        return figure_text("100");
    if (part < 1 && part >= 0.9995)
        return figure_text("99.9");
    return figure_digits(100 * part);
}

struct figure figure_count(int64_t count)
{
    struct figure figure;

    snprintf(figure.text, sizeof figure.text, "%lld", (long long)count);
    return figure;
}

static void cut_zeros(char *text)
{
    char *end = text + strlen(text);

    if (!strchr(text, '.'))
        return;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    *end = '\0';
}

struct figure figure_exact(double value, int decimals, const char *not_known)
{
    struct figure figure;

    if (!is_known(value) || value >= MOST_SHOWN)
        return figure_text(not_known);
    snprintf(figure.text, sizeof figure.text, "%.*f", decimals, value);
    cut_zeros(figure.text);
    return figure;
}

double part_of(double part, double whole)
{
    return whole > 0 ? part / whole : -1;
}
