/* For words that are not known: the known one that may be meant, and quoting them. */
#ifndef INTERBENCH_NEAREST_H
#define INTERBENCH_NEAREST_H

#define QUOTED_MAX 48

struct names {
    int count;
    const char *(*at)(int index);
};

/* The name that differs in at most two letters, or null. */
const char *nearest(const char *word, struct names names);

/* The word, printable and cut where it is long; returns buffer. */
const char *quoted(const char *word, char buffer[QUOTED_MAX]);

#endif
