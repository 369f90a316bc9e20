/* The distance of Levenshtein, for short words. */
#include "nearest.h"

#include <ctype.h>
#include <string.h>

#define LENGTH_MAX  32
#define DISTANCE_MAX 2

static int is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int distance(const char *a, const char *b)
{
    int row[LENGTH_MAX + 1];
    int length = (int)strlen(b);

    if (strlen(a) > LENGTH_MAX || length > LENGTH_MAX)
        return LENGTH_MAX;
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];

        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int changed = diagonal + !is_same(a[i - 1], b[j - 1]);

            diagonal = row[j];
            row[j] = least(changed, 1 + least(row[j], row[j - 1]));
        }
    }
    return row[length];
}

/* Of a word of two letters nothing is left when two are wrong. */
const char *nearest(const char *word, struct names names)
{
    const char *best = NULL;
    int best_distance = least(DISTANCE_MAX, (int)strlen(word) - 1) + 1;

    for (int i = 0; i < names.count; i++) {
        int here = distance(word, names.at(i));

        if (here < best_distance) {
            best_distance = here;
            best = names.at(i);
        }
    }
    return best;
}

const char *quoted(const char *word, char buffer[QUOTED_MAX])
{
    static const char cut[] = "...";
    size_t length = strlen(word);

    if (length >= QUOTED_MAX)
        length = QUOTED_MAX - sizeof cut;
    for (size_t i = 0; i < length; i++)
        buffer[i] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    strcpy(buffer + length, word[length] ? cut : "");
    return buffer;
}
