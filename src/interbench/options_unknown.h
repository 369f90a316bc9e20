/* Says what is wrong with an option that getopt_long refuses. */
#ifndef INTERBENCH_OPTIONS_UNKNOWN_H
#define INTERBENCH_OPTIONS_UNKNOWN_H

/* The code is getopt's optopt: 0 of a long option that is unknown or ambiguous; of a flag with a value its own. */
__attribute__((noreturn))
void options_fail_unknown(int code, const char *word);

#endif
