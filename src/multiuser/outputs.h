/* What users printed. */
#ifndef MULTIUSER_OUTPUTS_H
#define MULTIUSER_OUTPUTS_H

/*
 * Prints on standard output what each of so many users printed; what several printed alike, once, under a line such as
 * "== users 1-19, 1897 lines ==".
 */
void outputs_print(const char *home, int users);

#endif
