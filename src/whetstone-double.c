/*
 * Whetstone in double precision: COUNT is millions of Whetstone instructions a second (MWIPS), TIME is the seconds that
 * they took.  LOOPS is the number of passes through all modules.  By default it is the number that takes 10 seconds;
 * "-t SECONDS" gives another time, and "-n PASSES" the number itself.  The program prints the result and the speed of
 * each of its eight modules.  A number before these options is accepted and ignored, because scripts give one.
 *
 * H. J. Curnow and B. A. Wichmann, "A Synthetic Benchmark", The Computer Journal 19(1), 1976; modules and sizes as in
 * the C form by R. Longbottom.  On a fast CPU the x of N8 drifts towards 1 within a run, and the cost of N8 changes.
 */
#include "ub.h"

#define MODULES 8
#define X100 100
#define PASSES_MAX 1000000000
#define N1_MULTIPLE 10 /* N1 is too short to be timed otherwise */
#define TRIAL_S 0.5    /* trials get longer until they take more than this */

static const char usage[] = "whetstone-double [NUMBER] [-t SECONDS | -n PASSES]";

struct outcome {
    double result, elapsed_s;
};

/* The paper's three procedures.  They are external, because the inlining of the compiler is part of the score. */

void pa(double e[4], double t, double t2);
void po(double e[4], long j, long k, long l);
void p3(double *x, double *y, double *z, double t, double t1, double t2);
double whetstones(long passes, long x100, struct outcome outcomes[MODULES]);

void pa(double e[4], double t, double t2)
{
    for (long j = 0; j < 6; j++) {
        e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
        e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
        e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
        e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
    }
}

void po(double e[4], long j, long k, long l)
{
    e[j] = e[k];
    e[k] = e[l];
    e[l] = e[j];
}

void p3(double *x, double *y, double *z, double t, double t1, double t2)
{
    *x = *y;
    *y = *z;
    *x = t * (*x + *y);
    *y = t1 * (*x + *y);
    *z = (*x + *y) / t2;
}

static inline struct outcome ended(uint64_t start_ns, double result)
{
    return (struct outcome){.result = result, .elapsed_s = ub_elapsed_s(start_ns)};
}

/*
 * Runs that many passes of each module, of a multiple of x100 turns, and returns the seconds that the modules took.
 * As published, the modules are in one function, share its variables, and choose by if and else: what a compiler makes
 * of a loop depends on this, and speeds change with it by up to three times.
 */
double whetstones(long passes, long x100, struct outcome outcomes[MODULES])
{
    const long n1 = 12 * x100 * N1_MULTIPLE, n2 = 14 * x100, n3 = 345 * x100, n4 = 210 * x100, n5 = 32 * x100,
               n6 = 899 * x100, n7 = 616 * x100, n8 = 93 * x100;
    const double t0 = 0.49999975, t1 = 0.50000025, t2 = 2.0;
    double e[4], x, y, z, t = t0, total_s = 0;
    long j, k, l, pass, i;
    uint64_t start_ns;

    e[0] = 1.0;
    e[1] = e[2] = e[3] = -1.0;
    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++) {
        for (i = 0; i < n1; i++) {
            e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
            e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
            e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
            e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
        }
        t = 1.0 - t;
    }
    t = t0;
    outcomes[0] = ended(start_ns, e[3]);
    outcomes[0].elapsed_s /= N1_MULTIPLE;

    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++) {
        for (i = 0; i < n2; i++)
            pa(e, t, t2);
        t = 1.0 - t;
    }
    t = t0;
    outcomes[1] = ended(start_ns, e[3]);

    j = 1;
    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++)
        for (i = 0; i < n3; i++) {
            if (j == 1)
                j = 2;
            else
                j = 3;
            if (j > 2)
                j = 0;
            else
                j = 1;
            if (j < 1)
                j = 1;
            else
                j = 0;
        }
    outcomes[2] = ended(start_ns, (double)j);

    j = 1;
    k = 2;
    l = 3;
    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++)
        for (i = 0; i < n4; i++) {
            j = j * (k - j) * (l - k);
            k = l * k - (l - j) * k;
            l = (l - k) * (k + j);
            e[l - 2] = (double)(j + k + l);
            e[k - 2] = (double)(j * k * l);
        }
    outcomes[3] = ended(start_ns, e[0] + e[1]);

    x = y = 0.5;
    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++) {
        for (i = 1; i < n5; i++) {
            x = t * atan(t2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1.0));
            y = t * atan(t2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1.0));
        }
        t = 1.0 - t;
    }
    t = t0;
    outcomes[4] = ended(start_ns, y);

    x = y = z = 1.0;
    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++)
        for (i = 0; i < n6; i++)
            p3(&x, &y, &z, t, t1, t2);
    outcomes[5] = ended(start_ns, z);

    j = 0;
    k = 1;
    l = 2;
    e[0] = 1.0;
    e[1] = 2.0;
    e[2] = 3.0;
    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++)
        for (i = 0; i < n7; i++)
            po(e, j, k, l);
    outcomes[6] = ended(start_ns, e[2]);

    x = 0.75;
    start_ns = ub_now_ns();
    for (pass = 0; pass < passes; pass++)
        for (i = 0; i < n8; i++)
            x = sqrt(exp(log(x) / t1));
    outcomes[7] = ended(start_ns, x);

    for (i = 0; i < MODULES; i++)
        total_s += outcomes[i].elapsed_s;
    return total_s;
}

/* Title and unit of each module, its operations in a pass for each x100, and its result after one pass. */
static const struct {
    const char *title, *unit;
    double operations, result;
} modules[MODULES] = {
    {"N1 floating point", "MFLOPS", 12 * 16, -1.1239826},
    {"N2 floating point", "MFLOPS", 14 * 96, -1.1218709},
    {"N3 if then else", "MOPS", 345 * 3, 1.0},
    {"N4 fixed point", "MOPS", 210 * 15, 12.0},
    {"N5 sin, cos etc.", "MOPS", 32 * 26, 0.49902937},
    {"N6 floating point", "MFLOPS", 899 * 6, 0.99999988},
    {"N7 assignments", "MOPS", 616 * 3, 3.0},
    {"N8 exp, sqrt etc.", "MOPS", 93 * 4, 0.75100163},
};

/* Prints a line for each module.  A module that the compiler has removed takes no time, and its speed is "-". */
static void print_table(long passes, const struct outcome outcomes[MODULES])
{
    printf("%-20s %16s %13s %6s %12s\n", "Module", "Result", "Speed", "", "Seconds");
    for (int i = 0; i < MODULES; i++) {
        const double operations = modules[i].operations * X100 * (double)passes;
        const double elapsed_s = outcomes[i].elapsed_s;
        char speed[32] = "-";

        if (elapsed_s >= 1e-6)
            snprintf(speed, sizeof speed, "%.3f", operations / elapsed_s / 1e6);
        printf("%-20s %16.9f %13s %-6s %12.6f\n", modules[i].title, outcomes[i].result, speed,
               modules[i].unit, elapsed_s);
    }
    fflush(stdout);
}

/* Fails if a result is wrong.  The last decimals of a result depend on how the compiler orders the operations. */
static void check(const struct outcome outcomes[MODULES])
{
    for (int i = 0; i < MODULES; i++)
        if (!(fabs(outcomes[i].result - modules[i].result) < 1e-6))
            ub_error(1, "%s is wrong: %.9f instead of %.9f", modules[i].title, outcomes[i].result,
                     modules[i].result);
}

static long passes_for(double seconds)
{
    struct outcome outcomes[MODULES];
    double total_s;
    long passes = 1;

    while ((total_s = whetstones(passes, X100, outcomes)) <= TRIAL_S)
        passes *= 5;
    passes = (long)(seconds * (double)passes / total_s);
    return passes > 1 ? passes : 1;
}

static int is_number(const char *text)
{
    return *text >= '0' && *text <= '9' && !text[strspn(text, "0123456789.")];
}

int main(int argc, char **argv)
{
    struct outcome outcomes[MODULES];
    double seconds = 10, total_s;
    long passes = 0;

    if (argc > 1 && is_number(argv[1])) {
        argc--;
        argv++;
    }
    if (argc == 3 && strcmp(argv[1], "-t") == 0)
        seconds = ub_seconds(argv[2], usage);
    else if (argc == 3 && strcmp(argv[1], "-n") == 0)
        passes = (long)ub_whole("passes", argv[2], 1, PASSES_MAX, usage);
    else if (argc != 1)
        ub_error(2, "wrong arguments; usage: %s", usage);

    ub_gate();
    if (passes == 0)
        passes = passes_for(seconds);
    ub_use_begins();
    total_s = whetstones(passes, X100, outcomes);
    ub_use_ends();

    print_table(passes, outcomes);
    if (passes == 1)
        check(outcomes);
    ub_report_line("LOOPS|%ld\n", passes);
    ub_report_line("COUNT|%.3f|0|MWIPS\n", (double)passes * X100 / (10 * total_s));
    ub_time(total_s);
    return 0;
}
