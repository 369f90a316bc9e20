/*
 * slow WHAT COMMAND...: changes this process, and becomes the command.  WHAT is "filter": a filter of system calls that
 * looks at each call 500 times, and allows it; or "small_pages": no huge pages.  For features/why/lab/why.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LOOKS 500

static int filter(void)
{
    static struct sock_filter program[LOOKS + 1];
    struct sock_fprog whole = {LOOKS + 1, program};

    for (int i = 0; i < LOOKS; i++)
        program[i] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, i % 2 ? offsetof(struct seccomp_data, nr)
                                                                                 : offsetof(struct seccomp_data, args));
    program[LOOKS] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole);
}

int main(int argc, char **argv)
{
    if (argc < 3 || (strcmp(argv[1], "filter") == 0 ? filter() : prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)) != 0) {
        fprintf(stderr, "slow: it does not work here\n");
        return 1;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
