package Gallery::Runs;

# Runs of the index with usual values.

use strict;
use warnings;

use Exporter 'import';

use Cases   qw(%COUNT);
use Fixture qw(failed interrupted measured quick_run run skipped sliced);

our @EXPORT_OK = qw(@INDEX graphics graphics_skipped one_test rounds stopped whole with_failures);

# The part of a test, from 0 to 1, that copies share; the rest scales.
my %SHARED = (
    'dhry2reg'         => 0.000,
    'whetstone-double' => 0.000,
    'execl'            => 0.020,
    'fstime'           => 0.300,
    'fsbuffer'         => 0.400,
    'fsdisk'           => 0.250,
    'pipe'             => 0.001,
    'context1'         => 0.003,
    'spawn'            => 0.040,
    'shell1'           => 0.060,
    'shell8'           => 0.900,
    'syscall'          => 0.000,
);
our @INDEX = sort keys %SHARED;
my %LONG = map { $_ => 1 } qw(dhry2reg whetstone-double pipe context1 syscall);

my @PASSES = (10, 3);    # of a long test, and of a short one

# Takes a number of copies; returns a run of the whole index.
sub whole {
    my ($copies) = @_;
    return run($copies, map { one_test($_, $copies) } @INDEX);
}

# Takes the name of a test of the index, a number of copies and a number of passes (default: the usual one); returns the
# test.
sub one_test {
    my ($name, $copies, $passes) = @_;
    return measured($name, $copies, _counts($name, $copies, $passes || $PASSES[$LONG{$name} ? 0 : 1]));
}

# Returns counts of passes that vary as if by chance, but are always the same.
sub _counts {
    my ($name, $copies, $passes) = @_;
    my $per_copy = $COUNT{$name} / (1 + $SHARED{$name} * ($copies - 1));
    my $seed     = length($name) + ord(substr $name, -1) + $copies;
    my $cv       = 0.002 + 0.03 * abs sin 7 * $seed;
    return map { sprintf '%.1f', $per_copy * (1 + $cv * sin(12.9898 * ($seed + $_**1.3))) } 1 .. $passes;
}

# Takes a number of rounds and a number of copies; returns a quick run of the whole index.
sub rounds {
    my ($rounds, $copies) = @_;
    return quick_run(
        $rounds, $copies,
        map {
            sliced($_, $copies, map { $_ / 10 } _counts($_, $copies, $rounds))
        } @INDEX
    );
}

# Takes a number of copies; returns a run in which three tests have failed.
sub with_failures {
    my ($copies) = @_;
    my %reason = (
        syscall => 'killed by SIGSEGV (pass 2, copy 1)',
        shell8  => q{can't run /opt/my suite/pgms/multi.sh: No such file or directory (pass 1, copy 1)},
        spawn   => 'timed out after 90 s (pass 3, copy 2)',
    );
    my @tests = map { $reason{$_} ? failed($_, $reason{$_}, _counts($_, 1, 1)) : one_test($_, $copies) } @INDEX;
    return run($copies, @tests);
}

# Takes a number of copies; returns a run that was interrupted half-way.
sub stopped {
    my ($copies) = @_;
    my @done = map { one_test($_, $copies) } @INDEX[0 .. 5];
    return run($copies, @done, interrupted($INDEX[6], 'interrupted after 1 of 3 passes', _counts($INDEX[6], 1, 1)));
}

my @DRAWING = qw(rects ellipse aashapes text blit window);

# Takes a number of copies; returns a run of the index, all graphics tests, and a test without a baseline.
sub graphics {
    my ($copies) = @_;
    my @flat     = map { measured("2d-$_", $copies, 5000, 5100, 4950.5) } @DRAWING;
    my @gears    = measured('ubgears', $copies, 4000.5, 4100.5, 3890);
    return run($copies, (map { one_test($_, $copies) } @INDEX), @flat, @gears,
        measured('grep', $copies, 700, 690, 705));
}

# Takes a number of copies; returns a run of the index in which all graphics tests are skipped.
sub graphics_skipped {
    my ($copies) = @_;
    my @skipped  = map { skipped($_, 'graphics tests run as one copy') } 'ubgears', map { "2d-$_" } @DRAWING;
    return run($copies, (map { one_test($_, $copies) } @INDEX), @skipped);
}

1;
