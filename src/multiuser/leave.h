/* The end of the program before its time. */
#ifndef MULTIUSER_LEAVE_H
#define MULTIUSER_LEAVE_H

/* The directory that is to be removed when the program ends; NULL: none. */
void leave_no_trace(const char *directory);

/* Ends the program: with the reason as an error and status 1, or, without one, as the signal that came asks for. */
__attribute__((noreturn))
void leave(const char *why);

/* Removes what is to be removed, and ends the guardian. */
void clean_up(void);

#endif
