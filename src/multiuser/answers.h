/*
 * What users' shells answer, all through one pipe: "USER LINE STATUS" behind each line that they have done.  An answer
 * is a single write of less than PIPE_BUF bytes, so none is torn by another; but one may be read in two pieces.
 */
#ifndef MULTIUSER_ANSWERS_H
#define MULTIUSER_ANSWERS_H

#include <stddef.h>

#define ANSWER_MAX 64

struct answers {
    char rest[ANSWER_MAX]; /* the beginning of a line of which the end has not come */
    size_t length;
    int is_too_long; /* what comes up to the next end of a line is no answer */
};

struct answer {
    int user, line, status;
};

/*
 * Takes bytes from the front of *bytes (of which there are *size) up to the end of a line, and moves both behind it;
 * returns 1 with an answer, or 0 when there is none any more.  Lines that are no answers are passed over.
 */
int answers_next(struct answers *answers, const char **bytes, size_t *size, struct answer *answer);

#endif
