/*
 * syscall seconds [mix|close|getpid|exec]: how fast the kernel is entered and left, in loops a second.
 * A loop of mix is close(dup()), getpid, getuid and umask; close and getpid are one part of that; exec is a
 * fork, an exec of /bin/true and a wait.  A call that fails, or answers wrongly, is an error.
 */
#include "ub.h"
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define PROGRAM "/bin/true"
#define MASK 022

static const char usage[] =
    "syscall SECONDS [mix|close|getpid|exec] | syscall -n LOOPS [mix|close|getpid|exec]";

static volatile unsigned long loops;
static int descriptor;
static long pid;
static uid_t uid;

static void finish(UB_UNUSED int signal)
{
    ub_count(loops, 1, "lps");
    _exit(0);
}

static inline void close_once(void)
{
    if (close(dup(descriptor)) != 0)
        ub_failed("syscall: close(dup())");
}

/* Not the C library's getpid: some remember the answer. */
static inline void getpid_once(void)
{
    if (syscall(SYS_getpid) != pid)
        ub_error(1, "syscall: getpid: not the number of this process");
}

static inline void mix_once(void)
{
    close_once();
    getpid_once();
    if (getuid() != uid)
        ub_error(1, "syscall: getuid: not the user of this process");
    if (umask(MASK) != MASK)
        ub_error(1, "syscall: umask: not the mask that was set");
}

static inline void exec_once(void)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        execl(PROGRAM, PROGRAM, (char *)NULL);
        _exit(127);
    }
    if (child < 0)
        ub_failed("syscall: fork");
    if (waitpid(child, &status, 0) != child)
        ub_failed("syscall: wait");
    if (status != 0)
        ub_error(1, "syscall: " PROGRAM " can't be run, or failed");
}

/* Inlined, so that each mode gets a loop of its own, without a call through a pointer in it. */
__attribute__((always_inline))
static inline void repeat(struct ub_work work, void (*once)(void))
{
    uint64_t start_ns;

    ub_gate();
    start_ns = ub_now_ns();
    if (work.loops == 0) {
        ub_alarm(work.seconds, finish);
        for (;; loops++)
            once();
    }
    for (; loops < work.loops; loops++)
        once();
    ub_count(loops, 1, "lps");
    ub_time(ub_elapsed_s(start_ns));
}

int main(int argc, char **argv)
{
    struct ub_work work = ub_take_work(&argc, &argv, usage);
    const char *mode = argc > 0 ? argv[0] : "mix";
    int pipe_ends[2];

    if (argc > 1)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[1], usage);
    if (pipe(pipe_ends) != 0)
        ub_failed("syscall: pipe");
    descriptor = pipe_ends[0];
    pid = getpid();
    uid = getuid();
    umask(MASK);

    if (strcmp(mode, "mix") == 0)
        repeat(work, mix_once);
    else if (strcmp(mode, "close") == 0)
        repeat(work, close_once);
    else if (strcmp(mode, "getpid") == 0)
        repeat(work, getpid_once);
    else if (strcmp(mode, "exec") == 0)
        repeat(work, exec_once);
    else
        ub_error(2, "unknown mode \"%.40s\"; usage: %s", mode, usage);
    return 0;
}
