/* Standard input, output and error. */
#ifndef BASE_DESCRIPTORS_H
#define BASE_DESCRIPTORS_H

/* Opens /dev/null as those that are closed: otherwise the next pipe would get what is printed. */
void descriptors_open_standard(void);

#endif
