package QuickRun;

# Quick runs, scored by the real code, and SciPy's numbers for such samples and others.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use List::Util     ();
use Test::More     ();

use Fixture                    qw(quick_run sliced);
use UnixBench::Base::Files     ();
use UnixBench::Base::JSON      ();
use UnixBench::Score::Estimate ();

our @EXPORT_OK = qw(has_known_estimate in_rounds known run_of_rounds);

use constant PRECISION => 1e-9;

# Takes a part of t/data/statistics.json (see lab/settled.md); returns its cases.
sub known {
    my ($part) = @_;
    my $path   = File::Basename::dirname(__FILE__) . '/../data/statistics.json';
    my $text   = UnixBench::Base::Files::content($path) // die "$path: $!\n";
    return @{ UnixBench::Base::JSON::decode($text)->{$part} };
}

# Tests that an estimate and its half-width are the known ones.
sub has_known_estimate {
    my ($estimate, $known, $name) = @_;
    my %is  = (%$estimate, half_width => UnixBench::Score::Estimate::half_width($estimate));
    my @off = grep { abs($is{$_} - $known->{$_}) > PRECISION * $known->{$_} } sort keys %$known;
    return Test::More::is_deeply({ map { $_ => $is{$_} } @off }, {}, $name);
}

# Takes a test's name and its short passes, as sliced() of Fixture; returns the test of one copy. A short pass takes a
# second.
sub in_rounds {
    my ($name, @slices) = @_;
    return sliced($name, 1, map { +{ time_s => 1, timebase => 1, ref ? %$_ : (count => $_) } } @slices);
}

# Takes tests; returns a quick run of one copy, with its indexes.
sub run_of_rounds {
    my (@tests) = @_;
    my $rounds = List::Util::max(0, map { $_->{number} } map { @{ $_->{passes} } } @tests);
    return quick_run($rounds, 1, @tests);
}

1;
