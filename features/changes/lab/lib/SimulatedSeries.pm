package SimulatedSeries;

# Series of values without a change, for several kinds of noise, by rand.

use strict;
use warnings;

use Exporter 'import';

use Normal                  qw(normal);
use UnixBench::Score::Stats qw(mean);

our @EXPORT_OK = qw(noise stepped);

use constant { STAY => 3, SLOW => 3, SLOW_AGAIN => 0.6 };
use constant { MODES => 0.03, AGAIN => 0.3, OUTLIERS => 0.01, OUTLIER => log(0.8), T_DF => 5 };

my %NOISE = (
    "Student's t"         => sub { normal() / sqrt(mean(map { normal()**2 } 1 .. T_DF)) * sqrt((T_DF - 2) / T_DF) },
    'autocorrelation 0.3' => sub { AGAIN * $_[0] + sqrt(1 - AGAIN**2) * normal() },
    'three slow series'   => sub { SLOW_AGAIN * $_[0] + sqrt(1 - SLOW_AGAIN**2) * normal() },
    'skewed'              => sub { -(exp(normal()) - exp 0.5) / sqrt((exp(1) - 1) * exp 1) },
);

# Takes a kind of noise, its deviation, a number of values, and perhaps the number of the series, from 1; returns that
# many logarithms. In "three slow series", later ones have normal noise.
sub noise {
    my ($kind, $deviation, $count, $number) = @_;
    my $next = $NOISE{$kind} || \&normal;
    $next = \&normal if $kind eq 'three slow series' && ($number // 1) > SLOW;
    my ($last, @values) = (normal());
    push @values, $deviation * ($last = $next->($last)) for 1 .. $count;
    if ($kind eq 'two modes') { $_ += rand() < 0.5 ? MODES : 0 for @values }
    if ($kind eq 'modes that stay') {
        my $mode = 0;
        $_ += $mode = rand() < 1 / STAY ? MODES - $mode : $mode for @values;
    }
    if ($kind eq 'a mode in 10 %')  { $_ -= rand() < 0.1      ? 0.1                                 : 0 for @values }
    if ($kind eq 'outliers in 5 %') { $_ += rand() < 0.05     ? (rand() < 0.5 ? OUTLIER : -OUTLIER) : 0 for @values }
    if ($kind eq 'outliers')        { $_ += rand() < OUTLIERS ? OUTLIER                             : 0 for @values }
    return @values;
}

# Takes a deviation, a number of values, and a step; returns values with normal noise about it.
sub stepped {
    my ($deviation, $count, $step) = @_;
    return map { $_ + $step } noise('normal', $deviation, $count);
}

1;
