/*
 * Arithmetic: COUNT is the number of calls a second (lps) of a function that multiplies, divides and adds a hundred
 * times in one type.  The program is built once for each type, with -DARITH_TYPE=int and so on.  Without a type the
 * hundred turns are empty (arithoh).  No result depends on the argument, so optimisers leave little but the counting of
 * the turns, or not even that.  So the score says as much about the compiler as about the CPU.
 */
#include "ub.h"

#ifndef ARITH_CLASS
#define ARITH_CLASS
#endif
#define FIRST 2
#define LAST 101

static const char usage[] = "PROGRAM SECONDS | PROGRAM -n LOOPS";

static volatile unsigned long loops;
static volatile unsigned long loops_wanted;
static volatile uint64_t start_ns;

#ifdef ARITH_TYPE
ARITH_TYPE hundred_turns(UB_UNUSED ARITH_TYPE ignored)
{
    ARITH_CLASS ARITH_TYPE x, y, z = 0;

    for (int i = FIRST; i <= LAST; i++) {
        x = (ARITH_TYPE)i;
        y = (ARITH_TYPE)(x * x);
        z = (ARITH_TYPE)(z + y / (y - 1));
    }
    return (ARITH_TYPE)(x + y + z);
}

/* Returns the right result.  Each of the hundred quotients is 1, or, in a type with fractions, 1 + 1/(i*i - 1). */
static double right_answer(void)
{
    const double fractions = (1 + 1 / 2.0 - 1 / 101.0 - 1 / 102.0) / 2;

    return LAST + LAST * LAST + 100 + ((ARITH_TYPE)0.5 != 0 ? fractions : 0);
}
#else
#define ARITH_TYPE int

int hundred_turns(UB_UNUSED int ignored)
{
    int i;

    for (i = FIRST; i <= LAST; i++)
        continue;
    return i;
}

static double right_answer(void)
{
    return LAST + 1;
}
#endif

static void check(void)
{
    double answer = (double)hundred_turns(0);

    if (answer < (1 - 1e-6) * right_answer() || answer > (1 + 1e-6) * right_answer())
        ub_error(1, "arithmetic is wrong: %.9g instead of %.9g", answer, right_answer());
}

static void finish_timed(UB_UNUSED int signal)
{
    ub_count_timed(ub_counted(&loops), "lps");
    _exit(0);
}

static void finish_fixed(UB_UNUSED int signal)
{
    ub_time(ub_lasted_s(start_ns));
    check();
    ub_count(loops_wanted, 1, "lps");
    _exit(0);
}

static void timed_work(void)
{
    ARITH_TYPE result = 0;

    for (;;) {
        ++loops;
        result = hundred_turns(result);
    }
}

/*
 * Counts the loops up to 0; the loop after the last one ends the program by a signal.  So the compiler sees an endless
 * loop, as in timed work, and removes no more of the turns.  The loop is not longer than in timed work either.
 */
static void fixed_work(void)
{
    ARITH_TYPE result = 0;

    for (;;) {
        unsigned long loop = ++loops;

        if ((long)loop >= 0)
            raise(loop == 0 ? SIGUSR1 : SIGABRT);
        result = hundred_turns(result);
    }
}

int main(int argc, char **argv)
{
    struct ub_work wanted = ub_only_work(argc, argv, usage);

    ub_gate();
    if (wanted.loops == 0) {
        ub_alarm_counting(wanted.seconds, &loops, finish_timed);
        timed_work();
    }
    signal(SIGUSR1, finish_fixed);
    loops_wanted = wanted.loops;
    loops = -loops_wanted - 1;
    start_ns = ub_now_ns();
    fixed_work();
}
