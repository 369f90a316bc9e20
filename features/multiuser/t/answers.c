/* answers SIZE: reads standard input in pieces of that many bytes and prints the answers that are found in them. */
#include "users.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct answers answers = {.length = 0};
    struct answer answer;
    char piece[65536];
    size_t got;

    if (argc != 2 || atoi(argv[1]) < 1 || atoi(argv[1]) > (int)sizeof piece)
        return 1;
    while ((got = fread(piece, 1, (size_t)atoi(argv[1]), stdin)) > 0) {
        const char *at = piece;

        while (answers_next(&answers, &at, &got, &answer))
            printf("%d %d %d\n", answer.user, answer.line, answer.status);
    }
    return 0;
}
