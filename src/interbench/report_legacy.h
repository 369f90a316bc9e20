/* The numbers of the old tables as text. */
#ifndef INTERBENCH_REPORT_LEGACY_H
#define INTERBENCH_REPORT_LEGACY_H

#include "figures.h"

/* Three significant digits, from 100 on without decimals; in so many columns, negative: to their left. */
struct figure legacy_figure(double value, int width);

#endif
