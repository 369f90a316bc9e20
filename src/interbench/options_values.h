/* Values of options, read strictly: the whole word, nothing before or behind it, nothing out of range. */
#ifndef INTERBENCH_OPTIONS_VALUES_H
#define INTERBENCH_OPTIONS_VALUES_H

#include <stdint.h>

/* Each returns whether the word is such a value, and leaves it in value. */

/* Decimal digits, behind a minus where the number is negative. */
int read_integer(const char *word, int64_t *value);

/* Decimal digits: 0 .. 2^64 - 1. */
int read_unsigned(const char *word, uint64_t *value);

/* Seconds with up to nine decimals, as nanoseconds; no rounding. */
int read_seconds(const char *word, int64_t *value_ns);

/* Bytes, or with K, M, G, T behind the number that many times 2^10, 2^20, 2^30, 2^40. */
int read_size(const char *word, int64_t *value);

#endif
