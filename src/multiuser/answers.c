/* Only digits, single blanks and nothing else make an answer: who writes something else there is not believed. */
#include "answers.h"

#include <string.h>

#define NUMBER_MAX 100000000

/* Reads a number that ends with that character; returns what follows, or NULL. */
static const char *take_number(const char *text, char end, int *number)
{
    const char *digit = text;

    for (*number = 0; *digit >= '0' && *digit <= '9'; digit++)
        if (*number < NUMBER_MAX)
            *number = 10 * *number + (*digit - '0');
    return digit > text && *digit == end ? digit + 1 : NULL;
}

static int is_answer(const char *text, struct answer *answer)
{
    return (text = take_number(text, ' ', &answer->user)) && (text = take_number(text, ' ', &answer->line))
           && take_number(text, '\0', &answer->status);
}

/* Adds bytes to the line; returns 1 when they end it. */
static int take_line(struct answers *answers, const char **bytes, size_t *size)
{
    const char *end = memchr(*bytes, '\n', *size);
    const size_t length = end ? (size_t)(end - *bytes) : *size;

    if (length >= ANSWER_MAX - answers->length)
        answers->is_too_long = 1;
    else {
        memcpy(answers->rest + answers->length, *bytes, length);
        answers->length += length;
    }
    *bytes += length + (end != NULL);
    *size -= length + (end != NULL);
    return end != NULL;
}

int answers_next(struct answers *answers, const char **bytes, size_t *size, struct answer *answer)
{
    while (*size > 0 && take_line(answers, bytes, size)) {
        const int is_whole = !answers->is_too_long;

        answers->rest[answers->length] = '\0';
        answers->length = 0;
        answers->is_too_long = 0;
        if (is_whole && strlen(answers->rest) > 0 && is_answer(answers->rest, answer))
            return 1;
    }
    return 0;
}
