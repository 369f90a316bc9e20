/* What --version says; options_print_help is in options.h. */
#ifndef INTERBENCH_OPTIONS_HELP_H
#define INTERBENCH_OPTIONS_HELP_H

void options_print_version(void);

#endif
