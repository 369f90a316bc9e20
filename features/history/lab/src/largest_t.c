/*
 * largest_t SERIES RUNS FIRST LEAST DENSE SHARE SEED: simulates SERIES series of RUNS independent normal values, and
 * prints the large values of the statistic of the Student change-point model, after each run from FIRST on, as lines of
 * the number of the series, the run and the statistic: the largest two-sample |t| over the splits with LEAST runs or
 * more on both sides (Hawkins, Qiu and Kang, Journal of Quality Technology 35, 2003).  The sizes of the new side go up
 * in steps of 1 to DENSE, and then by a quarter each.  SHARE is about the share of the values that is printed.  For
 * features/history/lab/change-thresholds.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS_MAX 1000
#define PILOT    100000 /* series that show which values are large */

static uint64_t state[4];
static int      sizes[RUNS_MAX], usable[RUNS_MAX + 1];
static double   weight[RUNS_MAX + 1][RUNS_MAX];

/* Sets the state of the generator by SplitMix64. */
static void start_random(uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);

        z        = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z        = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        state[i] = z ^ (z >> 31);
    }
}

/* Returns a number between -1 and 1, by xoshiro256+ (D. Blackman and S. Vigna, 2018). */
static double uniform(void)
{
    uint64_t result = state[0] + state[3], shifted = state[1] << 17;

    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = (state[3] << 45) | (state[3] >> 19);
    return 2 * (((result >> 11) + 0.5) * 0x1p-53) - 1;
}

/* Fills x with numbers of the standard normal distribution (G. Marsaglia's polar method). */
static void normals(double *x, int runs)
{
    for (int i = 0; i < runs;) {
        double u = uniform(), v = uniform(), s = u * u + v * v, factor;

        if (s >= 1 || s == 0)
            continue;
        factor = sqrt(-2 * log(s) / s);
        x[i++] = u * factor;
        if (i < runs)
            x[i++] = v * factor;
    }
}

static void choose_splits(int runs, int first, int least, int dense)
{
    int count = 0;

    for (int size = least; size <= runs - least; size = size < dense ? size + 1 : size * 5 / 4)
        sizes[count++] = size;
    for (int run = first; run <= runs; run++)
        for (int i = 0; i < count && run - sizes[i] >= least; i++) {
            weight[run][i] = (double)run / ((double)sizes[i] * (run - sizes[i]));
            usable[run]    = i + 1;
        }
}

/* Fills largest[run] with the square of the statistic.  The sum of squares between both sides is d^2 * weight. */
static void statistics(const double *x, int runs, int first, double *largest)
{
    double sums[RUNS_MAX + 1] = {0}, squares = 0;

    for (int run = 1; run <= runs; run++) {
        double most = 0, mean, within;

        sums[run] = sums[run - 1] + x[run - 1];
        squares += x[run - 1] * x[run - 1];
        mean = sums[run] / run;
        for (int i = 0; i < (run < first ? 0 : usable[run]); i++) {
            int    old = run - sizes[i];
            double d = sums[old] - old * mean, between = d * d * weight[run][i];

            most = between > most ? between : most;
        }
        within       = squares - sums[run] * mean - most;
        largest[run] = within > 0 ? (run - 2) * most / within : INFINITY;
    }
}

static int descending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x < y) - (x > y);
}

int main(int argc, char **argv)
{
    static double x[RUNS_MAX], largest[RUNS_MAX + 1], least_printed[RUNS_MAX + 1];
    int           runs  = argc == 8 ? atoi(argv[2]) : 0;
    int           first = argc == 8 ? atoi(argv[3]) : 0;
    float        *pilot = malloc(sizeof *pilot * PILOT * (RUNS_MAX + 1));

    if (runs < 3 || runs > RUNS_MAX || first < 3 || pilot == NULL) {
        fprintf(stderr, "usage: largest_t SERIES RUNS FIRST LEAST DENSE SHARE SEED\n");
        return 2;
    }
    choose_splits(runs, first, atoi(argv[4]), atoi(argv[5]));
    start_random(0);
    for (int i = 0; i < PILOT; i++) {
        normals(x, runs);
        statistics(x, runs, first, largest);
        for (int run = first; run <= runs; run++)
            pilot[(size_t)run * PILOT + i] = largest[run];
    }
    for (int run = first; run <= runs; run++) {
        float *values = pilot + (size_t)run * PILOT;

        qsort(values, PILOT, sizeof *values, descending);
        least_printed[run] = values[(int)(atof(argv[6]) * PILOT)];
    }
    start_random(strtoull(argv[7], NULL, 10));
    for (long i = 0; i < atol(argv[1]); i++) {
        normals(x, runs);
        statistics(x, runs, first, largest);
        for (int run = first; run <= runs; run++)
            if (largest[run] > least_printed[run])
                printf("%ld %d %.4f\n", i, run, sqrt(largest[run]));
    }
    return 0;
}
