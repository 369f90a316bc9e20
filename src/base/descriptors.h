/* The file descriptors of standard input, output and error. */
#ifndef BASE_DESCRIPTORS_H
#define BASE_DESCRIPTORS_H

/* Opens /dev/null as each of them that is closed: otherwise the next pipe would get that number, and the output. */
void descriptors_open_standard(void);

#endif
