/*
 * Whetstone in double precision: COUNT is millions of Whetstone instructions a second (MWIPS), the best
 * known mix of floating point work.  It finds out how many passes take about 10 seconds, or what
 * "-t SECONDS" says, or runs the passes that "-n PASSES" says, and prints what its eight modules did.
 * H. J. Curnow and B. A. Wichmann, "A Synthetic Benchmark", The Computer Journal 19(1), 1976; modules and
 * sizes as in R. Longbottom's C version.  On a fast CPU the value of N8 drifts towards 1 within a run,
 * and its cost with it.
 */
#include "ub.h"

#define X100 100

static const char usage[] = "whetstone-double [-t SECONDS | -n PASSES]";

static const double T0 = 0.49999975, T1 = 0.50000025, T2 = 2.0;

static void pa(double e[4], double t)
{
    for (int j = 0; j < 6; j++) {
        e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
        e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
        e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
        e[3] = (-e[0] + e[1] + e[2] + e[3]) / T2;
    }
}

static void po(double e[4], long j, long k, long l)
{
    e[j] = e[k];
    e[k] = e[l];
    e[l] = e[j];
}

static void p3(double *x, double *y, double *z, double t, double t1, double t2)
{
    *x = *y;
    *y = *z;
    *x = t * (*x + *y);
    *y = t1 * (*x + *y);
    *z = (*x + *y) / t2;
}

/* Each module runs so many passes of so many turns, and returns its result. */

static double n1(long passes, long turns)
{
    double e[4] = {1.0, -1.0, -1.0, -1.0}, t = T0;

    for (long pass = 0; pass < passes; pass++) {
        for (long i = 0; i < turns; i++) {
            e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
            e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
            e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
            e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
        }
        t = 1.0 - t;
    }
    return e[3];
}

static double n2(long passes, long turns)
{
    double e[4] = {1.0, -1.0, -1.0, -1.0}, t = T0;

    for (long pass = 0; pass < passes; pass++) {
        for (long i = 0; i < turns; i++)
            pa(e, t);
        t = 1.0 - t;
    }
    return e[3];
}

static double n3(long passes, long turns)
{
    long j = 1;

    for (long pass = 0; pass < passes; pass++)
        for (long i = 0; i < turns; i++) {
            if (j == 1) j = 2; else j = 3;
            if (j > 2) j = 0; else j = 1;
            if (j < 1) j = 1; else j = 0;
        }
    return (double)j;
}

static double n4(long passes, long turns)
{
    double e[4] = {0, 0, 0, 0};
    long j = 1, k = 2, l = 3;

    for (long pass = 0; pass < passes; pass++)
        for (long i = 0; i < turns; i++) {
            j = j * (k - j) * (l - k);
            k = l * k - (l - j) * k;
            l = (l - k) * (k + j);
            e[l - 2] = (double)(j + k + l);
            e[k - 2] = (double)(j * k * l);
        }
    return e[0] + e[1];
}

static double n5(long passes, long turns)
{
    double x = 0.5, y = 0.5, t = T0;

    for (long pass = 0; pass < passes; pass++) {
        for (long i = 1; i < turns; i++) {
            x = t * atan(T2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1.0));
            y = t * atan(T2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1.0));
        }
        t = 1.0 - t;
    }
    return y;
}

static double n6(long passes, long turns)
{
    double x = 1.0, y = 1.0, z = 1.0;

    for (long pass = 0; pass < passes; pass++)
        for (long i = 0; i < turns; i++)
            p3(&x, &y, &z, T0, T1, T2);
    return z;
}

static double n7(long passes, long turns)
{
    double e[4] = {1.0, 2.0, 3.0, 0.0};

    for (long pass = 0; pass < passes; pass++)
        for (long i = 0; i < turns; i++)
            po(e, 0, 1, 2);
    return e[2];
}

static double n8(long passes, long turns)
{
    double x = 0.75;

    for (long pass = 0; pass < passes; pass++)
        for (long i = 0; i < turns; i++)
            x = sqrt(exp(log(x) / T1));
    return x;
}

static const struct module {
    const char *title;
    double (*run)(long passes, long turns);
    long turns, operations, repeats;
    const char *unit;
    double result;
} modules[] = {
    {"N1 floating point", n1, 12 * X100, 16, 10, "MFLOPS", -1.1239826},
    {"N2 floating point", n2, 14 * X100, 96, 1, "MFLOPS", -1.1218709},
    {"N3 if then else", n3, 345 * X100, 3, 1, "MOPS", 1.0},
    {"N4 fixed point", n4, 210 * X100, 15, 1, "MOPS", 12.0},
    {"N5 sin, cos etc.", n5, 32 * X100, 26, 1, "MOPS", 0.49902937},
    {"N6 floating point", n6, 899 * X100, 6, 1, "MFLOPS", 0.99999988},
    {"N7 assignments", n7, 616 * X100, 3, 1, "MOPS", 3.0},
    {"N8 exp, sqrt etc.", n8, 93 * X100, 4, 1, "MOPS", 0.75100163},
};
#define MODULES (sizeof modules / sizeof *modules)

struct outcome {
    double result, elapsed_s;
};

static double run_all(long passes, struct outcome outcomes[MODULES])
{
    double total_s = 0;

    for (size_t i = 0; i < MODULES; i++) {
        const struct module *module = &modules[i];
        uint64_t start_ns = ub_now_ns();

        outcomes[i].result = module->run(passes, module->turns * module->repeats);
        outcomes[i].elapsed_s = ub_elapsed_s(start_ns) / (double)module->repeats;
        total_s += outcomes[i].elapsed_s;
    }
    return total_s;
}

int main(void)
{
 struct outcome o[MODULES]; (void)usage;
 long n = 2; double t;
 t = run_all(n, o);
 for (size_t i=0;i<MODULES;i++) printf("%-20s %.10f %.10f %.6f\n", modules[i].title, o[i].result, modules[i].result, o[i].elapsed_s);
 printf("%f\n", n*100/(t*10));
}
