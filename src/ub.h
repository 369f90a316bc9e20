/*
 * The functions that all measured programs share: arguments, the start gate, the clock, the timer, and the lines on
 * standard error.  All of them are in this header, so that each program is compiled as a whole, with the flags that it
 * is measured with.
 */
#ifndef UB_H
#define UB_H

#define _GNU_SOURCE
#ifndef __LP64__
#define _FILE_OFFSET_BITS 64 /* otherwise, stat fails for a file whose number needs more than 32 bits */
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#define UB_UNUSED __attribute__((unused))
#define UB_NS_PER_S 1000000000ULL
#define UB_SECONDS_MAX 3600.0

/*
 * For functions and variables that are not measured.  The speed of a short loop depends on its place in the lines of
 * the cache.  gcc puts these after all others, so a change of them moves no loop and no counter.  But each function of
 * the library that they are the first to call has 16 bytes in front of all others: they call four, 64 bytes, a line.
 */
#if defined __GNUC__ && !defined __clang__
#define UB_APART __attribute__((unused, noinline, noclone, section(".text_apart")))
#define UB_DATA_APART __attribute__((unused, section(".bss.apart")))
#else
#define UB_APART __attribute__((unused, noinline))
#define UB_DATA_APART __attribute__((unused))
#endif

/*
 * UB_LOOPS_MAX is the largest number of loops of fixed work, which programs count up from a negative number.
 * UB_ALARM_FLAGS: on 32 bits, SIGALRM also comes during the work, see ub_alarm_counting; it must not end a system call.
 */
#if ULONG_MAX > 0xffffffffUL
#define UB_LOOPS_MAX 1000000000000UL
#define UB_ALARM_FLAGS 0
#else
#define UB_LOOPS_MAX ((unsigned long)LONG_MAX)
#define UB_ALARM_FLAGS SA_RESTART
#endif

/* The file descriptor to which the lines of the protocol are written. */
static int ub_report = STDERR_FILENO;

/* Writes a line of the protocol in one write; if that fails, ends the program with status 1. */
UB_UNUSED __attribute__((format(printf, 1, 2)))
static void ub_report_line(const char *format, ...)
{
    char line[576];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (write(ub_report, line, strlen(line)) < 0)
        exit(1);
}

/* Reports "ERROR|message" and ends the program with that status: 2 for wrong arguments, 1 for any other error. */
UB_UNUSED __attribute__((noreturn, format(printf, 2, 3)))
static void ub_error(int status, const char *format, ...)
{
    char message[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ub_report_line("ERROR|%s\n", message);
    exit(status);
}

/* Reports "ERROR|what: why" for a system call that failed, where why is the text of errno; ends with status 1. */
UB_UNUSED __attribute__((noreturn))
static void ub_failed(const char *what)
{
    ub_error(1, "%s: %s", what, strerror(errno));
}

/*
 * Redirects standard error to standard output, because libraries print messages there.  Only the lines of the protocol
 * go to the original standard error, through a copy of its descriptor.  Standard descriptors that are closed become
 * /dev/null; otherwise the next file that is opened would get these messages.
 */
UB_UNUSED static void ub_redirect_libraries(void)
{
    int handle;

    ub_report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (ub_report < 0)
        ub_failed("standard error");
    do handle = open("/dev/null", O_RDWR); while (handle >= 0 && handle < STDERR_FILENO);
    if (handle < 0 || close(handle) != 0 || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        ub_failed("standard output");
}

/* Parses a decimal number of seconds, above 0 and at most an hour.  For any other text it ends with the usage. */
UB_UNUSED static double ub_seconds(const char *text, const char *usage)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end || text[strspn(text, "0123456789.")]
        || !(seconds > 0 && seconds <= UB_SECONDS_MAX))
        ub_error(2, "seconds must be above 0 and at most 3600, not \"%.40s\"; usage: %s", text, usage);
    return seconds;
}

/* Parses a whole number from low to high, called name in the error.  For any other text it ends with the usage. */
UB_UNUSED static unsigned long ub_whole(const char *name, const char *text, unsigned long low,
                                        unsigned long high, const char *usage)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || errno || value < low || value > high)
        ub_error(2, "%s must be a whole number from %lu to %lu, not \"%.40s\"; usage: %s", name, low,
                 high, text, usage);
    return value;
}

/* The amount of work: a number of seconds, or, with "-n LOOPS", a number of loops.  The one that is not given is 0. */
struct ub_work {
    double seconds;
    unsigned long loops;
};

/*
 * Takes "SECONDS" or "-n LOOPS" from the front of the arguments and returns it.  Moves argc and argv past it, so that
 * argv[0] is the first argument that is left.
 */
UB_UNUSED static struct ub_work ub_take_work(int *argc, char ***argv, const char *usage)
{
    struct ub_work work = {0, 0};
    int taken = 2;

    if (*argc >= 3 && strcmp((*argv)[1], "-n") == 0) {
        work.loops = ub_whole("loops", (*argv)[2], 1, UB_LOOPS_MAX, usage);
        taken = 3;
    } else if (*argc >= 2) {
        work.seconds = ub_seconds((*argv)[1], usage);
    } else {
        ub_error(2, "seconds missing; usage: %s", usage);
    }
    *argc -= taken;
    *argv += taken;
    return work;
}

/* Returns the amount of work from the arguments of a program that takes no others: another one is an error. */
UB_UNUSED static struct ub_work ub_only_work(int argc, char **argv, const char *usage)
{
    struct ub_work work = ub_take_work(&argc, &argv, usage);

    if (argc > 0)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[0], usage);
    return work;
}

/* Returns the nanoseconds of CLOCK_MONOTONIC. */
UB_UNUSED static uint64_t ub_now_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        ub_failed("clock_gettime");
    return (uint64_t)now.tv_sec * UB_NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Returns the seconds since that moment; they are negative if something has set the clock back. */
UB_UNUSED static double ub_elapsed_s(uint64_t since_ns)
{
    return (double)(int64_t)(ub_now_ns() - since_ns) / (double)UB_NS_PER_S;
}

/* Returns the same for ub_time alone: if something has set the clock back, UB_TURN_S is added. */
#define UB_TURN_S 18446744073.709551616 /* 2^64 ns */
UB_UNUSED static double ub_lasted_s(uint64_t since_ns)
{
    return (double)(ub_now_ns() - since_ns) / (double)UB_NS_PER_S;
}

/* Writes a number in decimal digits that end right before at; returns where they begin.  Safe in a signal handler. */
UB_UNUSED static inline char *ub_digits(char *at, uint64_t number)
{
    do *--at = (char)('0' + number % 10); while (number /= 10);
    return at;
}

/* Writes a text that ends right before at; returns where it begins. */
UB_UNUSED __attribute__((always_inline)) static inline char *ub_text(char *at, const char *text)
{
    size_t length = strlen(text);

    return memcpy(at - length, text, length);
}

/* When the work began, in nanoseconds, if UB_TIME=1 asks for the time of timed work; otherwise 0. */
static uint64_t ub_begun_ns;

/*
 * What this process and the children for which it has waited have used: nanoseconds of the clock as this program sees
 * it and as the kernel shows it, microseconds in user mode and in the kernel, minor and major page faults.  The rest is
 * of this process alone: voluntary and forced switches, and the nanoseconds for which it has waited for a CPU.
 */
#define UB_USES 9
#define UB_WAITED_NS 8
#define UB_UNKNOWN UINT64_MAX

/* The same when the work began and ended.  The first value is 0 as long as UB_USED=1 does not ask for it. */
UB_DATA_APART static uint64_t ub_use_at_start[UB_USES];
UB_DATA_APART static uint64_t ub_use_at_end[UB_USES];

/*
 * Returns the clock as the kernel shows it, even if a library between this program and the kernel shows another time.
 */
UB_APART static uint64_t ub_kernel_now_ns(void)
{
#if defined __linux__ && defined __LP64__ && defined SYS_clock_gettime
    struct timespec now;

    if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) == 0)
        return (uint64_t)now.tv_sec * UB_NS_PER_S + (uint64_t)now.tv_nsec;
#endif
    return ub_now_ns();
}

/* Returns the nanoseconds for which this process has waited for a CPU, or UB_UNKNOWN; safe in a signal handler. */
UB_APART static uint64_t ub_waited_ns(void)
{
    char text[64] = "", *at = text;
    int file = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    uint64_t waited_ns = 0;

    if (file < 0)
        return UB_UNKNOWN;
    if (read(file, text, sizeof text - 1) < 0)
        *at = '\0';
    close(file);
    while (*at && *at != ' ') /* the time on a CPU */
        at++;
    if (*at == '\0' || at[1] < '0' || at[1] > '9')
        return UB_UNKNOWN;
    while (*++at >= '0' && *at <= '9')
        waited_ns = waited_ns * 10 + (uint64_t)(*at - '0');
    return waited_ns;
}

UB_APART static uint64_t ub_us(struct timeval one, struct timeval other)
{
    return (uint64_t)(one.tv_sec + other.tv_sec) * 1000000 + (uint64_t)(one.tv_usec + other.tv_usec);
}

/* Notes what was used so far; if the kernel refuses to say it, nothing will be reported.  Safe in a signal handler. */
UB_APART static void ub_note_use(uint64_t use[UB_USES])
{
    struct rusage own, children;

    use[0] = ub_now_ns();
    use[1] = ub_kernel_now_ns();
    if (getrusage(RUSAGE_SELF, &own) != 0 || getrusage(RUSAGE_CHILDREN, &children) != 0) {
        ub_use_at_start[0] = 0;
        return;
    }
    use[2] = ub_us(own.ru_utime, children.ru_utime);
    use[3] = ub_us(own.ru_stime, children.ru_stime);
    use[4] = (uint64_t)own.ru_minflt + (uint64_t)children.ru_minflt;
    use[5] = (uint64_t)own.ru_majflt + (uint64_t)children.ru_majflt;
    use[6] = (uint64_t)own.ru_nvcsw;
    use[7] = (uint64_t)own.ru_nivcsw;
    use[UB_WAITED_NS] = ub_waited_ns();
}

/* Notes, if UB_USED=1 has asked for it, that the work begins now.  What was used before is not reported. */
UB_APART static void ub_use_begins(void)
{
    if (ub_use_at_start[0])
        ub_note_use(ub_use_at_start);
}

/* Notes the same for the end of the work.  Only the first call counts. */
UB_APART static void ub_use_ends(void)
{
    if (ub_use_at_start[0] && !ub_use_at_end[0])
        ub_note_use(ub_use_at_end);
}

/* Writes a difference as ub_digits does; in front of it a sign if it is negative, and "|". */
UB_APART static char *ub_difference(char *at, uint64_t from, uint64_t to, unsigned unit)
{
    at = ub_digits(at, (to >= from ? to - from : from - to) / unit);
    return ub_text(to >= from ? at : ub_text(at, "-"), "|");
}

/*
 * Reports "USED|clock|time|user|kernel|minor|major|switches|forced|waited" if UB_USED=1 has asked for it: times in
 * microseconds, and counts, between the begin and the end of the work.  Clock is the time that this program sees.  The
 * last one is missing if it is unknown.  Safe in a signal handler.
 */
UB_APART static void ub_report_used(void)
{
    static const unsigned unit[UB_USES] = {1000, 1000, 1, 1, 1, 1, 1, 1, 1000};
    char line[256], *end = line + sizeof line, *at = ub_text(end, "\n");
    int place = UB_USES;

    ub_use_ends();
    if (!ub_use_at_start[0])
        return;
    if (ub_use_at_start[UB_WAITED_NS] == UB_UNKNOWN || ub_use_at_end[UB_WAITED_NS] == UB_UNKNOWN)
        place--;
    while (place-- > 0)
        at = ub_difference(at, ub_use_at_start[place], ub_use_at_end[place], unit[place]);
    at = ub_text(at, "USED");
    if (write(ub_report, at, (size_t)(end - at)) < 0)
        _exit(1);
}

/* Returns whether a variable is 1, and removes it, because it is for this program alone. */
UB_APART static int ub_is_asked(const char *name)
{
    const char *asked = getenv(name);
    int is_one = asked && strcmp(asked, "1") == 0;

    unsetenv(name);
    return is_one;
}

/*
 * Returns whether these descriptors are the gate.  A command that has started this program may have closed them, or may
 * have opened other files in their places: UB_GATE_PIPES=READY,GO has the inodes of the pipes.
 */
UB_APART static int ub_is_gate(int ready, int go)
{
    const char *pipes = getenv("UB_GATE_PIPES");
    int ready_mode = fcntl(ready, F_GETFL), go_mode = fcntl(go, F_GETFL);
    struct stat of_ready, of_go;
    char inodes[64], *at = inodes + sizeof inodes - 1;

    if (ready_mode < 0 || go_mode < 0 || (ready_mode & O_ACCMODE) == O_RDONLY || (go_mode & O_ACCMODE) == O_WRONLY)
        return 0;
    if (!pipes)
        return 1;
    if (fstat(ready, &of_ready) != 0 || fstat(go, &of_go) != 0)
        ub_failed("UB_GATE: stat");
    *at = '\0';
    at = ub_digits(ub_text(ub_digits(at, of_go.st_ino), ","), of_ready.st_ino);
    return S_ISFIFO(of_ready.st_mode) && S_ISFIFO(of_go.st_mode) && strcmp(pipes, at) == 0;
}

/* Takes the value of UB_GATE; returns it, or NULL if other files are in the places of the gate. */
UB_APART static const char *ub_gate_if_there(const char *gate)
{
    int ready, go;
    char more;

    if (sscanf(gate, "%9d,%9d%c", &ready, &go, &more) != 2 || ready <= STDERR_FILENO || go <= STDERR_FILENO)
        return gate;
    if (!ub_is_gate(ready, go)) {
        unsetenv("UB_GATE");
        return NULL;
    }
    unsetenv("UB_GATE_PIPES");
    return gate;
}

/*
 * Returns that variable of the environment; without the gate NULL, and the work begins here.  Also takes UB_TIME and
 * UB_USED.  All this is not in ub_gate, because the compiler puts the code of ub_gate in front of measured loops.
 */
UB_APART static const char *ub_getenv_and_asked(const char *name)
{
    const char *gate = getenv(name);

    ub_use_at_start[0] = ub_is_asked("UB_USED") ? 1 : 0;
    if (ub_is_asked("UB_TIME"))
        ub_begun_ns = ub_now_ns();
    if (gate)
        gate = ub_gate_if_there(gate);
    ub_use_begins();
    return gate;
}

/* Closes GO, where the work begins. */
UB_APART static int ub_go(int go)
{
    if (ub_begun_ns)
        ub_begun_ns = ub_now_ns();
    ub_use_begins();
    return close(go);
}

/*
 * Waits until all copies of a test may start.  UB_GATE=READY,GO names two file descriptors.  One byte on READY reports
 * that this copy is set up, and end of file on GO lets all copies go.  Without UB_GATE, or if these descriptors are not
 * there any more, it returns at once.  Call it right before the measured work, and before any fork or exec.  With
 * UB_TIME=1 or UB_USED=1 it notes when the work begins.
 */
UB_UNUSED static void ub_gate(void)
{
    const char *gate = ub_getenv_and_asked("UB_GATE");
    int ready, go;
    char byte = '.';
    ssize_t got;

    if (!gate)
        return;
    if (sscanf(gate, "%9d,%9d%c", &ready, &go, &byte) != 2 || ready <= STDERR_FILENO || go <= STDERR_FILENO)
        ub_error(2, "UB_GATE must be READY,GO, two descriptors, not \"%.40s\"", gate);
    unsetenv("UB_GATE");
    if (fcntl(ready, F_SETFD, FD_CLOEXEC) != 0 || fcntl(go, F_SETFD, FD_CLOEXEC) != 0)
        ub_failed("UB_GATE");
    if (write(ready, &byte, 1) != 1)
        ub_failed("UB_GATE: write");
    close(ready);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* this copy ends with its parent; its own children do not inherit this */
#endif
    while ((got = read(go, &byte, 1)) > 0 || (got < 0 && errno == EINTR))
        continue;
    if (got < 0)
        ub_failed("UB_GATE: read");
    ub_go(go);
}

/*
 * Installs the handler for SIGALRM and starts a timer that sends this signal once, that many seconds from now.  The
 * caller unblocks the signal, or waits for it.
 */
UB_UNUSED static void ub_timer(double seconds, void (*handler)(int))
{
    struct sigaction action;
    struct itimerval timer;

    memset(&action, 0, sizeof action);
    memset(&timer, 0, sizeof timer);
    action.sa_handler = handler;
    action.sa_flags = UB_ALARM_FLAGS;
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6);
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1;
    if (sigaction(SIGALRM, &action, NULL) != 0)
        ub_failed("sigaction");
    if (setitimer(ITIMER_REAL, &timer, NULL) != 0)
        ub_failed("setitimer");
}

/* Unblocks a signal, which the parent of this program may have blocked. */
UB_UNUSED static void ub_unblock(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    if (sigprocmask(SIG_UNBLOCK, &set, NULL) != 0)
        ub_failed("sigprocmask");
}

/* Calls the handler once, that many seconds from now. */
UB_UNUSED static void ub_alarm(double seconds, void (*handler)(int))
{
    ub_timer(seconds, handler);
    ub_unblock(SIGALRM);
}

/*
 * ub_alarm_counting() does the same as ub_alarm() for a program that counts short loops.  Its handler reads the counter
 * by ub_counted().  On 32 bits, such a counter may overflow within seconds.  There, a signal interrupts the loop four
 * times a second, and its handler adds up how far the counter has moved.  The loop itself is the same everywhere.
 */
#if ULONG_MAX > 0xffffffffUL
UB_UNUSED static void ub_alarm_counting(double seconds, UB_UNUSED volatile unsigned long *counter,
                                        void (*handler)(int))
{
    ub_alarm(seconds, handler);
}

UB_UNUSED static inline uint64_t ub_counted(volatile unsigned long *counter)
{
    return *counter;
}
#else
#define UB_TICK_S 0.25

static uint64_t ub_sum, ub_end_ns;
static unsigned long ub_seen;
static volatile unsigned long *ub_counter;
static void (*ub_at_end)(int);

/* Returns how far the counter has moved since the start. */
UB_UNUSED static uint64_t ub_counted(volatile unsigned long *counter)
{
    unsigned long now = *counter;

    ub_sum += now - ub_seen;
    ub_seen = now;
    return ub_sum;
}

/* Reads the counter, and starts the timer again, or calls the program's handler at the end. */
UB_UNUSED static void ub_tick(int signal)
{
    double left_s = ((double)ub_end_ns - (double)ub_now_ns()) / (double)UB_NS_PER_S;

    ub_counted(ub_counter);
    if (left_s > 0)
        ub_timer(left_s < UB_TICK_S ? left_s : UB_TICK_S, ub_tick);
    else
        ub_at_end(signal);
}

UB_UNUSED static void ub_alarm_counting(double seconds, volatile unsigned long *counter, void (*handler)(int))
{
    ub_end_ns = ub_now_ns() + (uint64_t)(seconds * (double)UB_NS_PER_S);
    ub_counter = counter;
    ub_at_end = handler;
    ub_alarm(seconds < UB_TICK_S ? seconds : UB_TICK_S, ub_tick);
}
#endif

/*
 * Makes sure that this program can wait for its children.  If SIGCHLD is ignored, which is inherited, the kernel
 * discards their exit statuses.
 */
UB_UNUSED static void ub_await_children(void)
{
    if (signal(SIGCHLD, SIG_DFL) == SIG_ERR)
        ub_failed("signal");
}

/* Reports "COUNT|count|timebase|label" in one write; safe in a signal handler. */
UB_UNUSED static void ub_count(uint64_t count, unsigned timebase, const char *label)
{
    char line[128], *end = line + sizeof line, *at;

    at = ub_text(ub_text(end, "\n"), label);
    at = ub_digits(ub_text(at, "|"), timebase);
    at = ub_digits(ub_text(at, "|"), count);
    at = ub_text(at, "COUNT|");
    if (write(ub_report, at, (size_t)(end - at)) < 0)
        _exit(1);
}

/* Reports that line, whose format is always the same, and what the work used, if UB_USED=1 has asked for that. */
UB_APART __attribute__((format(printf, 1, 2)))
static void ub_report_time(const char *format, ...)
{
    va_list arguments;
    double seconds;

    va_start(arguments, format);
    seconds = va_arg(arguments, double);
    va_end(arguments);
    ub_report_line("TIME|%.9f\n", seconds < UB_TURN_S / 2 ? seconds : seconds - UB_TURN_S);
    ub_report_used();
}

/*
 * Reports "TIME|seconds", the duration of the work, which is used instead of the elapsed time of the process; and what
 * it used.  The call has the form of ub_report_line, so that the programs have as many bytes as without that.
 */
UB_UNUSED static void ub_time(double seconds)
{
    ub_report_time("TIME|%.9f\n", seconds);
}

/* Reports "COUNT|count|1|label", and with UB_TIME=1 the time since the gate, too; safe in a signal handler. */
UB_APART static void ub_count_and_time(uint64_t count, const char *label)
{
    const int64_t elapsed_ns = ub_begun_ns ? (int64_t)(ub_now_ns() - ub_begun_ns) : 0;
    const uint64_t ns = (uint64_t)(elapsed_ns < 0 ? -elapsed_ns : elapsed_ns);
    char line[64], *end = line + sizeof line, *at;

    ub_count(count, 1, label);
    if (!ub_begun_ns)
        return;
    at = ub_digits(ub_text(end, "\n"), UB_NS_PER_S + ns % UB_NS_PER_S);
    *at = '.'; /* replaces the first of ten digits, which is 1 */
    at = ub_digits(at, ns / UB_NS_PER_S);
    at = ub_text(elapsed_ns < 0 ? ub_text(at, "-") : at, "TIME|");
    if (write(ub_report, at, (size_t)(end - at)) < 0)
        _exit(1);
}

/* Does the same, and with UB_USED=1 reports what was used. */
UB_APART static void ub_count_timed(uint64_t count, const char *label)
{
    ub_count_and_time(count, label);
    ub_report_used();
}

#endif
