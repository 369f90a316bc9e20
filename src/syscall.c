/*
 * syscall seconds [mix|close|getpid|exec]: how fast the kernel is entered and left, in loops a second.  A loop of mix
 * is close(dup()), getpid, getuid and umask.  A loop of close or getpid is that part alone.  A loop of exec is a fork,
 * an exec of /bin/true and a wait.  A call that fails is an error.
 */
#include "ub.h"
#include <sys/stat.h>
#include <sys/wait.h>
#ifndef __APPLE__
#include <sys/syscall.h>
#endif

#define MASK 022
#ifdef __linux__
#define PROGRAM "/bin/true"
#else
#define PROGRAM "/usr/bin/true"
#endif

/*
 * Calls the kernel directly, because the getpid of some C libraries remembers the result, as that of macOS does.
 * OpenBSD has no function for direct calls, but its getpid remembers nothing.  On macOS the function is deprecated.
 * There the number of getpid is 20, as in its header, which not every compiler has.
 */
#ifdef __OpenBSD__
#define GETPID getpid()
#else
#define GETPID syscall(SYS_getpid)
#endif
#ifdef __APPLE__
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#ifndef SYS_getpid
#define SYS_getpid 20
#endif
#endif

static const char usage[] =
    "syscall SECONDS [mix|close|getpid|exec] | syscall -n LOOPS [mix|close|getpid|exec]";

static volatile unsigned long loops;
static int descriptor;

static void finish(UB_UNUSED int signal)
{
    ub_count_timed(ub_counted(&loops), "lps");
    _exit(0);
}

static inline void close_once(void)
{
    if (close(dup(descriptor)) != 0)
        ub_failed("syscall: close(dup())");
}

static inline void getpid_once(void)
{
    GETPID;
}

static inline void mix_once(void)
{
    close_once();
    getpid_once();
    getuid();
    umask(MASK);
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

static int next_descriptor(void)
{
    int next = dup(descriptor);

    if (close(next) != 0)
        ub_failed("syscall: close(dup())");
    return next;
}

/*
 * Repeats one mode.  Returns the seconds that fixed work took; timed work ends the program instead.  It is inlined, so
 * that each mode has a loop of its own, without a call through a pointer.
 */
__attribute__((always_inline))
static inline double repeat(struct ub_work work, void (*once)(void))
{
    uint64_t start_ns;
    double elapsed_s;
    int next;

    ub_gate();
    next = next_descriptor();
    start_ns = ub_now_ns();
    if (work.loops == 0) {
        ub_alarm_counting(work.seconds, &loops, finish);
        for (;; loops++)
            once();
    }
    loops = -work.loops;
    do {
        once();
    } while (++loops != 0);
    elapsed_s = ub_lasted_s(start_ns);
    if (next_descriptor() != next)
        ub_error(1, "syscall: a descriptor was not closed");
    return elapsed_s;
}

/* Sets the umask, and makes sure that waits succeed.  It is apart, so that main has the size that it had. */
UB_APART static void prepare(mode_t mask)
{
    umask(mask);
    ub_await_children();
}

int main(int argc, char **argv)
{
    struct ub_work work = ub_take_work(&argc, &argv, usage);
    const char *mode = argc > 0 ? argv[0] : "mix";
    int pipe_ends[2];
    double elapsed_s;

    if (argc > 1)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[1], usage);
    if (pipe(pipe_ends) != 0)
        ub_failed("syscall: pipe");
    descriptor = pipe_ends[0];
    prepare(0);
    if (strcmp(mode, "mix") == 0)
        elapsed_s = repeat(work, mix_once);
    else if (strcmp(mode, "close") == 0)
        elapsed_s = repeat(work, close_once);
    else if (strcmp(mode, "getpid") == 0)
        elapsed_s = repeat(work, getpid_once);
    else if (strcmp(mode, "exec") == 0)
        elapsed_s = repeat(work, exec_once);
    else
        ub_error(2, "unknown mode \"%.40s\"; usage: %s", mode, usage);
    if (strcmp(mode, "mix") == 0 && umask(0) != MASK)
        ub_error(1, "syscall: the umask is not the one that was set");
    ub_count(work.loops, 1, "lps");
    ub_time(elapsed_s);
    return 0;
}
