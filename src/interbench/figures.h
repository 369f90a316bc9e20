/* Numbers as text, for people and for programs.  What is negative or no number is not known. */
#ifndef INTERBENCH_FIGURES_H
#define INTERBENCH_FIGURES_H

#include <stdint.h>

#define NOT_KNOWN "\u2013"

struct figure {
    char text[40];
};

/* Three significant digits without an exponent: 12300, 12.3, 0.123, "<0.001" below that, 0. */
struct figure figure_digits(double value);

/* The same, of nanoseconds in microseconds, milliseconds or seconds. */
struct figure figure_us(double ns);
struct figure figure_ms(double ns);
struct figure figure_s(double ns);

/* The same, of parts of 1 in percent; 100 only where it is at least all. */
struct figure figure_percent(double part);

/* A whole number. */
struct figure figure_count(int64_t count);

/* For programs: at most so many decimals, without zeros at their end; what is not known as that text. */
struct figure figure_exact(double value, int decimals, const char *not_known);

/* part in whole, in parts of 1; negative without a whole. */
double part_of(double part, double whole);

#endif
