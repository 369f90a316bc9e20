/* Numbers by hand: strtol and its kin take blanks, signs, hexadecimal and what is too large. */
#include "options_values.h"

#include <string.h>

#include "clock.h"

#define DECIMALS 9

/* Reads digits up to what is none; returns their number, or -1 when the value is too large. */
static int read_digits(const char *word, uint64_t *value)
{
    int count = 0;

    for (*value = 0; word[count] >= '0' && word[count] <= '9'; count++)
        if (__builtin_mul_overflow(*value, 10u, value)
            || __builtin_add_overflow(*value, (uint64_t)(word[count] - '0'), value))
            return -1;
    return count;
}

int read_unsigned(const char *word, uint64_t *value)
{
    int count = read_digits(word, value);

    return count > 0 && word[count] == '\0';
}

int read_integer(const char *word, int64_t *value)
{
    int is_negative = word[0] == '-';
    uint64_t size;

    if (!read_unsigned(word + is_negative, &size) || size > INT64_MAX)
        return 0;
    *value = is_negative ? -(int64_t)size : (int64_t)size;
    return 1;
}

/* What stands behind the point, in nanoseconds. */
static int read_fraction(const char *word, uint64_t *value_ns)
{
    int count = read_digits(word, value_ns);

    if (count < 1 || count > DECIMALS || word[count] != '\0')
        return 0;
    for (; count < DECIMALS; count++)
        *value_ns *= 10;
    return 1;
}

int read_seconds(const char *word, int64_t *value_ns)
{
    uint64_t whole, fraction = 0;
    int count = read_digits(word, &whole);

    if (count < 1 || (word[count] != '\0' && word[count] != '.'))
        return 0;
    if (word[count] == '.' && !read_fraction(word + count + 1, &fraction))
        return 0;
    return whole <= INT64_MAX && !__builtin_mul_overflow((int64_t)whole, NS_PER_S, value_ns)
           && !__builtin_add_overflow(*value_ns, (int64_t)fraction, value_ns);
}

/* How often a suffix doubles the number, or -1. */
static int doublings(const char *suffix)
{
    static const char letters[] = "KMGT";
    const char *place;

    if (suffix[0] == '\0')
        return 0;
    place = strchr(letters, suffix[0] & ~('a' - 'A'));
    return place && *place && suffix[1] == '\0' ? 10 * (int)(place - letters + 1) : -1;
}

int read_size(const char *word, int64_t *value)
{
    uint64_t number;
    int count = read_digits(word, &number), twice;

    if (count < 1 || number > INT64_MAX)
        return 0;
    twice = doublings(word + count);
    return twice >= 0 && !__builtin_mul_overflow((int64_t)number, INT64_C(1) << twice, value);
}
