/* Text in JSON. */
#ifndef INTERBENCH_JSON_TEXT_H
#define INTERBENCH_JSON_TEXT_H

#include <stdio.h>

/* A string in its quotes, or null.  Bytes that are no UTF-8 become the text "\xff". */
void json_print_text(const char *text, FILE *out);

#endif
