/* Standard input, output and error. */
#ifndef BASE_HANDLES_H
#define BASE_HANDLES_H

/* Those that are closed become /dev/null, or the next pipe would get what is printed. */
void claim_standard_handles(void);

#endif
