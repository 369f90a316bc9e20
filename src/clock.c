/*
 * clock [COPIES]: the clock of the CPUs, without counters of the CPU.  That many processes at once (by default one) run
 * a chain of operations, each of which needs the result of the one before.  Each process reports the fastest of five
 * spans of a millisecond, as CLOCK|steps a second.  Most processors do one step in a cycle.  A span is CPU time, so
 * processes that take the CPU away do not count.  Interrupts and a hypervisor may, so the fastest span is reported.
 *
 * The chain is exclusive-or of two registers in turns: x ^= y, y ^= x.  In C, a compiler would shorten it.  Chains of
 * additions will not do, because some processors do several of these at once.
 */
#include "ub.h"
#include <sys/wait.h>

#define COPIES_MAX 3600
#define STEPS 1000 /* of the block; a thousand steps hide the loop around it */
#define BLOCKS 50  /* between two looks at the time */
#define WARM_UP_NS 2000000
#define SPAN_NS 1000000
#define SPANS 5

#if defined __x86_64__ || defined __i386__
#define PAIR "xorl %1, %0\n\txorl %0, %1\n\t"
typedef uint32_t word;
#elif defined __aarch64__
#define PAIR "eor %0, %0, %1\n\teor %1, %1, %0\n\t"
typedef uint64_t word;
#elif defined __arm__
#define PAIR "eor %0, %0, %1\n\teor %1, %1, %0\n\t"
typedef uint32_t word;
#elif defined __riscv || defined __powerpc__
#define PAIR "xor %0, %0, %1\n\txor %1, %1, %0\n\t"
typedef unsigned long word;
#elif defined __s390x__
#define PAIR "xgr %0, %1\n\txgr %1, %0\n\t"
typedef uint64_t word;
#endif

static const char usage[] = "clock [COPIES]";

#ifdef PAIR
/* Runs the block.  A function of its own, so that a compiler does not make several copies of it in a row. */
__attribute__((noinline)) static word run_block(word x, word y)
{
    __asm__ volatile(".rept 500\n\t" PAIR ".endr" : "+r"(x), "+r"(y) : : "cc");
    return x;
}

/* Returns the nanoseconds for which this process has run. */
static uint64_t ran_ns(void)
{
    struct timespec ran;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ran) != 0)
        ub_failed("clock: clock_gettime");
    return (uint64_t)ran.tv_sec * UB_NS_PER_S + (uint64_t)ran.tv_nsec;
}

/* Runs the chain for at least that CPU time; returns its steps a second. */
static double steps_a_second(uint64_t at_least_ns)
{
    const uint64_t began_ns = ran_ns();
    uint64_t now_ns, steps = 0;

    do {
        word last = 1;

        for (int block = 0; block < BLOCKS; block++)
            last = run_block(last, 2);
        steps += STEPS * BLOCKS;
        now_ns = ran_ns();
    } while (now_ns - began_ns < at_least_ns);
    return (double)steps / ((double)(now_ns - began_ns) / (double)UB_NS_PER_S);
}

static void measure(void)
{
    double best = 0;

    steps_a_second(WARM_UP_NS);
    for (int span = 0; span < SPANS; span++) {
        const double found = steps_a_second(SPAN_NS);

        best = found > best ? found : best;
    }
    ub_report_line("CLOCK|%.0f\n", best);
}
#else
static void measure(void)
{
    ub_error(1, "clock: there is no chain for this processor");
}
#endif

int main(int argc, char **argv)
{
    unsigned long others = argc > 1 ? ub_whole("copies", argv[1], 1, COPIES_MAX, usage) - 1 : 0;
    int failed = 0, status;

    if (argc > 2)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[2], usage);
    ub_await_children();
    for (; others > 0; others--) {
        pid_t pid = fork();

        if (pid < 0)
            ub_failed("fork");
        if (pid == 0) {
            measure();
            return 0;
        }
    }
    measure();
    while (wait(&status) > 0)
        failed |= status != 0;
    return failed;
}
